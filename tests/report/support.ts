import { createHash } from "node:crypto";
import type { Event } from "../../src/contracts/index.ts";
import type { RunToReport } from "../../src/report/index.ts";
import { receiptOf } from "../../src/runs/index.ts";
import { escalatedRun, recorded } from "../runs/support.ts";

/** What a hostile model or repository may say. */
export const attack = `</script><img src=x onerror="alert(1)">\u202e\0\u001b[31m`;

/** Every text of the events replaced, but those that the schema closes. */
export function attacked<T extends Event>(event: T): T {
  const closed = new Set([
    "type",
    "at",
    "step",
    "kind",
    "outcome",
    "evidence",
    "diff",
    "tests",
    "output",
    "prompt",
  ]);
  const change = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return closed.has(key) ? value : attack;
    if (Array.isArray(value)) return value.map((part) => change(part));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, change(part, name)]),
    );
  };
  return change(event) as T;
}

/** A run with one text under each of its objects. */
export interface MadeRun {
  readonly events?: readonly Event[];
  readonly objects?: Readonly<Record<string, string>>;
  readonly over?: Partial<RunToReport>;
}

/** A run to report, from events nobody recorded. */
export function runToReport({
  events = escalatedRun,
  objects = {},
  over = {},
}: MadeRun = {}): RunToReport {
  const log = recorded(events);
  return {
    receipt: receiptOf(log, "/repo/.kit/runs/20261130-191430-8xi0"),
    events: log,
    headline: "The tests are green",
    isRunning: false,
    unread: 0,
    objects: new Map(Object.entries(objects)),
    moveText: (move) => `on: ${move}`,
    ...over,
  };
}

/** The escalated run with a plan, so that its change is shown; `diff` is the object's hash. */
export function runWithDiff(diff: string, over: Partial<RunToReport> = {}): RunToReport {
  const hash = createHash("sha256").update(diff).digest("hex");
  const change = { kind: "edit", path: "add.js", added: 1, removed: 1 } as const;
  const plan: Event = {
    type: "plan_ready",
    attempt: 2,
    changes: [change],
    diff: hash,
    planHash: "p",
  };
  const at = escalatedRun.findIndex(({ type }) => type === "verdict");
  const events = [...escalatedRun.slice(0, at), plan, ...escalatedRun.slice(at)];
  return runToReport({ events, objects: { [hash]: diff }, over });
}
