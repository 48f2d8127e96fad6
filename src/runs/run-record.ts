import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Emit, KitError, type RecordedEvent } from "../contracts/index.ts";
import { codeOf, syncFolder, writeFileDurably } from "../lib/files.ts";
import { type EventReader, openEventLog } from "./event-log.ts";
import { parseEvents, readEvents } from "./events.ts";
import { createRecordsFolder, openObjects } from "./objects.ts";
import { createObserve, type Observe } from "./observe.ts";
import { receiptOf } from "./receipt.ts";
import { noteRun } from "./rows/list.ts";
import { createSteps, type Recall, type Step } from "./steps.ts";

/** The record of one run while it is being written. */
export interface RunRecord {
  readonly id: string;
  /** Absolute: `<root>/.kit/runs/<id>`. */
  readonly folder: string;
  readonly emit: Emit;
  /** Gives the function that takes the reader off again. A reader that throws fails the `emit`. */
  subscribe(reader: EventReader): () => void;
  /**
   * Keeps a content under its hash (text redacted) and gives the hash. `name` names it for people:
   * `context-pack.md`, `attempts/coder-1/diff.patch`. It is on disk before any event that is emitted
   * from now on; one that names it fails where it could not be kept.
   */
  object(content: string | Uint8Array, name?: string): string;
  readonly observe: Observe;
  readonly step: Step;
  readonly recall: Recall;
  /** What earlier processes of this run wrote; empty for a new one. */
  readonly before: readonly RecordedEvent[];
  /** Writes `receipt.json` from the events and closes the log. For `finally`: every ending has a receipt. */
  close(): Promise<void>;
}

export interface RunRecordOptions {
  /** Absolute `<root>/.kit/runs`; created when missing. */
  readonly folder: string;
  /** From `createRunId`. */
  readonly id: string;
  readonly clock: () => Date;
}

/** Opens the record of a new run. @throws KitError `conflict` when the id is taken. */
export async function createRun(options: RunRecordOptions): Promise<RunRecord> {
  const folder = join(options.folder, options.id);
  await createRecordsFolder(options.folder);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    throw new KitError("conflict", `The run ${options.id} exists already.`, { cause: error });
  }
  await mkdir(join(folder, "objects"), { mode: 0o700 });
  const run = await openRun(options, folder);
  await syncFolder(folder);
  await syncFolder(options.folder);
  return run;
}

/**
 * Opens the record of a run that stopped, to go on with it: finished steps are replayed. Whoever
 * calls it holds the lock of the run's tree. @throws KitError `conflict` where a newer kit wrote it.
 */
export async function continueRun(options: RunRecordOptions): Promise<RunRecord> {
  return openRun(options, join(options.folder, options.id), true);
}

async function openRun(
  options: RunRecordOptions,
  folder: string,
  continued = false,
): Promise<RunRecord> {
  const file = join(folder, "events.jsonl");
  const before = continued ? await readEvents(file) : parseEvents(Buffer.alloc(0));
  if (before.newer > 0) {
    throw new KitError("conflict", `A newer kit wrote the run ${options.id}.`, {
      next: "Go on with that one",
    });
  }
  // It told of another end; until there is one, the log says more.
  if (continued) await rm(join(folder, "receipt.json"), { force: true });
  const objects = openObjects(folder);
  const log = await openEventLog({
    file,
    objects,
    clock: options.clock,
    ...(continued && { continueAt: { bytes: before.bytes, seq: before.lastSeq } }),
  });
  const events = [...before.events];
  log.subscribe((event) => events.push(event));
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    await log.close();
    await objects.settled();
    const receipt = receiptOf(events, folder);
    const text = `${JSON.stringify(receipt, null, 2)}\n`;
    await writeFileDurably(join(folder, "receipt.json"), Buffer.from(text), 0o600);
    await noteRun(options.folder, options.id);
  }

  return {
    id: options.id,
    folder,
    emit: log.emit,
    subscribe: log.subscribe,
    object: objects.put,
    observe: createObserve(objects, log.emit),
    ...createSteps(before.events, objects, log.emit),
    before: before.events,
    close: () => (closed ??= close()),
  };
}
