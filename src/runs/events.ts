import { readFile } from "node:fs/promises";
import type { RecordedEvent } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import { requireOwnPlace } from "../lib/own-place.ts";
import { eventSchemas } from "./event-schema.ts";

/** What a log could be read as. */
export interface EventsRead {
  readonly events: readonly RecordedEvent[];
  /** Lines that are no event of version 1, counted; a torn last line is not among them. */
  readonly damaged: number;
  /** Lines that a newer kit wrote. */
  readonly newer: number;
  /** Length of the whole lines: what a continued run appends to. */
  readonly bytes: number;
  /** Number of the last event; 0 where there is none. */
  readonly lastSeq: number;
}

/** Reads `events.jsonl`; a missing file holds no events. @throws what the file system throws otherwise */
export async function readEvents(file: string): Promise<EventsRead> {
  requireOwnPlace(file, "file");
  try {
    return parseEvents(await readFile(file));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return parseEvents(Buffer.alloc(0));
    throw error;
  }
}

/** Reads the lines of a log. A last line without its line end was torn by a crash: it never happened. */
export function parseEvents(log: Buffer): EventsRead {
  const bytes = log.lastIndexOf(0x0a) + 1;
  const events: RecordedEvent[] = [];
  let damaged = 0;
  let newer = 0;
  for (const line of log.subarray(0, bytes).toString("utf8").split("\n")) {
    if (line === "") continue;
    const read = parseLine(line);
    if (read === "damaged") damaged += 1;
    else if (read === "newer") newer += 1;
    else events.push(read);
  }
  // Damaged lines had numbers too: no two events of a log share one.
  const lastSeq = Math.max(events.at(-1)?.seq ?? 0, events.length + damaged + newer);
  return { events, damaged, newer, bytes, lastSeq };
}

function parseLine(line: string): RecordedEvent | "damaged" | "newer" {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "damaged";
  }
  if (typeof value !== "object" || value === null) return "damaged";
  const { v, type } = value as { v?: unknown; type?: unknown };
  if (typeof v === "number" && v > 1) return "newer";
  const schema = typeof type === "string" ? eventSchemas.get(type) : undefined;
  if (!schema) return v === 1 && typeof type === "string" ? "newer" : "damaged";
  return schema.safeParse(value).success ? (value as RecordedEvent) : "damaged";
}
