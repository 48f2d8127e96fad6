import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  begunResult,
  isSettled,
  openResults,
  resultOf,
  resumableRun,
  type TaskResult,
} from "../../../src/cli/batch/results.ts";
import { temporaryFolder } from "../../support/repository.ts";

const task = { id: "a", repo: "/r", flags: [], hash: "h" };
const facts = { at: new Date(0), durationMs: 5, isCapped: false };

function result(over: Partial<TaskResult> = {}): TaskResult {
  return { ...resultOf(task, { exitCode: 5, error: "killed" }, facts), ...over };
}

test("results last, the last of a task counts, and what each run cost is known once", async () => {
  const file = join(temporaryFolder(), "results.jsonl");
  const first = await openResults(file, false);
  await Promise.all([
    first.add(begunResult(task, "run-1", new Date(0))),
    first.add(result({ runId: "run-1", costUsd: 1 })),
    first.add(result({ runId: "run-1", exitCode: 0, costUsd: 2 })),
    first.add(result({ runId: "run-2", hash: "other", costUsd: 3 })),
  ]);
  await first.close();
  const again = await openResults(file, false);
  expect(again.earlier.get("h")?.exitCode).toBe(0);
  expect([...again.costs]).toEqual([
    ["run-1", 2],
    ["run-2", 3],
  ]);
  await again.close();
});

test("a torn last line is passed over, and the next stands on a line of its own", async () => {
  const file = join(temporaryFolder(), "results.jsonl");
  const first = await openResults(file, false);
  await first.add(result());
  await first.close();
  appendFileSync(file, '{"v":1,"ha');
  const second = await openResults(file, false);
  await second.add(result({ hash: "other" }));
  await second.close();
  const third = await openResults(file, false);
  expect([...third.earlier.keys()]).toEqual(["h", "other"]);
  await third.close();
});

test("all over again: nothing earlier counts, and nothing is lost", async () => {
  const file = join(temporaryFolder(), "results.jsonl");
  const first = await openResults(file, false);
  await first.add(result({ costUsd: 1 }));
  await first.close();
  const fresh = await openResults(file, true);
  expect([fresh.earlier.size, fresh.costs.size]).toEqual([0, 0]);
  await fresh.close();
  const later = await openResults(file, false);
  expect(later.earlier.size).toBe(0);
  await later.close();
  expect(readFileSync(file, "utf8").split("\n")[0]).toContain('"hash":"h"');
});

test.each([
  [{ exitCode: 0, outcome: "success" }, true],
  [{ exitCode: 1, outcome: "exhausted" }, true],
  [{ exitCode: 1, outcome: "stopped" }, true],
  [{ exitCode: 1, outcome: "stopped", starved: true }, false],
  [{ exitCode: 1, outcome: "conflict" }, false],
  [{ exitCode: 2, outcome: "usage" }, false],
  [{ exitCode: 3, outcome: "no_model" }, false],
  [{ exitCode: 4, outcome: "no_pack" }, true],
  [{ exitCode: 5, outcome: "environment" }, false],
  [{ exitCode: 130, outcome: "interrupted" }, false],
] as const)("a task that ended with %o is over: %s", (end, settled) => {
  expect(isSettled(result(end))).toBe(settled);
});

test("a run that was stopped can be gone on with, one that was refused or is over cannot", () => {
  expect(resumableRun(begunResult(task, "run-1", new Date(0)))).toBe("run-1");
  expect(resumableRun(result({ runId: null }))).toBeUndefined();
  expect(resumableRun(result({ runId: "run-1", exitCode: 1 }))).toBeUndefined();
  expect(resumableRun(undefined)).toBeUndefined();
});
