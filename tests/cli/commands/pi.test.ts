import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseScenario, writePiAgentFolder } from "../../../fixtures/model-server/index.ts";
import { snapshot, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf, twoBindings } from "./support.ts";

/** A user with two bound backends, and the folder of their pi. */
function userWithPi(settings?: string): {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  readonly folder: string;
} {
  const home = temporaryFolder();
  const folder = join(home, "pi");
  writeFiles(home, { "kit/models.local.yaml": twoBindings });
  const scenario = parseScenario("version: 1\nmodels:\n  acme/small: {}\nrules: []\n");
  writePiAgentFolder(folder, { url: "http://127.0.0.1:9", scenario });
  if (settings !== undefined) writeFiles(folder, { "settings.json": settings });
  const env = {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    KIT_CONFIG_DIR: join(home, "kit"),
    KIT_PI: resolve("node_modules/.bin/pi"),
    PI_CODING_AGENT_DIR: folder,
  };
  return { cwd: home, env, folder };
}

const old =
  '{\n  "theme": "dark",\n  "subagents": { "agentOverrides": { "scout": { "model": "x/y" } } }\n}\n';
const scout = { model: "acme/small" };
const strong = { model: "acme/large", thinking: "high" };

test("the proposal is the block and its difference, and nothing is written", async () => {
  const { folder, ...options } = userWithPi(old);
  const before = snapshot(folder);

  const shown = await runKit(["pi", "proposal"], options);
  const { document } = await documentOf("pi-proposal", ["pi", "proposal"], options);

  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toMatch(/ {2}~ {2}scout +acme\/small +cheap-code, now x\/y\n/);
  expect(shown.stdout).toContain("Fallbacks cannot be said here");
  expect(shown.stdout).toContain("2 to add, 1 to update, 0 the same\n");
  expect(document).toMatchObject({
    proposal: { subagents: { agentOverrides: { scout, coder: strong, reviewer: strong } } },
    changes: [{ state: "add" }, { state: "add" }, { state: "update", before: { model: "x/y" } }],
  });
  expect(snapshot(folder)).toEqual(before);
});

test("without a yes apply shows the same and writes nothing", async () => {
  const { folder, ...options } = userWithPi(old);
  const before = snapshot(folder);

  const dry = await runKit(["pi", "apply"], options);
  const refused = await runKit(["pi", "apply"], { ...options, answers: ["no"] });

  for (const { exitCode, stdout } of [dry, refused]) {
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Nothing was written.");
  }
  expect(refused.stderr).toContain("Write this into pi's settings? [y/N]");
  expect(snapshot(folder)).toEqual(before);
});

test("apply merges the block alone, keeps the old file, and has nothing to do then", async () => {
  const { folder, ...options } = userWithPi(old);

  const { exitCode, document } = await documentOf("pi-apply", ["pi", "apply", "--yes"], options);
  const again = await runKit(["pi", "apply", "--yes"], options);

  expect({ exitCode, applied: document["applied"] }).toEqual({ exitCode: 0, applied: true });
  expect(JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"))).toEqual({
    theme: "dark",
    subagents: { agentOverrides: { scout, coder: strong, reviewer: strong } },
  });
  expect(readFileSync(String(document["backup"]), "utf8")).toBe(old);
  expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  expect(again.stdout).toContain("nothing was written");
  expect(readdirSync(folder).filter((name) => name.startsWith("settings.json"))).toHaveLength(2);
});

test("a yes on a terminal writes; settings that are not there are made", async () => {
  const { folder, ...options } = userWithPi();

  const { exitCode, stdout } = await runKit(["pi", "apply"], { ...options, answers: ["y"] });

  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Written: ${join(folder, "settings.json")}`);
  expect(stdout).not.toContain("The old file");
});

test("settings that are no JSON are refused with their place, and left alone", async () => {
  const { folder, ...options } = userWithPi("{ theme }");

  const { exitCode, stderr } = await runKit(["pi", "apply", "--yes"], options);

  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${join(folder, "settings.json")}:1:3: `);
  expect(readFileSync(join(folder, "settings.json"), "utf8")).toBe("{ theme }");
});

test("a repository has no say in what pi is told everywhere", async () => {
  const { folder: _folder, ...options } = userWithPi();
  writeFiles(options.cwd, {
    ".kit/routing.yaml": "version: 1\ncapabilities:\n  cheap-code: { primary: strong }\n",
    ".kit/agents/intruder.md":
      "---\nname: intruder\ndescription: x\ncapability: cheap-code\n---\nx\n",
  });
  await runKit(["trust", "--yes"], options);

  const { document } = await documentOf("pi-proposal", ["pi", "proposal"], options);

  expect(document).toMatchObject({ proposal: { subagents: { agentOverrides: { scout } } } });
  expect(JSON.stringify(document)).not.toContain("intruder");
});

test("check starts pi and finds what it loads of kit, each once", async () => {
  const { folder, ...options } = userWithPi(JSON.stringify({ packages: [resolve(".")] }));

  const sound = await documentOf("pi-check", ["pi", "check"], options);
  mkdirSync(join(folder, "extensions"));
  writeFiles(folder, {
    "settings.json": "{}",
    "extensions/kit.js":
      'export default (pi) => pi.registerCommand("kit", { handler: async () => undefined });\n',
  });
  const unsound = await runKit(["pi", "check"], options);

  expect(sound).toMatchObject({
    exitCode: 0,
    document: {
      ok: true,
      version: "1.6.0",
      parts: [
        { kind: "extension", state: "loaded", from: [resolve("adapters/pi/extension/index.ts")] },
        { kind: "skill", state: "loaded" },
        { kind: "agent", state: "unset" },
        { kind: "agent", state: "unset" },
        { kind: "agent", state: "unset" },
      ],
    },
  });
  expect(unsound.exitCode).toBe(1);
  expect(unsound.stdout).toMatch(/extension +\/kit +foreign/);
  expect(unsound.stdout).toMatch(/skill +kit +missing/);
  expect(unsound.stdout).toContain(`next: kit: pi install ${resolve(".")}\n`);
});

test("a pi that does not start is the environment's fault, in its own words", async () => {
  const { folder, ...options } = userWithPi();
  writeFiles(folder, {
    "extensions/bad.js": "export default () => { throw new Error('broken'); };",
  });

  const { exitCode, stderr } = await runKit(["pi", "check"], options);

  expect(exitCode).toBe(5);
  expect(stderr).toMatch(/pi did not list its commands \(exit\): .*Failed to load extension/);
});
