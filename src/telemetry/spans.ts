import type { CandidateName, RecordedEvent } from "../contracts/index.ts";

type Value = string | number | boolean;

/** One span of a run; times in epoch milliseconds. */
export interface RunSpan {
  readonly name: string;
  /** A call to a model goes to another system. */
  readonly kind: "internal" | "client";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, Value>>;
  /** Why it did not succeed. */
  readonly error?: string;
  readonly children: readonly RunSpan[];
}

type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;

/** A span that is still open. */
interface Open {
  name: string;
  readonly kind: RunSpan["kind"];
  readonly startMs: number;
  readonly attributes: Record<string, Value>;
  readonly children: RunSpan[];
  error?: string;
}

/**
 * The spans of a run: one for the run, one a step, one a call, named and described by
 * OpenTelemetry's conventions for generative AI (semantic-conventions 1.37, `gen_ai.*`); what is
 * kit's own starts with `kit.`. Prompts, replies and the task's words are not in them.
 * Gates and reviews lie in the coder's step, calls in their step. What never ended ends with the
 * last event, as an error.
 */
export function spansOf(events: readonly RecordedEvent[]): RunSpan | undefined {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const run = opened("kit run", "internal", first);
  const steps: { readonly step: string; readonly span: Open }[] = [];
  const calls = new Map<number, Open>();
  const candidates = new Map<string, EventOf<"attempt_started">>();
  const innermost = (step?: string): Open =>
    steps.findLast((each) => step === undefined || each.step === step)?.span ?? run;

  for (const event of events) {
    switch (event.type) {
      case "run_started":
        run.attributes["kit.run.id"] = event.runId;
        run.attributes["kit.version"] = event.kitVersion;
        break;
      case "step_started":
        steps.push({ step: event.step, span: opened(event.step, "internal", event) });
        break;
      case "step_finished": {
        const index = steps.findLastIndex(({ step }) => step === event.step);
        const [ended] = index === -1 ? [] : steps.splice(index, 1);
        if (ended === undefined) break;
        parentOf(event.step, steps, run).children.push(closed(ended.span, event));
        break;
      }
      case "attempt_started":
        candidates.set(`${event.step} ${event.attempt}`, event);
        describeAgent(innermost(event.step), event);
        break;
      case "call_started": {
        const asked = candidates.get(`${event.step} ${event.attempt}`);
        calls.set(event.call, openedCall(event, asked?.candidate));
        break;
      }
      case "call_finished": {
        const call = calls.get(event.call);
        calls.delete(event.call);
        if (call === undefined) break;
        describeResult(call, event);
        innermost(event.step).children.push(closed(call, event));
        break;
      }
      case "verdict":
        innermost("gate").attributes["kit.verdict"] = event.kind;
        break;
      case "run_finished":
        run.attributes["kit.outcome"] = event.outcome;
        run.attributes["kit.exit_code"] = event.exitCode;
        if (event.error !== undefined) fail(run, event.error.kind);
        break;
      default:
        break;
    }
  }
  for (const call of calls.values()) {
    fail(call, "interrupted");
    innermost().children.push(closed(call, last));
  }
  while (steps.length > 0) {
    const left = steps.pop();
    if (left === undefined) break;
    fail(left.span, "interrupted");
    parentOf(left.step, steps, run).children.push(closed(left.span, last));
  }
  return closed(run, last);
}

/** Steps that happen inside the coder's; the others follow each other, or run side by side. */
const nested = new Set(["gate", "review"]);

function parentOf(
  step: string,
  steps: readonly { readonly step: string; readonly span: Open }[],
  run: Open,
): Open {
  if (!nested.has(step)) return run;
  return steps.findLast((each) => each.step === "coder")?.span ?? run;
}

function opened(name: string, kind: RunSpan["kind"], { at }: RecordedEvent): Open {
  return { name, kind, startMs: Date.parse(at), attributes: {}, children: [] };
}

function closed(span: Open, { at }: RecordedEvent): RunSpan {
  return { ...span, endMs: Math.max(Date.parse(at), span.startMs) };
}

function fail(span: Open, kind: string): void {
  span.error = kind;
  span.attributes["error.type"] = kind;
}

/** A step that asks models is an agent's. */
function describeAgent(span: Open, { agent, step, capability }: EventOf<"attempt_started">): void {
  if (span.name !== step) return;
  span.name = `invoke_agent ${agent}`;
  span.attributes["gen_ai.operation.name"] = "invoke_agent";
  span.attributes["gen_ai.agent.name"] = agent;
  span.attributes["kit.step"] = step;
  span.attributes["kit.capability"] = capability;
}

function openedCall(event: EventOf<"call_started">, candidate: CandidateName | undefined): Open {
  const span = opened(`chat ${candidate?.model ?? ""}`.trim(), "client", event);
  span.attributes["gen_ai.operation.name"] = "chat";
  span.attributes["kit.step"] = event.step;
  span.attributes["kit.attempt"] = event.attempt;
  if (candidate !== undefined) {
    span.attributes["gen_ai.provider.name"] = candidate.provider;
    span.attributes["gen_ai.request.model"] = candidate.model;
    span.attributes["kit.backend"] = candidate.backend;
  }
  return span;
}

function describeResult(span: Open, { usage, costUsd, failure }: EventOf<"call_finished">): void {
  const figures: readonly (readonly [string, number | undefined])[] = [
    ["gen_ai.usage.input_tokens", usage?.input],
    ["gen_ai.usage.output_tokens", usage?.output],
    ["gen_ai.usage.cache_read.input_tokens", usage?.cacheRead],
    ["gen_ai.usage.cache_creation.input_tokens", usage?.cacheWrite],
    ["kit.cost_usd", costUsd],
  ];
  for (const [name, value] of figures) if (value !== undefined) span.attributes[name] = value;
  if (failure !== undefined) fail(span, failure.kind);
}
