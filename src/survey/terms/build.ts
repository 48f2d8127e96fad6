import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type FillLimits, SegmentFiller, type Wanted } from "./fill.ts";
import type { WorkerResult } from "./worker.ts";

/** A new segment with the files in it, by their numbers. */
export interface Built {
  readonly bytes: Buffer;
  readonly files: readonly Wanted[];
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Below so many files a thread takes longer to start than it saves. */
const threadsFrom = 6_000;

/** Files of one message to a thread: small enough that two threads end together. */
const portion = 2_048;

/** Reads files and makes segments of their words; each is handed over as soon as it is made. */
export async function buildSegments(
  wanted: readonly Wanted[],
  task: FillLimits,
  take: (built: Built) => Promise<void>,
): Promise<void> {
  if (wanted.length === 0) return;
  const program = wanted.length < threadsFrom ? undefined : workerProgram();
  if (program === undefined) return buildHere(wanted, task, take);
  return buildInThreads(wanted, task, take, program);
}

async function buildHere(
  wanted: readonly Wanted[],
  task: FillLimits,
  take: (built: Built) => Promise<void>,
): Promise<void> {
  const filler = new SegmentFiller(task);
  let files: Wanted[] = [];
  let unreadable = new Map<string, string>();
  let bytes = 0;
  for (const [index, file] of wanted.entries()) {
    const filled = filler.add(file);
    files.push(file);
    bytes += filled.bytes;
    if (filled.unreadable !== undefined) unreadable.set(file.path, filled.unreadable);
    if (filler.builder.isFull || index === wanted.length - 1) {
      await take({ bytes: filler.builder.take(), files, unreadable });
      files = [];
      unreadable = new Map();
    }
    // The baseline's process runs meanwhile: its output must be taken care of.
    if (bytes > 1_000_000) {
      bytes = 0;
      await setImmediate();
    }
  }
}

async function buildInThreads(
  wanted: readonly Wanted[],
  task: FillLimits,
  take: (built: Built) => Promise<void>,
  program: string,
): Promise<void> {
  let next = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(program, {
        workerData: task,
        resourceLimits: { maxYoungGenerationSizeMb: 12 },
      });
      let files: readonly Wanted[] = [];
      const ask = (): void => {
        files = wanted.slice(next, next + portion);
        next += files.length;
        if (files.length === 0) void worker.terminate();
        else worker.postMessage(files, []);
      };
      worker.on("message", ({ bytes, unreadable }: WorkerResult) => {
        const done = files;
        ask();
        const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        take({ bytes: buffer, files: done, unreadable: new Map(unreadable) }).catch(
          (error: unknown) => {
            void worker.terminate();
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      });
      worker.on("error", reject);
      worker.on("exit", () => resolve());
      ask();
    });
  const threads = Math.min(4, Math.max(1, availableParallelism()));
  await Promise.all(Array.from({ length: threads }, work));
}

/** The thread's program: beside this file in the sources, an entry of its own in the bundle. */
function workerProgram(): string | undefined {
  const places = ["./worker.ts", "./survey-worker.js", "../survey-worker.js"];
  return places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((file) => existsSync(file));
}
