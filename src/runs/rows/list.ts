import { existsSync } from "node:fs";
import { join } from "node:path";
import { readListed, runIds } from "../history.ts";
import { withIndex } from "./index-store.ts";
import { rowOf, type RunRow } from "./row.ts";
import { type Stamp, stampOf } from "./stamp.ts";
import { dropRows, type KeptRow, keepRows, keptRows } from "./table.ts";

/** A run as a list shows it, or why it cannot be shown. */
export type RowListed =
  | RunRow
  | { readonly id: string; readonly folder: string; readonly unreadable: string };

/** The newest runs, and how many there are in all. */
export interface RowsListed {
  readonly rows: readonly RowListed[];
  readonly total: number;
}

/**
 * So many of the newest runs are held against their files each time. Older ones that have ended
 * change only where kit goes on with them, and then it says so (`noteRun`).
 */
const lookedAt = 500;

/** Rows a transaction: others wait for it. */
const rowsAtOnce = 1_000;

/**
 * The runs of a repository, newest first, from the index; what is not in it, or not as its files
 * are now, is read from the records and taken in. Without an index everything is read.
 *
 * @param folder absolute `<root>/.kit/runs`; a missing one holds no runs
 * @param limit the newest ones only
 * @throws OddPlaceError where it or `.kit` is a link or no folder
 */
export async function listRows(folder: string, limit?: number): Promise<RowsListed> {
  const all = (await runIds(folder)).toReversed();
  const ids = all.slice(0, limit);
  const oldest = ids.at(-1);
  if (oldest === undefined) return { rows: [], total: 0 };
  const from = limit === undefined ? "" : oldest;
  const known = (await withIndex(folder, (store) => keptRows(store, folder, from))) ?? new Map();
  const rows: RowListed[] = [];
  const fresh: KeptRow[] = [];
  for (const [nth, id] of ids.entries()) {
    const kept = known.get(id);
    const stamp = kept?.ended === true && nth >= lookedAt ? kept : stampOf(join(folder, id));
    if (kept?.stamp === stamp.stamp) rows.push(kept.row);
    else {
      const read = await readRow(id, folder, stamp);
      rows.push(read.row);
      if (read.kept !== undefined) fresh.push(read.kept);
    }
  }
  const present = new Set(ids);
  await takeIn(folder, {
    fresh,
    // A run that began meanwhile was not listed, and may be in the index already.
    gone: [...known.keys()].filter((id) => !present.has(id) && !existsSync(join(folder, id))),
  });
  return { rows, total: all.length };
}

interface ListedRow {
  readonly row: RowListed;
  /** Set where it has to be taken into the index. */
  readonly kept?: KeptRow;
}

async function readRow(id: string, runsFolder: string, stamp: Stamp): Promise<ListedRow> {
  const folder = join(runsFolder, id);
  const read = await readListed(id, folder);
  if ("unreadable" in read) return { row: read };
  const row = rowOf(id, folder, read.receipt);
  return { row, kept: { row, ...stamp } };
}

interface Changes {
  readonly fresh: readonly KeptRow[];
  readonly gone: readonly string[];
}

async function takeIn(folder: string, { fresh, gone }: Changes): Promise<boolean> {
  if (fresh.length + gone.length === 0) return true;
  const done = await withIndex(folder, (store) => {
    for (let at = 0; at < fresh.length; at += rowsAtOnce) {
      keepRows(store, fresh.slice(at, at + rowsAtOnce));
    }
    if (gone.length > 0) dropRows(store, gone);
    return true;
  });
  return done ?? false;
}

/**
 * Takes what a run came to into the index; called when its receipt is written.
 *
 * @param folder absolute `<root>/.kit/runs`
 * @returns false where the index did not take it: the next list does that
 */
export async function noteRun(folder: string, id: string): Promise<boolean> {
  const { kept } = await readRow(id, folder, stampOf(join(folder, id)));
  return kept !== undefined && takeIn(folder, { fresh: [kept], gone: [] });
}

/** Forgets runs whose records were removed. @param folder absolute `<root>/.kit/runs` */
export async function forgetRuns(folder: string, ids: readonly string[]): Promise<void> {
  await takeIn(folder, { fresh: [], gone: ids });
}
