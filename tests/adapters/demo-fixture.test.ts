import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readScenario } from "../../fixtures/model-server/index.ts";
import { temporaryFolder } from "../support/repository.ts";

const scenario = readScenario(resolve("fixtures/demo/scenario.yaml"));

/** The demo's repository in a folder of its own. */
function demoRepository(): string {
  const folder = temporaryFolder();
  cpSync(resolve("fixtures/demo-repo"), folder, { recursive: true });
  return folder;
}

function replyOf(model: string): string {
  const reply = scenario.rules.find(({ when }) => when?.model === model)?.reply;
  return typeof reply === "string" ? reply : "";
}

/** Applies the one edit block of a scripted reply by hand. */
function applyReply(folder: string, model: string): void {
  const block = /=== EDIT: (\S+) .*\n<<<<<<< SEARCH\n([\s\S]*)=======\n([\s\S]*)>>>>>>> REPLACE/;
  const [, path = "", search = "", replace = ""] = block.exec(replyOf(model)) ?? [];
  const before = readFileSync(join(folder, path), "utf8");
  writeFileSync(join(folder, path), before.split(search).join(replace));
}

function runTests(cwd: string): { red: number; output: string } {
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { red: Number(/^# fail (\d+)$/m.exec(stdout)?.[1]), output: stdout };
}

test("the demo's repository has one red test", () => {
  const { red, output } = runTests(demoRepository());

  expect(red).toBe(1);
  expect(output).toContain("0h 60m");
});

test("the first coder's fix stays red and turns a green test red", () => {
  const folder = demoRepository();
  applyReply(folder, "demo-first/coder-quick");

  const { red, output } = runTests(folder);

  expect(red).toBe(2);
  // What the second coder's rule waits for.
  expect(output).toContain("0h 59m");
});

test("the second coder's fix is green", () => {
  const folder = demoRepository();
  applyReply(folder, "demo-second/coder-careful");

  expect(runTests(folder).red).toBe(0);
});

test("the scout's files exist", () => {
  const paths = [...replyOf("demo-scouts/scout-mini").matchAll(/^- `(\S+\.js)` — /gm)];

  expect(paths).toHaveLength(2);
  for (const [, path = ""] of paths) expect(existsSync(join(demoRepository(), path))).toBe(true);
});
