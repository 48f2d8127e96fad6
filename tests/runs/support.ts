import { join } from "node:path";
import type { Event, RecordedEvent } from "../../src/contracts/index.ts";
import { createRun, createRunId, type RunRecord } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";

/** A clock that starts at a fixed moment and moves on by one second with every reading. */
export function tickingClock(start = "2026-11-30T19:14:30.000Z"): () => Date {
  let now = Date.parse(start) - 1000;
  return () => new Date((now += 1000));
}

/** The record of a new run in a folder of its own. */
export async function newRun(folder = join(temporaryFolder(), ".kit", "runs")): Promise<RunRecord> {
  const id = createRunId(new Date("2026-11-30T19:14:30.250Z"), () => 0.5);
  return createRun({ folder, id, clock: tickingClock() });
}

export const candidate = {
  backend: "cheap",
  adapter: "pi",
  provider: "acme",
  model: "small",
} as const;

/** The events of a run in which the first coder fails its tests and the second is green. */
export const escalatedRun: readonly Event[] = [
  {
    type: "run_started",
    runId: "20261130-191430-8xi0",
    task: "Mend add",
    root: "/repo",
    kitVersion: "0.1.0",
    settings: { maxCalls: 12 },
  },
  { type: "step_started", step: "coder" },
  {
    type: "attempt_started",
    step: "coder",
    attempt: 1,
    agent: "coder",
    capability: "strong-code",
    candidate,
  },
  { type: "call_started", step: "coder", attempt: 1, call: 1, prompt: "p1", promptTokens: 900 },
  {
    type: "call_finished",
    step: "coder",
    attempt: 1,
    call: 1,
    ok: true,
    reply: "r1",
    usage: { input: 900, output: 100 },
    costUsd: 0.1,
    durationMs: 2000,
  },
  {
    type: "attempt_finished",
    step: "coder",
    attempt: 1,
    ok: false,
    failure: { kind: "tests_failed", message: "1 test failed", digest: "add: 3 !== 5" },
    move: "next_or_repair",
    durationMs: 4000,
  },
  {
    type: "attempt_started",
    step: "coder",
    attempt: 2,
    agent: "coder",
    capability: "strong-code",
    candidate: { ...candidate, backend: "strong", model: "large" },
  },
  { type: "call_started", step: "coder", attempt: 2, call: 2, prompt: "p2", promptTokens: 950 },
  {
    type: "call_finished",
    step: "coder",
    attempt: 2,
    call: 2,
    ok: true,
    reply: "r2",
    durationMs: 3000,
  },
  {
    type: "verdict",
    attempt: 2,
    kind: "fixed",
    accepted: true,
    evidence: "fixed",
    summary: "the red test is green",
    commands: [{ command: "npm test", ended: "exit 0", durationMs: 300 }],
    output: "o2",
  },
  { type: "attempt_finished", step: "coder", attempt: 2, ok: true, durationMs: 4000 },
  { type: "run_finished", outcome: "success", exitCode: 0, changedFiles: ["add.js"] },
];

/** Events as a log holds them, one second apart. */
export function recorded(events: readonly Event[]): RecordedEvent[] {
  const clock = tickingClock();
  return events.map((event, index) => {
    return { v: 1, seq: index + 1, at: clock().toISOString(), ...event };
  });
}
