import { expect, test } from "vitest";
import { timeLine } from "../../src/report/time-line.ts";
import { escalatedRun, recorded } from "../runs/support.ts";

test("attempts and calls stand under their steps, with where they ended", () => {
  const rows = timeLine(recorded(escalatedRun)).map(({ label, level, fromMs, toMs, ending }) =>
    [label, level, fromMs, toMs, ending].join(" "),
  );

  expect(rows).toEqual([
    "Coder 0 1000 11000 open",
    "coder 1 1 2000 5000 bad",
    "call 1 2 3000 4000 neutral",
    "coder 2 1 6000 10000 good",
    "call 2 2 7000 8000 neutral",
  ]);
});

test("what was under way when a run was cut off is open until its end", () => {
  const rows = timeLine(recorded(escalatedRun.slice(0, 4)));

  expect(rows.map(({ label, ending, toMs }) => [label, ending, toMs])).toEqual([
    ["Coder", "open", 3000],
    ["coder 1", "open", 3000],
    ["call 1", "open", 3000],
  ]);
});

test("without events there is no time line", () => {
  expect(timeLine([])).toEqual([]);
});
