import { expect, test } from "vitest";
import { kitOwnTime, receiptOf, receiptSchema, totalsOf } from "../../src/runs/index.ts";
import type { Event, RecordedEvent } from "../../src/contracts/index.ts";
import { candidate, escalatedRun, recorded } from "./support.ts";

test("an escalated run adds up to its receipt", () => {
  const receipt = receiptOf(recorded(escalatedRun), "/repo/.kit/runs/20261130-191430-8xi0");

  expect(receipt).toEqual({
    schemaVersion: 1,
    runId: "20261130-191430-8xi0",
    runDir: "/repo/.kit/runs/20261130-191430-8xi0",
    outcome: "success",
    exitCode: 0,
    escalated: true,
    changedFiles: ["add.js"],
    attempts: [
      {
        step: "coder",
        attempt: 1,
        agent: "coder",
        capability: "strong-code",
        candidate,
        ok: false,
        failure: { kind: "tests_failed", message: "1 test failed", digest: "add: 3 !== 5" },
        move: "next_or_repair",
        calls: 1,
        durationMs: 4000,
        usage: { input: 900, output: 100 },
        costUsd: 0.1,
        costUnknown: 0,
        prompts: ["p1"],
        replies: ["r1"],
      },
      {
        step: "coder",
        attempt: 2,
        agent: "coder",
        capability: "strong-code",
        candidate: { ...candidate, backend: "strong", model: "large" },
        ok: true,
        calls: 1,
        durationMs: 4000,
        costUnknown: 1,
        prompts: ["p2"],
        replies: ["r2"],
      },
    ],
    skipped: [],
    testCommands: [],
    gate: {
      baseline: null,
      change: {
        attempt: 2,
        kind: "fixed",
        accepted: true,
        summary: "the red test is green",
        commands: [{ command: "npm test", ended: "exit 0", durationMs: 300 }],
      },
      evidence: "fixed",
    },
    review: null,
    landed: null,
    totals: {
      calls: 2,
      usage: { input: 900, output: 100 },
      usageUnknown: 1,
      costUsd: 0.1,
      costUnknown: 1,
      durationMs: 11_000,
      kitOwnMs: 11_000,
    },
    notes: [],
    task: "Mend add",
    root: "/repo",
    kitVersion: "0.1.0",
    startedAt: "2026-11-30T19:14:30.000Z",
    finishedAt: "2026-11-30T19:14:41.000Z",
    settings: { maxCalls: 12 },
  });
  expect(receiptSchema.safeParse(receipt).error).toBeUndefined();
});

test("a prefix of any length has a valid receipt, interrupted until the last event", () => {
  const events = recorded(escalatedRun);

  const receipts = events.map((_, length) => receiptOf(events.slice(0, length), "/runs/x"));

  for (const receipt of receipts) {
    expect(receiptSchema.safeParse(receipt).error).toBeUndefined();
    expect(receipt.outcome).toBe("interrupted");
  }
});

function call(facts: Pick<RecordedEvent & { type: "call_finished" }, "usage" | "costUsd">): Event {
  const base = { step: "coder", attempt: 1, call: 1, ok: true, durationMs: 1 } as const;
  return { type: "call_finished", ...base, ...facts };
}

test("unknown usage and cost are absent, not zero", () => {
  expect(totalsOf(recorded([call({})]))).toEqual({ calls: 1, usageUnknown: 1, costUnknown: 1 });
  expect(totalsOf(recorded([call({ costUsd: 0, usage: { input: 0 } })]))).toEqual({
    calls: 1,
    usage: { input: 0 },
    usageUnknown: 0,
    costUsd: 0,
    costUnknown: 0,
  });
});

test("costs add up without the noise of floating point", () => {
  const calls = [call({ costUsd: 0.1 }), call({ costUsd: 0.2 }), call({})];

  expect(totalsOf(recorded(calls))).toMatchObject({ costUsd: 0.3, costUnknown: 1 });
});

/** Events at given milliseconds: a note, or the start or end of a child. */
function timeline(...moments: readonly (readonly [ms: number, event: Event])[]): RecordedEvent[] {
  return moments.map(([ms, event], index) => {
    return { v: 1, seq: index + 1, at: new Date(1_796_000_000_000 + ms).toISOString(), ...event };
  });
}
const mark: Event = { type: "note", level: "info", message: "x" };
const started = (process: string): Event => ({ type: "process_started", process, label: "pi" });
const finished = (process: string, durationMs: number): Event => {
  return { type: "process_finished", process, label: "pi", durationMs };
};

test.each<[string, RecordedEvent[], number]>([
  ["no events", [], 0],
  ["no children", timeline([0, mark], [100, mark]), 100],
  ["one child", timeline([0, mark], [10, started("1")], [60, finished("1", 50)], [100, mark]), 50],
  [
    "overlapping children count once",
    timeline(
      [0, mark],
      [10, started("1")],
      [20, started("2")],
      [60, finished("1", 50)],
      [80, finished("2", 60)],
      [100, mark],
    ),
    30,
  ],
  [
    "a child inside another",
    timeline(
      [0, mark],
      [10, started("1")],
      [20, started("2")],
      [30, finished("2", 10)],
      [90, finished("1", 80)],
      [100, mark],
    ),
    20,
  ],
  ["a child that never ended", timeline([0, mark], [40, started("1")], [100, mark]), 40],
  ["a child from before the run", timeline([0, mark], [30, finished("1", 500)], [100, mark]), 70],
])("kit's own time leaves out its children: %s", (_title, events, ownMs) => {
  expect(kitOwnTime(events)).toBe(ownMs);
});
