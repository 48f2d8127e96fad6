import { describe, expect, test } from "vitest";
import { durationMs } from "../../src/config/durations.ts";

describe("a duration", () => {
  test.for([
    ["60s", 60_000],
    ["60 s", 60_000],
    ["60", 60_000],
    [60, 60_000],
    [0.5, 500],
    ["20m", 1_200_000],
    ["30 min", 1_800_000],
    ["1 minute", 60_000],
    ["2 Minutes", 120_000],
    ["1.5h", 5_400_000],
    ["2 hours", 7_200_000],
    ["250ms", 250],
    ["45 sec", 45_000],
    ["3 seconds", 3_000],
  ] as const)("%j is %d ms", ([text, ms]) => {
    expect(durationMs(text)).toBe(ms);
  });

  test.for(["", "soon", "s", "-5s", "5 years", "1h30m", "5 s later", "1e3s", "٣s"])(
    "%j is none",
    (text) => {
      expect(durationMs(text)).toBeUndefined();
    },
  );
});
