import type { RecordedEvent } from "../contracts/index.ts";
import { attemptName } from "./reported-run.ts";

/** How a stretch of time ended; `open`: the log does not say. */
export type Ending = "good" | "bad" | "neutral" | "open";

/** One stretch of a run. Times count in milliseconds from its start. */
export interface Stretch {
  readonly label: string;
  readonly detail?: string;
  /** 0: a step, 1: an attempt, 2: what happens in it. */
  readonly level: 0 | 1 | 2;
  readonly fromMs: number;
  readonly toMs: number;
  readonly ending: Ending;
}

type Open = { -readonly [K in keyof Stretch]: Stretch[K] };

const stepNames: Readonly<Record<string, string>> = {
  survey: "Survey",
  baseline: "Tests before the change",
  scout: "Scout",
  coder: "Coder",
  gate: "Tests with the change",
  review: "Review",
};

/** The steps, attempts, calls and waits of a run in the order they began. */
export function timeLine(events: readonly RecordedEvent[]): readonly Stretch[] {
  // Of a resumed run the first event may be from days before.
  const first = events.find(({ type }) => type !== "run_started") ?? events[0];
  const start = first ? Date.parse(first.at) : 0;
  const end = Math.max(0, ...events.map(({ at }) => Date.parse(at) - start));
  const stretches: Open[] = [];
  const open = new Map<string, Open>();

  function begin(key: string, stretch: Pick<Open, "label" | "level" | "detail">, at: number): void {
    const begun: Open = { ...stretch, fromMs: at, toMs: end, ending: "open" };
    stretches.push(begun);
    open.set(key, begun);
  }
  function finish(key: string, at: number, ending?: Ending): void {
    const begun = open.get(key);
    if (begun === undefined) return;
    begun.toMs = at;
    begun.ending = ending ?? (begun.ending === "open" ? "neutral" : begun.ending);
    open.delete(key);
  }
  function judge(key: string, isGood: boolean): void {
    const begun = open.get(key);
    if (begun) begun.ending = isGood ? "good" : "bad";
  }

  for (const event of events) {
    const at = Date.parse(event.at) - start;
    if (event.type === "step_started") {
      const label = stepNames[event.step] ?? event.step;
      begin(event.step, { label, level: event.step === "gate" ? 2 : 0 }, at);
    } else if (event.type === "step_finished") finish(event.step, at);
    else if (event.type === "baseline") judge("baseline", event.green);
    else if (event.type === "verdict") judge("gate", event.accepted);
    else if (event.type === "attempt_started") {
      const name = attemptName(event);
      begin(name, { label: name, detail: event.candidate.backend, level: 1 }, at);
    } else if (event.type === "attempt_finished") {
      finish(attemptName(event), at, event.ok ? "good" : "bad");
    } else if (event.type === "call_started") {
      begin(`call ${event.call}`, { label: `call ${event.call}`, level: 2 }, at);
    } else if (event.type === "call_finished") {
      finish(`call ${event.call}`, at, event.ok ? "neutral" : "bad");
    } else if (event.type === "waiting") {
      const waited = { label: "wait", detail: event.reason, level: 2 as const };
      begin("wait", waited, at);
      finish("wait", Math.min(end, at + event.ms), "neutral");
    }
  }
  // A log that was cut off: what was under way then stays open until its end.
  for (const begun of open.values()) begun.toMs = end;
  return stretches;
}
