import { expect, test } from "vitest";
import type { TestCase } from "../../../src/contracts/index.ts";
import { verdictTable } from "../../../src/gate/index.ts";
import { gate, line, result } from "../support.ts";

const cases = (statuses: Readonly<Record<string, TestCase["status"]>>): TestCase[] =>
  Object.entries(statuses).map(([id, status]) => {
    return { id, status, ...(status === "failed" && { message: `${id} failed` }) };
  });

test("failing tests stand first, then what the change did, then the rest", () => {
  const before = cases({
    same: "passed",
    mended: "failed",
    still: "failed",
    broken: "passed",
    gone: "passed",
  });
  const after = cases({
    same: "passed",
    mended: "passed",
    still: "failed",
    broken: "failed",
    fresh: "passed",
  });

  const table = verdictTable(gate(result({ tests: before })), gate(result({ tests: after })));

  expect(table).toEqual({
    tests: [
      { id: "broken", before: "passed", after: "failed", message: "broken failed" },
      { id: "still", before: "failed", after: "failed", message: "still failed" },
      { id: "mended", before: "failed", after: "passed", message: "mended failed" },
      { id: "gone", before: "passed" },
      { id: "fresh", after: "passed" },
      { id: "same", before: "passed", after: "passed" },
    ],
    leftOut: 0,
    passed: 3,
    failed: 2,
    skipped: 0,
    tally: {
      passed: 3,
      failed: 2,
      skipped: 0,
      moves: { regressed: 1, still_red: 1, gone: 1, fixed: 1 },
      named: [
        { id: "broken", move: "regressed" },
        { id: "still", move: "still_red" },
        { id: "gone", move: "gone" },
        { id: "mended", move: "fixed" },
      ],
    },
  });
});

test("what a narrower command did not collect is not gone", () => {
  const before = gate(result({ tests: cases({ one: "failed", two: "passed" }) }));
  const narrow = result({ command: line("npm test one"), tests: cases({ one: "passed" }) });

  expect(verdictTable(before, gate(narrow))?.tests).toMatchObject([
    { id: "one", before: "failed", after: "passed" },
  ]);
});

test("a table is bounded, and counts what it leaves out", () => {
  const many = Array.from({ length: 1200 }, (_, index) => [`t${index}`, "passed" as const]);
  const after = cases({ ...Object.fromEntries(many), last: "failed" });

  const table = verdictTable(undefined, gate(result({ tests: after })));

  expect(table?.tests[0]?.id).toBe("last");
  expect(table).toMatchObject({ leftOut: 701, passed: 1200, failed: 1 });
});

test("a tally counts every test that moved, and names the worst fifty in short", () => {
  const ids = Array.from({ length: 60 }, (_, index) => `${index} ${"long ".repeat(100)}`);
  const before = cases({ ...Object.fromEntries(ids.map((id) => [id, "failed"])), quiet: "passed" });
  const after = cases({
    ...Object.fromEntries(ids.map((id) => [id, "passed"])),
    quiet: "skipped",
    fresh: "skipped",
  });

  const tally = verdictTable(
    gate(result({ tests: before })),
    gate(result({ tests: after })),
  )?.tally;

  expect(tally).toMatchObject({
    passed: 60,
    failed: 0,
    skipped: 2,
    moves: { skipped: 1, fixed: 60 },
  });
  expect(tally?.named[0]).toEqual({ id: "quiet", move: "skipped" });
  expect(tally?.named).toHaveLength(50);
  expect(tally?.named.every(({ id }) => id.length <= 200)).toBe(true);
});

test("without a command that tells its tests there is no table", () => {
  expect(verdictTable(undefined, gate(result()))).toBeUndefined();
});
