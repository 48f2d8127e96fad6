import { expect, test } from "vitest";
import { createRunId, isRunId } from "../../src/runs/run-id.ts";

test("a run id names its second in UTC and is recognised", () => {
  const id = createRunId(new Date("2026-11-30T19:14:30.250Z"), () => 0.5);

  expect(id).toBe("20261130-191430-90i0");
  expect(isRunId(id)).toBe(true);
});

test("run ids sort by time, also within one second", () => {
  const moments = [0, 1, 9, 10, 250, 500, 999, 1000, 61_000];

  const ids = moments.map((ms) => createRunId(new Date(1_796_000_000_000 + ms), Math.random));

  expect(ids.toSorted()).toEqual(ids);
});

test.each(["", "attempts", "20261130-191430", "20261130-191430-K3F9", "x20261130-191430-k3f9"])(
  "%j is not a run id",
  (name) => {
    expect(isRunId(name)).toBe(false);
  },
);
