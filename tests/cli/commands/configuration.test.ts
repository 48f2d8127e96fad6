import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseScenario, startModelServer } from "../../../fixtures/model-server/index.ts";
import { repository, temporaryFolder } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf, twoBindings, userConfiguration } from "./support.ts";

const packageRoot = join(import.meta.dirname, "..", "..", "..");

test("route shows the candidates in order with their origin, and every skip with its reason", async () => {
  const { folder, env } = userConfiguration({ "models.local.yaml": twoBindings });

  const ran = await runKit(["route", "strong-code"], { cwd: repository({}), env });

  expect(ran).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: [
      "strong-code",
      `  1.  strong  acme/large:high  ${folder}/models.local.yaml:4`,
      `  2.  cheap   acme/small       ${folder}/models.local.yaml:3`,
      "  –  deep  placeholder",
      "",
      "",
    ].join("\n"),
  });
});

test("the document of route is in its schema", async () => {
  const { env } = userConfiguration({ "models.local.yaml": twoBindings });

  const { exitCode, document } = await documentOf("route", ["route"], { cwd: repository({}), env });

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    routes: expect.arrayContaining([
      expect.objectContaining({
        capability: "strong-code",
        skipped: [{ backend: "deep", reason: "placeholder" }],
      }),
    ]) as unknown,
    ladders: [{ name: "code", capabilities: ["cheap-code", "strong-code"] }],
  });
});

test("a capability that no model serves ends with 1 and says how to bind one", async () => {
  const { exitCode, stdout } = await runKit(["route", "deep-review"], { cwd: repository({}) });

  expect(exitCode).toBe(1);
  expect(stdout.split("\n").at(-2)).toBe('No model serves "deep-review". Bind one: kit init');
});

test.each([
  [["route"]],
  [["models", "--offline"]],
  [["doctor", "--offline"]],
  [["run", "--dry-run", "Mend add"]],
])("kit %j names the file to mend instead of kit init, which would refuse", async (argv) => {
  const { env, folder } = userConfiguration({ "models.local.yaml": "a: [\n" });

  const { stdout } = await runKit(argv, { cwd: repository({}), env });

  expect(stdout).toContain(`Mend ${join(folder, "models.local.yaml")}:2`);
  expect(stdout).not.toContain("kit init");
});

