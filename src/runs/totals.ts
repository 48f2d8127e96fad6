import type { RecordedEvent, Usage } from "../contracts/index.ts";
import { type PaidCall, tellingsOf } from "./telling.ts";

/** What the calls of a run came to. An absent figure is unknown, never zero. */
export interface Totals {
  readonly calls: number;
  /** Sum over the calls whose usage is known. */
  readonly usage?: Usage;
  /** Calls that said no usage; those that kit did not see the end of are among them. */
  readonly usageUnknown: number;
  /** Sum over the calls whose cost is known. */
  readonly costUsd?: number;
  /** Calls whose cost is unknown; above zero, `costUsd` is a lower bound. */
  readonly costUnknown: number;
}

type CallFinished = Extract<RecordedEvent, { type: "call_finished" }>;

const usageKeys = ["input", "output", "cacheRead", "cacheWrite", "total"] as const;

/** Adds up the finished calls among `events`, also those whose answer came from the record. */
export function totalsOf(events: readonly RecordedEvent[]): Totals {
  const calls = events.filter((event): event is CallFinished => event.type === "call_finished");
  return totalsOfCalls(calls.map((finished) => ({ finished })));
}

/** Adds up what was paid: `paidCalls` of a whole log. */
export function totalsOfCalls(calls: readonly PaidCall[]): Totals {
  const ends = calls.flatMap(({ finished }) => finished ?? []);
  const usages = ends.flatMap(({ usage }) => (usage ? [usage] : []));
  const costs = ends.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  return {
    calls: calls.length,
    ...(usages.length > 0 && { usage: addUsages(usages) }),
    usageUnknown: calls.length - usages.length,
    ...(costs.length > 0 && { costUsd: addCosts(costs) }),
    costUnknown: calls.length - costs.length,
  };
}

function addUsages(usages: readonly Usage[]): Usage {
  const entries = usageKeys.flatMap((key) => {
    const known = usages.flatMap((usage) => (usage[key] === undefined ? [] : [usage[key]]));
    return known.length === 0 ? [] : [[key, known.reduce((sum, part) => sum + part, 0)] as const];
  });
  return Object.fromEntries(entries);
}

/** Rounded to a billionth of a dollar: floating point must not print `0.30000000000000004`. */
function addCosts(costs: readonly number[]): number {
  return Number(costs.reduce((sum, cost) => sum + cost, 0).toFixed(9));
}

/** Milliseconds in which a kit worked on the run; the time between two processes is not counted. */
export function workedTime(events: readonly RecordedEvent[]): number {
  return sum(tellingsOf(events).map(wallTime));
}

/**
 * Milliseconds that a run spent in kit itself: the time it was worked on minus the time in which at
 * least one child process was alive. Children that never ended count until the last event.
 */
export function kitOwnTime(events: readonly RecordedEvent[]): number {
  return sum(tellingsOf(events).map(ownTimeOf));
}

function wallTime(events: readonly RecordedEvent[]): number {
  const [first, last] = [events[0], events.at(-1)];
  return first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}

function ownTimeOf(events: readonly RecordedEvent[]): number {
  const first = events[0];
  const last = events.at(-1);
  if (!first || !last) return 0;
  const start = Date.parse(first.at);
  const end = Date.parse(last.at);
  const intervals = childIntervals(events, end)
    .map(([from, to]): [number, number] => [Math.max(from, start), Math.min(to, end)])
    .filter(([from, to]) => to > from)
    .toSorted(([a], [b]) => a - b);
  let covered = 0;
  let reached = start;
  for (const [from, to] of intervals) {
    covered += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return Math.round(end - start - covered);
}

function childIntervals(events: readonly RecordedEvent[], end: number): [number, number][] {
  const open = new Map<string, number>();
  const intervals: [number, number][] = [];
  for (const event of events) {
    if (event.type === "process_started") open.set(event.process, Date.parse(event.at));
    if (event.type === "process_finished") {
      const to = Date.parse(event.at);
      open.delete(event.process);
      intervals.push([to - event.durationMs, to]);
    }
  }
  return [...intervals, ...[...open.values()].map((from): [number, number] => [from, end])];
}
