import { expect, test } from "vitest";
import { timeLine } from "../../src/report/time-line.ts";
import { escalatedRun, recorded } from "../runs/support.ts";

test("attempts and calls stand under their steps, with where they ended", () => {
  const rows = timeLine(recorded(escalatedRun)).map(({ label, level, fromMs, toMs, ending }) =>
    [label, level, fromMs, toMs, ending].join(" "),
  );

  expect(rows).toEqual([
    "Coder 0 0 10000 open",
    "coder 1 1 1000 4000 bad",
    "call 1 2 2000 3000 neutral",
    "coder 2 1 5000 9000 good",
    "call 2 2 6000 7000 neutral",
  ]);
});

test("what was under way when a run was cut off is open until its end", () => {
  const rows = timeLine(recorded(escalatedRun.slice(0, 4)));

  expect(rows.map(({ label, ending, toMs }) => [label, ending, toMs])).toEqual([
    ["Coder", "open", 2000],
    ["coder 1", "open", 2000],
    ["call 1", "open", 2000],
  ]);
});

test("without events there is no time line", () => {
  expect(timeLine([])).toEqual([]);
});
