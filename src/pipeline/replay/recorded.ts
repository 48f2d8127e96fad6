import type { Event, RecordedEvent } from "../../contracts/index.ts";
import { KitError } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import type { RunRead } from "../../runs/index.ts";
import type { RequestFacts } from "../request-facts.ts";

export type EventOf<T extends Event["type"]> = Extract<RecordedEvent, { type: T }>;

/** One answer of the world, with the time at which it was there. */
export interface Observed {
  readonly value: unknown;
  readonly at: string;
  readonly lost?: "secret" | "size";
}

/** A call of the run and what came of it; no end where kit died meanwhile. */
export interface RecordedCall {
  readonly started: EventOf<"call_started">;
  readonly finished: EventOf<"call_finished"> | undefined;
  /** Absent where there was no text. */
  readonly text?: string;
}

/** All that a replay takes from a record. */
export interface Recorded {
  readonly run: RunRead;
  /** The run as it was told last. */
  readonly events: readonly RecordedEvent[];
  readonly facts: RequestFacts;
  /** By key, in order. */
  readonly observed: ReadonlyMap<string, readonly Observed[]>;
  readonly calls: readonly RecordedCall[];
}

/** Why this run cannot be replayed. */
export function notReplayable(id: string, why: string): KitError {
  return new KitError("not_found", `The run ${id} cannot be replayed: ${why}.`, {
    next: `See what is there: kit show ${id}`,
  });
}

/** What a value that was not kept is lost for. */
export function lostBecause(key: string, lost: "secret" | "size"): string {
  return lost === "secret"
    ? `its record was not kept, as it held what looks like a secret (${key})`
    : `its record was not kept, as it was too large (${key})`;
}

/**
 * Reads what a replay needs.
 * @param inReplay gives a recorded text with the paths of the tree that the replay works in
 * @throws KitError `not_found` where the record does not hold it
 */
export async function readRecorded(
  run: RunRead,
  inReplay: (text: string, root: string) => string,
): Promise<Recorded> {
  const request = run.events.findLast(
    (event): event is EventOf<"observed"> => event.type === "observed" && event.key === "request",
  );
  if (request === undefined) {
    throw notReplayable(run.id, "it was recorded by a kit that did not keep what a replay needs");
  }
  if (request.lost !== undefined) throw notReplayable(run.id, lostBecause("request", request.lost));
  const original = JSON.parse(await textOf(request, run)) as RequestFacts;
  const { root } = original;
  const facts = JSON.parse(inReplay(JSON.stringify(original), root)) as RequestFacts;
  const events = lastTelling(run.events);
  return {
    run,
    events,
    facts: { ...facts, root },
    observed: await observedIn(run, (text) => inReplay(text, root)),
    calls: await callsIn(events, run, (text) => inReplay(text, root)),
  };
}

/** A resumed run tells itself from its beginning: the last telling is the whole one. */
function lastTelling(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const at = events.findLastIndex((event) => event.type === "observed" && event.key === "request");
  return events.slice(Math.max(at, 0));
}

async function observedIn(
  run: RunRead,
  inReplay: (text: string) => string,
): Promise<Map<string, Observed[]>> {
  const found = new Map<string, Observed[]>();
  const told = lastTelling(run.events)[0]?.seq ?? 0;
  const isNew = new Map<string, boolean>();
  for (const event of run.events) {
    if (event.type !== "observed") continue;
    const { key, at, lost } = event;
    // What the last telling took from an earlier one is in that one.
    if (event.seq >= told && isNew.get(key) !== true) {
      isNew.set(key, true);
      found.delete(key);
    }
    const value: unknown =
      lost === undefined ? JSON.parse(inReplay(await textOf(event, run))) : undefined;
    const list = found.get(key) ?? [];
    list.push({ value, at, ...(lost !== undefined && { lost }) });
    found.set(key, list);
  }
  return found;
}

async function textOf({ value, object }: EventOf<"observed">, run: RunRead): Promise<string> {
  if (object === undefined) return JSON.stringify(value ?? null);
  return (await run.object(object)).toString("utf8");
}

async function callsIn(
  events: readonly RecordedEvent[],
  run: RunRead,
  inReplay: (text: string) => string,
): Promise<RecordedCall[]> {
  const ends = new Map(
    events.flatMap((event) =>
      event.type === "call_finished" ? [[event.call, event] as const] : [],
    ),
  );
  const calls: RecordedCall[] = [];
  for (const started of events) {
    if (started.type !== "call_started") continue;
    const finished = ends.get(started.call);
    const reply = finished?.reply;
    const text = reply === undefined ? undefined : (await run.object(reply)).toString("utf8");
    calls.push({ started, finished, ...(text !== undefined && { text: inReplay(text) }) });
  }
  return calls;
}

/**
 * What of a record is not as kit wrote it: lines that cannot be read, numbers that are missing,
 * objects that are gone or hold something else than their name says.
 */
export async function damagesOf(run: RunRead): Promise<readonly string[]> {
  const damages: string[] = [];
  if (run.damaged > 0) damages.push(`${run.damaged} lines of its log cannot be read`);
  const gap = run.log.find(({ seq }, index) => seq !== index + 1);
  if (gap !== undefined && run.damaged === 0) {
    damages.push(`its log is not whole before event ${gap.seq}`);
  }
  const named = new Map<string, string>();
  for (const event of run.log) {
    for (const [name, hash] of Object.entries(objectsOf(event))) named.set(hash, name);
  }
  for (const [hash, name] of named) {
    const bytes = await run.object(hash).catch(() => undefined);
    const short = hash.slice(0, 12);
    if (bytes === undefined) damages.push(`the object ${short} (${name}) is missing`);
    else if (sha256(bytes) !== hash) {
      damages.push(`the object ${short} (${name}) does not hold what its name says`);
    }
  }
  return damages;
}

function objectsOf(event: RecordedEvent): Record<string, string> {
  switch (event.type) {
    case "observed":
      return event.object === undefined ? {} : { [event.key]: event.object };
    case "call_started":
      return { [`prompt of call ${event.call}`]: event.prompt };
    case "call_finished":
      return event.reply === undefined ? {} : { [`reply of call ${event.call}`]: event.reply };
    case "pack_ready":
      return { "Context Pack": event.pack };
    case "plan_ready":
      return { [`diff of coder ${event.attempt}`]: event.diff };
    case "verdict":
      return { [`test output of coder ${event.attempt}`]: event.output };
    default:
      return {};
  }
}
