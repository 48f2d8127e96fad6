import { parentPort, workerData } from "node:worker_threads";
import { RepositoryReader } from "../reading.ts";
import { fill, type Wanted } from "./fill.ts";
import { TermScanner } from "./scan.ts";
import { SegmentBuilder } from "./segment.ts";

/** What a worker is started with. */
export interface WorkerTask {
  readonly root: string;
  readonly maxFileBytes: number;
}

/** A segment of a worker: its files are those asked for, in their order. */
export interface WorkerResult {
  readonly bytes: Uint8Array;
  readonly unreadable: readonly (readonly [path: string, reason: string])[];
}

// A worker thread: fills one segment for each list of files it is sent.
const { root, maxFileBytes } = workerData as WorkerTask;
const reader = new RepositoryReader(root);
const scanner = new TermScanner();
const builder = new SegmentBuilder();

parentPort?.on("message", (wanted: readonly Wanted[]) => {
  const unreadable: [string, string][] = [];
  for (const file of wanted) {
    const filled = fill(file, reader, maxFileBytes, scanner, builder);
    if (filled.unreadable !== undefined) unreadable.push([file.path, filled.unreadable]);
  }
  const bytes = builder.take();
  const result: WorkerResult = { bytes, unreadable };
  parentPort?.postMessage(result, [bytes.buffer as ArrayBuffer]);
});
