import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseScenario, writePiAgentFolder } from "../../../fixtures/model-server/index.ts";
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

test("init --print proposes what pi can call, and kit takes it as it is", async () => {
  const { cwd, env } = machineWith(["acme/coder-mini", "acme/coder-pro", "other/coder"]);

  const { exitCode, stdout, stderr } = await runKit(["init", "--print"], { cwd, env });
  writeFiles(String(env["KIT_CONFIG_DIR"]), { "models.local.yaml": stdout });
  const route = await documentOf("route", ["route", "strong-code"], { cwd, env });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(parse(stdout)).toMatchObject({
    backends: {
      cheap: { provider: "acme", model: "coder-mini" },
      strong: { provider: "acme", model: "coder-pro" },
      deep: { provider: "other", model: "coder" },
    },
  });
  expect(route).toMatchObject({
    exitCode: 0,
    document: { routes: [{ candidates: [{ model: "coder-pro" }, {}, {}] }] },
  });
});

test("the document of init is in its schema", async () => {
  const { cwd, env } = machineWith(["acme/coder"]);

  const { document } = await documentOf("init", ["init", "--print"], { cwd, env });

  expect(document).toMatchObject({
    file: join(String(env["KIT_CONFIG_DIR"]), "models.local.yaml"),
    models: [{ provider: "acme", model: "coder", price: { input: 1, output: 2 } }],
  });
});

test("without --print nothing happens, and the way on is said", async () => {
  const { exitCode, stderr } = await runKit(["init"], { cwd: temporaryFolder() });

  expect(exitCode).toBe(2);
  expect(stderr).toContain("next: Print the proposal and save it yourself: kit init --print\n");
});

test("a pi that is not there is the environment's fault, with the way to get it", async () => {
  const env = { ...process.env, PATH: temporaryFolder() };

  const { exitCode, stderr } = await runKit(["init", "--print"], { cwd: temporaryFolder(), env });

  expect(exitCode).toBe(5);
  expect(stderr).toMatch(/next: .*pi-coding-agent/);
});
