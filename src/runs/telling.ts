import type { RecordedEvent } from "../contracts/index.ts";

type CallStarted = Extract<RecordedEvent, { type: "call_started" }>;
type CallFinished = Extract<RecordedEvent, { type: "call_finished" }>;

/** A call that was really made, and what came of it: nothing where kit died meanwhile. */
export interface PaidCall {
  /** Absent where the log does not hold its beginning. */
  readonly started?: CallStarted;
  readonly finished?: CallFinished;
}

/**
 * The log of a run in the parts that its processes wrote. Each but the first opens with
 * `run_resumed` and tells the run from its beginning, with what the record holds in place of
 * what was done before.
 */
export function tellingsOf(
  events: readonly RecordedEvent[],
): readonly (readonly RecordedEvent[])[] {
  const tellings: RecordedEvent[][] = [[]];
  for (const event of events) {
    if (event.type === "run_resumed") tellings.push([]);
    tellings.at(-1)?.push(event);
  }
  return tellings;
}

/** The run as it was told last: its start, and all that follows the last `run_resumed`. */
export function lastTelling(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const at = events.findLastIndex(({ type }) => type === "run_resumed");
  if (at === -1) return events;
  return [...events.filter(({ type }) => type === "run_started"), ...events.slice(at)];
}

/**
 * Every call that was made, once, whoever tells of it: what a resumed run takes from the record
 * was paid before, and a call that was under way when kit died may have been paid as well.
 */
export function paidCalls(events: readonly RecordedEvent[]): readonly PaidCall[] {
  return tellingsOf(events).flatMap((telling) => {
    const finished = new Map(
      telling.flatMap((event) => (event.type === "call_finished" ? [[event.call, event]] : [])),
    );
    const calls: PaidCall[] = [];
    for (const event of telling) {
      if (event.type !== "call_started") continue;
      const end = finished.get(event.call);
      finished.delete(event.call);
      if (!event.replayed) calls.push({ started: event, ...(end && { finished: end }) });
    }
    const others = [...finished.values()].filter(({ replayed }) => !replayed);
    return [...calls, ...others.map((end) => ({ finished: end }))];
  });
}
