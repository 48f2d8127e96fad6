import { createWriteStream, existsSync, fstatSync, readdirSync, readlinkSync } from "node:fs";
import { finished } from "node:stream/promises";
import { KitError, type RecordedEvent } from "../contracts/index.ts";

/** Events as JSON Lines, as `events.jsonl` holds them. */
export interface EventStream {
  write(event: RecordedEvent): void;
  /** Once everything is written, or nobody reads any more; gives what kept events from being written. */
  close(): Promise<unknown>;
}

/**
 * Writes events to a file descriptor that whoever started kit has opened. A reader that leaves
 * ends the writing and nothing else.
 * @throws KitError `usage` where the descriptor is not open
 */
export function openEventStream(fd: number): EventStream {
  if (!isHandedOver(fd)) {
    throw new KitError("usage", `The file descriptor ${fd} is not open.`, {
      next: "Open it for kit: kit run --events 3 … 3>events.jsonl",
    });
  }
  const stream = createWriteStream("", { fd, autoClose: false });
  const over = finished(stream).catch((error: unknown) => error);
  return {
    write(event) {
      if (stream.writable) stream.write(`${JSON.stringify(event)}\n`);
    },
    async close() {
      stream.end();
      return over;
    },
  };
}

const descriptors = "/proc/self/fd";

/**
 * True for a descriptor that kit was started with: Node has ones of its own, which must not be
 * written to. Those are no files, or pipes of which this process holds both ends.
 */
function isHandedOver(fd: number): boolean {
  try {
    fstatSync(fd);
  } catch {
    return false;
  }
  if (fd <= 2 || !existsSync(descriptors)) return true;
  const target = targetOf(fd);
  if (target.startsWith("anon_inode:")) return false;
  const others = readdirSync(descriptors)
    .map(Number)
    .filter((other) => other > 2 && other !== fd);
  return !(target.startsWith("pipe:") && others.some((other) => targetOf(other) === target));
}

function targetOf(fd: number): string {
  try {
    return readlinkSync(`${descriptors}/${fd}`);
  } catch {
    return "";
  }
}
