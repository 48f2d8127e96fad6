import { lstat, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../lib/files.ts";
import { readEvents } from "./events.ts";
import { runIds } from "./history.ts";
import { forgetRuns } from "./rows/list.ts";

/** How many runs are kept, and how long; absent: without a bound. */
export interface RunLimitsKept {
  readonly keep?: number;
  readonly olderThanMs?: number;
}

/** A run that a limit no longer keeps. */
export interface OutdatedRun {
  readonly id: string;
  readonly reason: string;
}

/** A log without an ending that was written to this lately may be a run that is going on. */
const quietMs = 24 * 3_600_000;

/** What a crash left: temporary files, and runs that were on their way out. */
const leftover = /^(?:\.kit-[0-9a-f]{16}\.tmp|\.removing-.*)$/;

/** Younger ones may be somebody's work under way. */
const leftoverMs = 3_600_000;

/**
 * The runs beyond the limits, oldest first. Each limit stands for itself: what one of them lets go
 * is let go.
 * @param now epoch milliseconds
 */
export async function outdatedRuns(
  folder: string,
  { keep, olderThanMs }: RunLimitsKept,
  now: number,
): Promise<readonly OutdatedRun[]> {
  const ids = await runIds(folder);
  const many = keep === undefined ? 0 : Math.max(0, ids.length - keep);
  return ids.flatMap((id, nth) => {
    if (nth < many) return [{ id, reason: `not among the newest ${keep}` }];
    const isOld = olderThanMs !== undefined && now - timeOf(id) > olderThanMs;
    return isOld ? [{ id, reason: "older than the limit" }] : [];
  });
}

/** When a run began, by its id. */
function timeOf(id: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Whether a run has no ending yet and may be going on, in a tree of its own. */
export async function mayBeGoingOn(folder: string, id: string, now: number): Promise<boolean> {
  const [receipt, log] = await Promise.all(
    ["receipt.json", "events.jsonl"].map((name) => stat(join(folder, id, name)).catch(() => null)),
  );
  if (log === null || log === undefined) return false;
  const hasEnding = receipt !== null && receipt !== undefined && receipt.mtimeMs >= log.mtimeMs;
  return !hasEnding && now - log.mtimeMs < quietMs;
}

/** The transactions that a run made in a tree, in their order; none where its log cannot be read. */
export async function transactionsOf(folder: string, id: string): Promise<readonly string[]> {
  const { events } = await readEvents(join(folder, id, "events.jsonl"));
  return events.flatMap((event) => {
    if (event.type === "applied") return [event.transaction];
    return event.type === "landed" && event.transaction !== undefined ? [event.transaction] : [];
  });
}

/** Removes the records of runs: whole, or not at all. */
export async function removeRuns(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    // Under another name first: a run that is half gone must not be listed.
    const leaving = join(folder, `.removing-${id}`);
    await rename(join(folder, id), leaving);
    await rm(leaving, { recursive: true, force: true });
  }
  await forgetRuns(folder, ids);
}

/** Absolute paths of what crashes left among records; links are not followed. */
export async function leftoversIn(folder: string, now: number): Promise<readonly string[]> {
  const runs = await runIds(folder);
  const folders = [
    folder,
    ...runs.flatMap((id) => [join(folder, id), join(folder, id, "objects")]),
  ];
  const found: string[] = [];
  for (const each of folders) {
    for (const name of await namesIn(each)) {
      if (!leftover.test(name)) continue;
      const path = join(each, name);
      if (now - (await lstat(path)).mtimeMs > leftoverMs) found.push(path);
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    if (!(await lstat(folder)).isDirectory()) return [];
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
