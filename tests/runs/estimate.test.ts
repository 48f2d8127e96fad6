import { expect, test } from "vitest";
import type { Event, Usage } from "../../src/contracts/index.ts";
import { receiptOf } from "../../src/runs/index.ts";
import { recorded } from "./support.ts";

const events = (
  call: number,
  promptTokens: number,
  usage?: Usage,
  estimator = "kit-2",
): Event[] => [
  { type: "call_started", step: "coder", attempt: 1, call, prompt: "p", promptTokens, estimator },
  {
    type: "call_finished",
    step: "coder",
    attempt: 1,
    call,
    ok: true,
    durationMs: 1,
    ...(usage && { usage }),
  },
];

test("the receipt says how good the estimate of prompts was, and by which estimator", () => {
  const log = recorded([
    ...events(1, 900, { input: 600, cacheRead: 300, cacheWrite: 100 }),
    ...events(2, 100, { input: 120 }),
    ...events(3, 5_000),
    ...events(4, 5_000, { output: 3 }),
  ]);

  expect(receiptOf(log, "/r").estimate).toEqual({
    estimator: "kit-2",
    estimatedTokens: 1_000,
    reportedTokens: 1_120,
    ratio: 0.893,
  });
});

test("where no provider reported a size, the receipt says nothing of it", () => {
  expect(receiptOf(recorded(events(1, 900)), "/r")).not.toHaveProperty("estimate");
  expect(receiptOf(recorded([]), "/r")).not.toHaveProperty("estimate");
});
