import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { KitError, type RecordedEvent } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import { readOwnFile } from "../lib/own-place.ts";
import { readEvents, type EventsRead } from "./events.ts";
import { receiptSchema } from "./receipt-schema.ts";
import { openObjects, requireRecordsFolder } from "./objects.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { stampOf } from "./rows/stamp.ts";
import { isRunId } from "./run-id.ts";
import { lastTelling } from "./telling.ts";

/** One finished or interrupted run, as a list shows it. */
export type RunListed =
  | { readonly id: string; readonly folder: string; readonly receipt: Receipt }
  | { readonly id: string; readonly folder: string; readonly unreadable: string };

/** One run with its events; `events` tell it as it was told last. */
export interface RunRead extends EventsRead {
  /** The whole log: of a resumed run it tells the run more than once. */
  readonly log: readonly RecordedEvent[];
  readonly id: string;
  readonly folder: string;
  readonly receipt: Receipt;
  /** The content of an object of this run. @throws when it is not there */
  object(hash: string): Promise<Buffer>;
}

/**
 * Every run of a repository, newest first. Folders that are no run are passed over; a run whose
 * records cannot be read is listed with the reason.
 *
 * @param folder absolute `<root>/.kit/runs`; a missing one holds no runs
 * @throws OddPlaceError where it or `.kit` is a link or no folder
 */
export async function listRuns(folder: string): Promise<RunListed[]> {
  return newestRuns(folder, Number.POSITIVE_INFINITY);
}

/** The newest `count` of them. @throws as `listRuns` */
export async function newestRuns(folder: string, count: number): Promise<RunListed[]> {
  const ids = (await runIds(folder)).toReversed().slice(0, count);
  return Promise.all(ids.map((id) => readListed(id, join(folder, id))));
}

/**
 * Reads one run.
 *
 * @param idOrPrefix an id, the start of one, or its last characters; when absent the newest run that
 * began: one that was killed before its first event did nothing
 * @throws KitError `not_found`: none, more than one, or nothing readable in it; OddPlaceError as
 * `listRuns`
 */
export async function readRun(folder: string, idOrPrefix?: string): Promise<RunRead> {
  const ids = await runIds(folder);
  const id =
    (idOrPrefix === undefined ? await newestBegun(folder, ids) : undefined) ??
    selectRun(ids, idOrPrefix);
  const run = join(folder, id);
  const read = await readEvents(join(run, "events.jsonl"));
  if (read.events.length === 0) {
    throw new KitError("not_found", `The run ${id} cannot be read: ${whyUnreadable(read)}.`, {
      next: `Look into ${run}`,
    });
  }
  return {
    ...read,
    log: read.events,
    events: lastTelling(read.events),
    id,
    folder: run,
    receipt: receiptOf(read.events, run),
    object: openObjects(run).get,
  };
}

/** A damaged log, or one of a newer kit, may tell of a change: it is not passed over. */
async function newestBegun(folder: string, ids: readonly string[]): Promise<string | undefined> {
  for (const id of ids.toReversed()) {
    if (!isEmpty(await readEvents(join(folder, id, "events.jsonl")))) return id;
  }
  return undefined;
}

function selectRun(ids: readonly string[], asked: string | undefined): string {
  const newest = ids.at(-1);
  if (newest === undefined) {
    throw new KitError("not_found", "There are no runs here yet.", {
      next: 'Start one: kit run --task "…"',
    });
  }
  if (asked === undefined) return newest;
  const matching = ids.filter((id) => id.startsWith(asked) || id.endsWith(`-${asked}`));
  const [only] = matching;
  if (only !== undefined && (matching.length === 1 || matching.includes(asked))) {
    return matching.includes(asked) ? asked : only;
  }
  const next = "List them: kit runs";
  if (only === undefined) throw new KitError("not_found", `No run is named "${asked}".`, { next });
  throw new KitError(
    "not_found",
    `"${asked}" is the start of ${matching.length} runs: ${matching.slice(-5).join(", ")}.`,
    { next },
  );
}

/** The ids of the runs in a records folder, oldest first. @throws OddPlaceError as `listRuns` */
export async function runIds(folder: string): Promise<string[]> {
  await requireRecordsFolder(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && isRunId(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Reads what a run came to. @param folder absolute, of this run */
export async function readListed(id: string, folder: string): Promise<RunListed> {
  try {
    const written = stampOf(folder).ended ? await readReceipt(folder) : undefined;
    if (written) return { id, folder, receipt: written };
    const read = await readEvents(join(folder, "events.jsonl"));
    if (read.events.length === 0) return { id, folder, unreadable: whyUnreadable(read) };
    return { id, folder, receipt: receiptOf(read.events, folder) };
  } catch (error) {
    return { id, folder, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

/** The receipt as written, which is shorter than the log; the log decides where it is missing or damaged. */
async function readReceipt(folder: string): Promise<Receipt | undefined> {
  const text = readOwnFile(join(folder, "receipt.json"));
  if (text === undefined) return undefined;
  try {
    const read = receiptSchema.safeParse(JSON.parse(text));
    return read.success ? { ...read.data, runDir: folder } : undefined;
  } catch {
    return undefined;
  }
}

function isEmpty({ events, newer, damaged }: EventsRead): boolean {
  return events.length + newer + damaged === 0;
}

function whyUnreadable({ newer, damaged }: EventsRead): string {
  if (newer > 0) return "a newer kit wrote it";
  if (damaged > 0) return "its event log is damaged";
  return "its event log is empty";
}
