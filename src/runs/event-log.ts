import type { Event, RecordedEvent } from "../contracts/index.ts";
import { open } from "node:fs/promises";
import type { ObjectStore } from "./objects.ts";
import { redactDeep } from "./redacted.ts";

/** Called with each event once it is durable, in the order of the log. */
export type EventReader = (event: RecordedEvent) => void;

export interface EventLog {
  /**
   * Resolves once the event is on disk and every reader has seen it. Of the events that nothing
   * rests on (all but `restedOn`) the next of those that something does brings them to disk.
   * @throws when it, or one that went before it, cannot be written
   */
  emit(event: Event): Promise<void>;
  /** Gives the function that takes the reader off again. */
  subscribe(reader: EventReader): () => void;
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** Absolute; created when missing, private to the user. */
  readonly file: string;
  readonly clock: () => Date;
  /** Contents that events name: an event waits for those put before it, and fails with one it names. */
  readonly objects: Pick<ObjectStore, "settled">;
  /** Where an earlier process stopped: bytes of whole lines, and how many. A torn tail is cut off. */
  readonly continueAt?: { readonly bytes: number; readonly seq: number };
}

/**
 * What follows these would be wrong without them: money was spent, or a change stands in the tree.
 * An effect whose end was lost is done again; that of a call comes with its `call_finished`. What
 * was taken back is known from the transaction's own record.
 */
const restedOn: ReadonlySet<Event["type"]> = new Set([
  "run_started",
  "run_resumed",
  "call_started",
  "call_finished",
  "applied",
  "landed",
  "run_finished",
]);

/** Events that may wait to be written before whoever emits has to wait too. */
const mostBehind = 64;
/** How long they wait for an event that takes them along; people watch them. */
const behindMs = 10;

interface Pending {
  readonly event: Event;
  readonly at: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens `events.jsonl`. What is emitted within `behindMs`, or while a write is under way, goes out
 * together, so that a burst costs one `fdatasync` (decision 96).
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const file = await open(options.file, options.continueAt ? "r+" : "wx+", 0o600);
  const readers = new Set<EventReader>();
  let bytes = options.continueAt?.bytes ?? 0;
  let seq = options.continueAt?.seq ?? 0;
  let queue: Pending[] = [];
  let draining: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;
  /** Of an event that nobody waited for; told once, to whoever emits next. */
  let missed: { readonly error: unknown } | undefined;
  if (options.continueAt) await file.truncate(bytes);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await write(batch);
    }
    draining = undefined;
  }

  async function writeLines(recorded: readonly RecordedEvent[]): Promise<void> {
    const lines = Buffer.from(recorded.map((event) => `${JSON.stringify(event)}\n`).join(""));
    if (lines.length === 0) return;
    try {
      let written = 0;
      while (written < lines.length) {
        written += (await file.write(lines, written, null, bytes + written)).bytesWritten;
      }
      await file.datasync();
      bytes += lines.length;
    } catch (error) {
      // Half a line must not stay in front of what a later write may still bring.
      await file.truncate(bytes).catch(() => undefined);
      throw error;
    }
  }

  /** The events of a batch that name no content which could not be kept. */
  async function withObjects(batch: readonly Pending[]): Promise<readonly Pending[]> {
    const lost = await options.objects.settled();
    if (lost.size === 0) return batch;
    return batch.filter(({ event, reject }) => {
      const text = JSON.stringify(event);
      const named = [...lost].find(([hash]) => text.includes(hash));
      if (named !== undefined) reject(named[1]);
      return named === undefined;
    });
  }

  async function write(given: readonly Pending[]): Promise<void> {
    let recorded: readonly RecordedEvent[];
    let batch = given;
    try {
      batch = await withObjects(given);
      recorded = batch.map(({ event, at }, index): RecordedEvent => {
        return { v: 1, seq: seq + index + 1, at, ...redactDeep(event) };
      });
      await writeLines(recorded);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    seq += batch.length;
    for (const [index, { resolve, reject }] of batch.entries()) {
      const event = recorded[index];
      try {
        if (event) for (const reader of readers) reader(event);
        resolve();
      } catch (error) {
        reject(error);
      }
    }
  }

  function drainNow(): void {
    clearTimeout(soon);
    soon = undefined;
    if (queue.length > 0) draining ??= drain();
  }

  function append(event: Event): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.push({ event, at: options.clock().toISOString(), resolve, reject });
    });
  }

  function tellMissed(): void {
    if (missed === undefined) return;
    const { error } = missed;
    missed = undefined;
    throw error;
  }

  return {
    async emit(event) {
      tellMissed();
      const written = append(event);
      if (restedOn.has(event.type) || queue.length > mostBehind) {
        drainNow();
        await written;
        return tellMissed();
      }
      written.catch((error: unknown) => (missed ??= { error }));
      soon ??= setTimeout(drainNow, behindMs);
    },
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    async close() {
      drainNow();
      await draining;
      await file.close();
    },
  };
}