test.each(["kit.yaml", "models.local.yaml", "routing.local.yaml", "classify.yaml"])(
  "a %s that is a link to nowhere stops a run: what it would say must not vanish",
  async (name) => {
    const { env, folder } = userConfiguration({});
    symlinkSync("gone.yaml", join(folder, name));

    const { exitCode, stderr } = await runKit(["run", "Mend add"], { cwd: repository({}), env });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${join(folder, name)}:1:1: it is a link to gone.yaml`);
  },
);

test("an unknown capability is a usage error", async () => {
  const { exitCode, document } = await documentOf("error", ["route", "strong-cod"], {
    cwd: repository({}),
  });

  expect(exitCode).toBe(2);
  expect(document).toMatchObject({ error: { kind: "usage" } });
});

test("--model binds a backend for once", async () => {
  const { exitCode, stdout } = await runKit(["route", "deep-review", "--model", "deep=a/b:low"], {
    cwd: repository({}),
  });

  expect(exitCode).toBe(0);
  expect(stdout).toContain("  1.  deep  a/b:low  flag\n");
});

test.each(["route", "models"])(
  "%s shows a broken file with its place and ends with 2",
  async (name) => {
    const { folder, env } = userConfiguration({
      "models.local.yaml": "version: 1\nbackends:\n  cheap: { provider: acme, model: 7 }\n",
    });

    const { exitCode, stdout } = await runKit([name, ...(name === "models" ? ["--offline"] : [])], {
      cwd: repository({}),
      env,
    });

    expect(exitCode).toBe(2);
    expect(stdout).toContain(`${folder}/models.local.yaml:3:`);
  },
);

test("models says how a model is called where that is not through pi", async () => {
  const { env } = userConfiguration({
    "models.local.yaml": `version: 1
backends:
  cheap: { adapter: openai, provider: lab, model: m, base_url: "http://127.0.0.1:8080/v1" }
  strong: { adapter: codex, provider: openai, model: x }
`,
  });

  const { stdout } = await runKit(["models", "--offline"], { cwd: repository({}), env });

  expect(stdout).toContain("lab/m (openai, http://127.0.0.1:8080/v1)");
  expect(stdout).toContain("openai/x (codex, experimental)");
});

test("models shows what each backend is bound to", async () => {
  const { folder, env } = userConfiguration({ "models.local.yaml": twoBindings });
  const options = { cwd: repository({}), env };

  const { stdout } = await runKit(["models", "--offline"], options);
  const { exitCode, document } = await documentOf("models", ["models", "--offline"], options);

  expect(stdout.split("\n").slice(0, 8)).toEqual([
    "local: placeholder; serves cheap-code",
    `cheap: acme/small  ${folder}/models.local.yaml:3`,
    "  serves cheap-code, strong-code, vision-reasoning",
    "  window unknown; no price known; quota pool acme",
    `strong: acme/large:high  ${folder}/models.local.yaml:4`,
    "  serves cheap-code, strong-code, deep-review, vision-reasoning",
    "  window 200,000; no price known; quota pool acme",
    "deep: placeholder; serves strong-code, deep-review, vision-reasoning",
  ]);
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    backends: expect.arrayContaining([
      expect.objectContaining({ backend: "cheap", state: "bound" }),
      expect.objectContaining({ backend: "deep", state: "placeholder" }),
    ]) as unknown,
  });
});

test("models says what a server lists of what is bound to it, and with --all what else there is", async () => {
  const scenario = parseScenario("version: 1\nmodels:\n  lab/a-1: {}\n  lab/a-2: {}\nrules: []\n");
  const server = await startModelServer(scenario);
  onTestFinished(() => server.close());
  const bound = (model: string): string =>
    `{ adapter: openai, provider: lab, model: ${model}, base_url: "${server.url}/v1" }`;
  const { env } = userConfiguration({
    "models.local.yaml": `backends:\n  cheap: ${bound("a-1")}\n  strong: ${bound("b-1")}\n`,
  });
  const options = { cwd: repository({}), env: { ...env, KIT_PI: "/no/pi" } };

  const { exitCode, document } = await documentOf("models", ["models", "--all"], options);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    backends: expect.arrayContaining([
      expect.objectContaining({
        backend: "cheap",
        standing: expect.objectContaining({ state: "known" }) as unknown,
      }),
      expect.objectContaining({
        backend: "strong",
        standing: expect.objectContaining({ state: "dead" }) as unknown,
      }),
    ]) as unknown,
    models: [
      { provider: "lab", model: "a-1" },
      { provider: "lab", model: "a-2" },
    ],
  });
});

test("agents lists the shipped roles; a broken file of the user's hides none of them", async () => {
  const { folder, env } = userConfiguration({ "agents/bad.md": "---\nname: Bad\n---\nx\n" });
  const options = { cwd: repository({}), env };

  const ran = await runKit(["agents"], options);
  const { document } = await documentOf("agents", ["agents"], options);

  expect(ran.exitCode).toBe(2);
  expect(ran.stdout).toContain(`${join(packageRoot, "agents", "scout.md")}\n`);
  expect(ran.stdout).toContain(`${folder}/agents/bad.md:`);
  expect(document["agents"]).toMatchObject([
    { name: "bad", sound: false },
    { name: "coder", capability: "strong-code", available: true, sound: true },
    { name: "reviewer" },
    { name: "scout", capability: "cheap-code" },
  ]);
});

test("a repository's own configuration is read and reported, not used", async () => {
  const cwd = repository({
    ".kit/routing.yaml": "version: 1\ncapabilities:\n  strong-code: { primary: cheap }\n",
  });
  const { env } = userConfiguration({ "models.local.yaml": twoBindings });

  const { document } = await documentOf("route", ["route", "strong-code"], { cwd, env });

  expect(document).toMatchObject({
    routes: [{ candidates: [{ backend: "strong" }, { backend: "cheap" }] }],
    sources: expect.arrayContaining([
      { kind: "registry", layer: "project", file: join(cwd, ".kit/routing.yaml"), used: false },
    ]) as unknown,
  });
});

test("--repo that is no folder is a usage error", async () => {
  const missing = join(temporaryFolder(), "nowhere");

  expect(await runKit(["agents", "--repo", missing])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `kit: There is no folder ${missing}.\nnext: Give the folder of a repository: --repo FOLDER\n`,
  });
});

test("a folder without git works as well", async () => {
  const { exitCode } = await runKit(["agents"], { cwd: temporaryFolder() });

  expect(exitCode).toBe(0);
});
