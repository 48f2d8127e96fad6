import { expect, test } from "vitest";
import {
  alignColumns,
  createPaint,
  formatCost,
  formatDuration,
  formatUsage,
} from "../../../src/cli/views/format.ts";

test.each([
  [0, "0.0 s"],
  [49, "0.0 s"],
  [1250, "1.3 s"],
  [9949, "9.9 s"],
  [9950, "10 s"],
  [59_499, "59 s"],
  [59_999, "1 min"],
  [125_000, "2 min 5 s"],
])("%i ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [undefined, 0, "$0"],
  [undefined, 2, "cost unknown"],
  [0, 0, "$0"],
  [1.5, 0, "$1.50"],
  [0.0123, 0, "$0.0123"],
  [0.000012345, 0, "$0.000012"],
  [0.2, 1, "at least $0.2000 (1 call of unknown cost)"],
])("a cost of %s with %i unknown calls is %s", (costUsd, unknown, text) => {
  expect(formatCost(costUsd, unknown)).toBe(text);
});

test.each([
  [undefined, undefined],
  [{}, undefined],
  [{ total: 5 }, "5 tokens"],
  [{ input: 1200, output: 300 }, "1,200 → 300 tokens"],
  [{ output: 300 }, "? → 300 tokens"],
])("the usage %j reads %s", (usage, text) => {
  expect(formatUsage(usage)).toBe(text);
});

test("columns line up without blanks at the ends", () => {
  expect(
    alignColumns(
      [
        ["a", "long", ""],
        ["abc", "b"],
      ],
      "> ",
    ),
  ).toEqual(["> a    long", "> abc  b"]);
});

test("text is coloured only where colour is wanted", () => {
  expect(createPaint(false)("bad", "x")).toBe("x");
  expect(createPaint(true)("bad", "x")).toBe("\u001B[31mx\u001B[39m");
});
