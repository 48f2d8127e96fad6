import { parentPort, workerData } from "node:worker_threads";
import { type FillLimits, SegmentFiller, type Wanted } from "./fill.ts";

/** A segment of a worker: its files are those asked for, in their order. */
export interface WorkerResult {
  readonly bytes: Uint8Array;
  readonly unreadable: readonly (readonly [path: string, reason: string])[];
}

// A worker thread, started with `FillLimits`: makes a segment of each list of files it is sent.
const filler = new SegmentFiller(workerData as FillLimits);

parentPort?.on("message", (wanted: readonly Wanted[]) => {
  const unreadable: [string, string][] = [];
  for (const file of wanted) {
    const filled = filler.add(file);
    if (filled.unreadable !== undefined) unreadable.push([file.path, filled.unreadable]);
  }
  const bytes = filler.builder.take();
  const result: WorkerResult = { bytes, unreadable };
  parentPort?.postMessage(result, [bytes.buffer as ArrayBuffer]);
});
