import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import {
  parseScenario,
  startModelServer,
  writePiAgentFolder,
} from "../../../fixtures/model-server/index.ts";
import { repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const pi = join(import.meta.dirname, "..", "..", "..", "node_modules", ".bin", "pi");

/** A machine whose pi knows these models, `provider/model`; nobody is ever called. */
function machineWith(models: readonly string[]): {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
} {
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    KIT_PI: pi,
    PI_CODING_AGENT_DIR: join(folder, "pi"),
    KIT_CONFIG_DIR: join(folder, "kit"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  const listed = models.map((name) => `  ${name}: { price: { input: 1, output: 2 } }\n`).join("");
  const scenario = parseScenario(`version: 1\nmodels:\n${listed}rules: []\n`);
  writePiAgentFolder(env.PI_CODING_AGENT_DIR, { url: "http://127.0.0.1:9", scenario });
  return { cwd: repository({}), env };
}

/** A machine without pi, claude and codex, and a model server on it. */
async function machineWithServer() {
  const folder = temporaryFolder();
  const models = "  lab/small-8b: {}\n  lab/large-32b: {}\n  lab/embedding-1: {}\n";
  const server = await startModelServer(parseScenario(`version: 1\nmodels:\n${models}rules: []\n`));
  onTestFinished(() => server.close());
  const config = join(folder, "kit");
  const env = { ...process.env, KIT_CONFIG_DIR: config, PATH: "/usr/bin:/bin", KIT_PI: "/no/pi" };
  return { cwd: temporaryFolder(), env, config, server, endpoint: `${server.url}/v1` };
}

test("init --print proposes what pi can call, and kit takes it as it is", async () => {
  const { cwd, env } = machineWith(["acme/coder-mini", "acme/coder-pro", "other/coder"]);

  const { exitCode, stdout, stderr } = await runKit(["init", "--print", "--no-endpoint"], {
    cwd,
    env,
  });
  writeFiles(String(env["KIT_CONFIG_DIR"]), { "models.local.yaml": stdout });
  const route = await documentOf("route", ["route", "strong-code"], { cwd, env });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(parse(stdout)).toMatchObject({
    backends: {
      cheap: { provider: "acme", model: "coder-mini", price: { input: 1, output: 2 } },
      strong: { provider: "acme", model: "coder-pro", context_window: 128_000 },
      deep: { provider: "other", model: "coder" },
    },
  });
  expect(route).toMatchObject({
    exitCode: 0,
    document: { routes: [{ candidates: [{ model: "coder-pro" }, {}, {}] }] },
  });
});

test("--yes binds what a server of this machine lists, for its owner's eyes alone", async () => {
  const { cwd, env, config, endpoint, server } = await machineWithServer();

  const first = await runKit(["init", "--yes", "--endpoint", endpoint], { cwd, env });
  const file = join(config, "models.local.yaml");
  const written = readFileSync(file, "utf8");
  const second = await documentOf("init", ["init", "--yes", "--endpoint", endpoint], { cwd, env });

  expect(first.exitCode).toBe(0);
  expect(first.stdout).toContain(`Wrote ${file}: local, cheap, strong.`);
  const provider = `local-${new URL(server.url).port}`;
  const binding = { adapter: "openai", provider, base_url: endpoint };
  expect(parse(written)).toEqual({
    version: 1,
    backends: {
      local: { ...binding, model: "large-32b" },
      cheap: { ...binding, model: "small-8b" },
      strong: { ...binding, model: "large-32b" },
    },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(second).toMatchObject({
    exitCode: 0,
    document: { written: false, backends: [], kept: ["local", "cheap", "strong"] },
  });
  expect(readFileSync(file, "utf8")).toBe(written);
  expect(server.requests).toEqual([]);
});

test("what the file held before stays beside it, and bound backends stay bound", async () => {
  const { cwd, env, config, endpoint } = await machineWithServer();
  const mine = "# mine\nbackends:\n  strong: { provider: acme, model: large }\n";
  writeFiles(config, { "models.local.yaml": mine });

  const { exitCode, stdout } = await runKit(["init", "--endpoint", endpoint], {
    cwd,
    env,
    answers: ["y"],
  });

  expect(exitCode).toBe(0);
  expect(stdout).toContain("bound already, left as they are: strong");
  const [backup = "", ...more] = readdirSync(config).filter((name) => name.endsWith(".bak"));
  expect([readFileSync(join(config, backup), "utf8"), more]).toEqual([mine, []]);
  const text = readFileSync(join(config, "models.local.yaml"), "utf8");
  expect(text).toContain("# mine\n");
  expect(parse(text)).toMatchObject({
    backends: { strong: { provider: "acme", model: "large" }, cheap: { model: "small-8b" } },
  });
});

test.each<[string, { answers?: string[]; json?: true }]>([
  ["without a terminal", {}],
  ["after a no", { answers: ["n"] }],
  ["in JSON", { json: true }],
])("%s nothing is written, and that is said", async (_title, { json, ...options }) => {
  const { cwd, env, config, endpoint } = await machineWithServer();
  const argv = ["init", "--endpoint", endpoint, ...(json ? ["--json"] : [])];

  const { exitCode, stdout } = await runKit(argv, { cwd, env, ...options });

  expect(exitCode).toBe(1);
  expect(stdout).toContain(json ? '"written": false' : "Nothing was written.");
  expect(() => readdirSync(config)).toThrow("ENOENT");
});

test.each([
  [
    "an address elsewhere",
    ["--endpoint", "http://example.com/v1"],
    {},
    2,
    "is not on this machine",
  ],
  ["bindings as JSON", [], { "models.local.json": "{}" }, 2, "holds bindings as JSON already"],
  ["a file with errors", [], { "models.local.yaml": "backends: 7\n" }, 2, "have errors"],
])("%s is refused in words", async (_title, argv, files: Record<string, string>, code, words) => {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const env = { ...process.env, KIT_CONFIG_DIR: folder, PATH: "/usr/bin:/bin", KIT_PI: "/no/pi" };

  const { exitCode, stderr } = await runKit(["init", "--yes", "--no-endpoint", ...argv], {
    cwd: temporaryFolder(),
    env,
  });

  expect(exitCode).toBe(code);
  expect(stderr).toContain(words);
});

test("an empty machine is told what to install", async () => {
  const env = { ...process.env, PATH: temporaryFolder() };

  const { exitCode, stderr } = await runKit(["init", "--no-endpoint"], {
    cwd: temporaryFolder(),
    env,
  });

  expect(exitCode).toBe(5);
  expect(stderr).toContain("pi is not installed or not on PATH");
  expect(stderr).toMatch(/next: .*npm install -g @earendil-works\/pi-coding-agent.*kit init/);
});
