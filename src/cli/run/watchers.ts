import { randomUUID } from "node:crypto";
import { KitError, type RecordedEvent } from "../../contracts/index.ts";
import type { Receipt } from "../../runs/index.ts";
import {
  exportTrace,
  type LogLevel,
  openEventStream,
  openLog,
  wantsTrace,
} from "../../telemetry/index.ts";
import type { Io } from "../io.ts";
import { kitVersion } from "../package.ts";
import { annotationLines, resumeCommands, stopCommands } from "../views/annotations.ts";
import { createLiveDisplay } from "../views/live-display.ts";

/** Who wants to see a run while it goes on. */
export interface WatchFlags {
  readonly quiet?: true;
  readonly verbose?: true;
  /** File descriptor for the events as JSON Lines. */
  readonly events?: number;
  readonly logLevel?: LogLevel;
  /** Annotations of GitHub's on stderr. */
  readonly ci?: true;
}

/** Everybody who watches a run: a person, a program, a log, a collector of traces. */
export interface Watchers {
  /** A reader of the event log. */
  see(event: RecordedEvent): void;
  /** How the run ended, once its record is whole. */
  tellEnd(receipt: Receipt): void;
  /**
   * For `finally`: nothing moves any more, and everything is written. Never throws.
   * @returns what kept events of `--events` from being written; undefined where nothing did
   */
  close(): Promise<unknown>;
}

/** @throws KitError `usage` where both the document and the events want stdout */
export function requireFreeStdout(flags: WatchFlags, { json }: { readonly json: boolean }): void {
  if (!json || flags.events !== 1) return;
  throw new KitError("usage", "--json and --events both want stdout.", {
    next: "Give the events a descriptor of their own: --events 3 3>events.jsonl",
  });
}

/** A collector that does not answer must not hold kit. */
const traceTimeoutMs = 5_000;

/** @throws KitError `usage` where the events' descriptor is not open */
export async function openWatchers(flags: WatchFlags, io: Io): Promise<Watchers> {
  const traced = wantsTrace(io.env);
  const seen: RecordedEvent[] = [];
  const readers: ((event: RecordedEvent) => void)[] = [];
  const closers: (() => Promise<void> | void)[] = [];
  let unwritten: unknown;
  if (flags.events !== undefined) {
    const stream = openEventStream(flags.events);
    readers.push((event) => stream.write(event));
    closers.push(async () => {
      unwritten = await stream.close();
    });
  }
  if (flags.logLevel === undefined) {
    const detail = flags.quiet ? "quiet" : flags.verbose ? "verbose" : "normal";
    const display = createLiveDisplay(io.stderr, detail, io.clock);
    readers.push((event) => display.show(event));
    closers.unshift(() => display.stop());
  } else {
    readers.push(await openLog(flags.logLevel, (line) => io.stderr.write(line)));
  }
  if (traced) {
    readers.push((event) => void seen.push(event));
    closers.push(() => sendTrace(seen, io));
  }
  // What models and tests say must not be taken for commands of the runner that reads along.
  const token = randomUUID();
  if (flags.ci) io.stderr.write(`${stopCommands(token)}\n`);
  return {
    tellEnd(receipt) {
      if (!flags.ci) return;
      const lines = [
        resumeCommands(token),
        ...annotationLines(receipt),
        stopCommands(randomUUID()),
      ];
      io.stderr.write(`${lines.join("\n")}\n`);
    },
    see(event) {
      for (const reader of readers) reader(event);
    },
    async close() {
      for (const close of closers) await close();
      return unwritten;
    },
  };
}

async function sendTrace(events: readonly RecordedEvent[], io: Io): Promise<void> {
  try {
    await Promise.race([
      exportTrace(events, io.env, kitVersion()),
      new Promise((_, reject) => {
        setTimeout(() => reject(new Error("no answer in 5 s")), traceTimeoutMs).unref();
      }),
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr.write(`The trace could not be sent: ${reason}\n`);
  }
}
