import type { Event, RecordedEvent } from "../contracts/index.ts";
import { open } from "node:fs/promises";
import { redactDeep } from "./redacted.ts";

/** Called with each event once it is durable, in the order of the log. */
export type EventReader = (event: RecordedEvent) => void;

export interface EventLog {
  /** Resolves once the event is on disk and every reader has seen it. @throws when it cannot be written. */
  emit(event: Event): Promise<void>;
  /** Gives the function that takes the reader off again. */
  subscribe(reader: EventReader): () => void;
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** Absolute; created when missing, private to the user. */
  readonly file: string;
  readonly clock: () => Date;
  /** Where an earlier process stopped: bytes of whole lines, and how many. A torn tail is cut off. */
  readonly continueAt?: { readonly bytes: number; readonly seq: number };
}

interface Pending {
  readonly event: Event;
  readonly at: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens `events.jsonl`. What is emitted while a write is under way goes out together with the
 * next one, so that a burst costs one `fdatasync`.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const file = await open(options.file, options.continueAt ? "r+" : "wx+", 0o600);
  const readers = new Set<EventReader>();
  let bytes = options.continueAt?.bytes ?? 0;
  let seq = options.continueAt?.seq ?? 0;
  let queue: Pending[] = [];
  let draining: Promise<void> | undefined;
  if (options.continueAt) await file.truncate(bytes);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await write(batch);
    }
    draining = undefined;
  }

  async function write(batch: readonly Pending[]): Promise<void> {
    const recorded = batch.map(({ event, at }, index): RecordedEvent => {
      return { v: 1, seq: seq + index + 1, at, ...redactDeep(event) };
    });
    const lines = Buffer.from(recorded.map((event) => `${JSON.stringify(event)}\n`).join(""));
    try {
      let written = 0;
      while (written < lines.length) {
        written += (await file.write(lines, written, null, bytes + written)).bytesWritten;
      }
      await file.datasync();
    } catch (error) {
      // Half a line must not stay in front of what a later write may still bring.
      await file.truncate(bytes).catch(() => undefined);
      for (const { reject } of batch) reject(error);
      return;
    }
    bytes += lines.length;
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

  return {
    emit(event) {
      return new Promise((resolve, reject) => {
        queue.push({ event, at: options.clock().toISOString(), resolve, reject });
        draining ??= drain();
      });
    },
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    async close() {
      await draining;
      await file.close();
    },
  };
}
