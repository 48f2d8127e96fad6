import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const models =
  "backends:\n  strong: {provider: acme, model: large}\n  cheap: {provider: acme, model: small}\n";

/** A user's configuration with these rules. */
function userWith(rules: string): Record<string, string> {
  const folder = temporaryFolder();
  writeFiles(folder, { "models.local.yaml": models, "classify.yaml": rules });
  return { KIT_CONFIG_DIR: folder };
}

const rules = "rules:\n  words:\n    keywords: [typo]\n    capability: cheap-code\n";

test("kit route --task says which rule chose the capability, with file and line", async () => {
  const env = userWith(rules);
  const task = ["route", "--task", "a typo in the title"];

  const { stdout } = await runKit(task, { cwd: repository({}), env });
  const { document } = await documentOf("route", [...task, "--json"], { cwd: repository({}), env });

  expect(stdout).toContain(
    `rule words (${join(env["KIT_CONFIG_DIR"] ?? "", "classify.yaml")}:2): the task says "typo"\n\ncheap-code\n`,
  );
  expect(document).toMatchObject({
    classified: { capability: "cheap-code", rule: "words", source: { layer: "user", line: 2 } },
    routes: [{ capability: "cheap-code" }],
  });
});

test("without a rule the agent's own capability stands, and that is said", async () => {
  const cwd = repository({});

  const { stdout } = await runKit(["route", "--task", "it crashes"], { cwd, env: userWith(rules) });

  expect(stdout).toMatch(
    /^no rule holds: the capability of the agent coder stands\n\nstrong-code\n/,
  );
});

test("the dry run shows the rule, and --capability overrides it", async () => {
  const cwd = repository({});
  const env = userWith(rules);
  const run = ["run", "--dry-run", "--allow-untested", "a typo"];

  const { document } = await documentOf("run-dry-run", [...run, "--json"], { cwd, env });
  const { stdout } = await runKit(run, { cwd, env });
  const flagged = await runKit([...run, "--capability", "strong-code"], { cwd, env });

  expect(document).toMatchObject({
    routes: { coder: { capability: "cheap-code" } },
    classified: { rule: "words" },
  });
  expect(stdout).toMatch(/coder asks for cheap-code\n {2}rule words \(.*classify\.yaml:2\)/);
  expect(flagged.stdout).toMatch(/coder asks for strong-code\n {2}1\. /);
});
