import { describe, expect, it } from "vitest";
import type { Event } from "../../src/contracts/index.ts";
import { type RunSpan, spansOf } from "../../src/telemetry/spans.ts";
import { recorded } from "../runs/support.ts";

const candidate = { backend: "strong", adapter: "pi", provider: "acme", model: "large" };
const verdict = {
  kind: "fixed",
  accepted: true,
  evidence: "fixed",
  summary: "",
  commands: [],
  output: "o",
} as const;

const events: readonly Event[] = [
  {
    type: "run_started",
    runId: "r1",
    task: "a secret task",
    root: "/repo",
    kitVersion: "0.1.0",
    settings: {},
  },
  { type: "step_started", step: "baseline" },
  { type: "step_started", step: "survey" },
  { type: "step_finished", step: "survey", durationMs: 1 },
  { type: "step_finished", step: "baseline", durationMs: 1 },
  { type: "step_started", step: "coder" },
  {
    type: "attempt_started",
    step: "coder",
    attempt: 1,
    agent: "coder",
    capability: "strong-code",
    candidate,
  },
  { type: "call_started", step: "coder", attempt: 1, call: 1, prompt: "p", promptTokens: 9 },
  {
    type: "call_finished",
    step: "coder",
    attempt: 1,
    call: 1,
    ok: true,
    reply: "r",
    usage: { input: 10, output: 2 },
    costUsd: 0.5,
    durationMs: 5,
  },
  { type: "step_started", step: "gate" },
  { type: "verdict", attempt: 1, ...verdict },
  { type: "step_finished", step: "gate", durationMs: 1 },
  { type: "step_finished", step: "coder", durationMs: 9 },
  { type: "run_finished", outcome: "success", exitCode: 0, changedFiles: [] },
];

function spanOf(given: readonly Event[]): RunSpan {
  const span = spansOf(recorded(given));
  if (span === undefined) throw new Error("no span");
  return span;
}

/** Names, indented by depth. */
function outline(span: RunSpan, depth = 0): string[] {
  return [
    `${"  ".repeat(depth)}${span.name}`,
    ...span.children.flatMap((child) => outline(child, depth + 1)),
  ];
}

describe("the spans of a run", () => {
  it("are one for the run, one a step and one a call, the gate inside the coder's step", () => {
    expect(outline(spanOf(events))).toEqual([
      "kit run",
      "  survey",
      "  baseline",
      "  invoke_agent coder",
      "    chat large",
      "    gate",
    ]);
  });

  it("carry the conventions' attributes, and no text of task, prompt or reply", () => {
    const run = spanOf(events);
    const call = run.children[2]?.children[0];
    expect(call).toMatchObject({
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "acme",
        "gen_ai.request.model": "large",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
        "kit.cost_usd": 0.5,
      },
    });
    expect(run.attributes).toMatchObject({ "kit.run.id": "r1", "kit.outcome": "success" });
    expect(JSON.stringify(run)).not.toContain("secret task");
  });

  it("last from their first event to their last, and lie within each other", () => {
    const check = (span: RunSpan): void => {
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
      for (const child of span.children) {
        expect(child.startMs).toBeGreaterThanOrEqual(span.startMs);
        expect(child.endMs).toBeLessThanOrEqual(span.endMs);
        check(child);
      }
    };
    check(spanOf(events));
  });

  it("that never ended are errors, ended with the last event", () => {
    const run = spanOf(events.slice(0, 8));
    expect(outline(run)).toEqual([
      "kit run",
      "  survey",
      "  baseline",
      "  invoke_agent coder",
      "    chat large",
    ]);
    expect(run.children[2]).toMatchObject({ error: "interrupted" });
  });

  it("say which failure a call or the run ended with", () => {
    const run = spanOf([
      ...events.slice(0, 8),
      {
        type: "call_finished",
        step: "coder",
        attempt: 1,
        call: 1,
        ok: false,
        failure: { kind: "auth", message: "signed out" },
        durationMs: 1,
      },
      { type: "step_finished", step: "coder", durationMs: 9 },
      {
        type: "run_finished",
        outcome: "exhausted",
        exitCode: 3,
        changedFiles: [],
        error: { kind: "auth", message: "signed out" },
      },
    ]);
    expect(run.children[2]?.children[0]).toMatchObject({ error: "auth" });
    expect(run).toMatchObject({ error: "auth", attributes: { "kit.exit_code": 3 } });
  });

  it("are none where there are no events", () => {
    expect(spansOf([])).toBeUndefined();
  });
});
