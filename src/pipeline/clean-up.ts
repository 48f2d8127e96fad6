import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openTransactions, type Transactions } from "../changes/index.ts";
import type { RepoPath } from "../contracts/index.ts";
import { GitError, type Git } from "../lib/git.ts";
import { codeOf } from "../lib/files.ts";
import {
  leftoversIn,
  mayBeGoingOn,
  outdatedRuns,
  removeRuns,
  type RunLimitsKept,
  transactionsOf,
} from "../runs/index.ts";
import type { TreePlace } from "./in-place-workspace.ts";

/** What is to be cleaned up, and how far. */
export interface CleanUpRequest extends RunLimitsKept {
  readonly place: TreePlace;
  /** Absolute `.kit/runs`. */
  readonly runsFolder: string;
  /** The run that goes on in this tree. */
  readonly running?: string;
  /** Also runs whose change stands and is not committed. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Beside runs: pre-images of no run, what crashes left, caches that nobody used for a month. */
  readonly everything: boolean;
  /** Looks at so many runs at most, the oldest. */
  readonly mostRuns?: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface CleanUpReport {
  readonly removed: readonly { readonly id: string; readonly reason: string }[];
  /** Beyond the limits, and not removed. */
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
  /** Transactions whose pre-images were removed: they can no longer be undone. */
  readonly transactions: readonly string[];
  /** Absolute paths of other things that were removed. */
  readonly leftovers: readonly string[];
}

const hourMs = 3_600_000;
const unusedMs = 30 * 24 * hourMs;

/**
 * Removes records that the limits let go, with the pre-images that only they refer to. Never a run
 * that is going on; one whose change could still be taken back only by force.
 */
export async function cleanUp(request: CleanUpRequest): Promise<CleanUpReport> {
  const { place, runsFolder, now, dryRun } = request;
  const transactions = openTransactions({ root: place.root, stateDir: place.stateDir });
  const outdated = (await outdatedRuns(runsFolder, request, now)).slice(0, request.mostRuns);
  const removed: CleanUpReport["removed"][number][] = [];
  const kept: CleanUpReport["kept"][number][] = [];
  const unneeded: string[] = [];
  for (const run of outdated) {
    const made = await transactionsOf(runsFolder, run.id).catch(() => []);
    const why = await whyKept(request, transactions, run.id, made);
    if (why !== undefined) kept.push({ id: run.id, reason: why });
    else {
      removed.push(run);
      unneeded.push(...made);
    }
  }
  const gone = new Set(removed.map(({ id }) => id));
  const known = new Set((await transactions.accepted()).map(({ id }) => id));
  const orphans = request.everything ? await orphansOf(request, transactions, gone) : [];
  const pruned = [...new Set([...unneeded, ...orphans])].filter((id) => known.has(id));
  const leftovers = request.everything ? await leftoversOf(request) : [];
  if (!dryRun) {
    await removeRuns(runsFolder, [...gone]);
    for (const id of pruned) await transactions.prune(id);
    for (const path of leftovers) await rm(path, { recursive: true, force: true });
  }
  return { removed, kept, transactions: pruned, leftovers };
}

async function whyKept(
  { place, runsFolder, running, force, now }: CleanUpRequest,
  transactions: Transactions,
  id: string,
  made: readonly string[],
): Promise<string | undefined> {
  if (id === running) return "it is going on";
  if (await mayBeGoingOn(runsFolder, id, now)) return "it may be going on: it has no ending yet";
  if (force) return undefined;
  for (const transaction of made) {
    const standing = await transactions.standing(transaction);
    if (standing.length > 0 && (await isUncommitted(place.git, standing)))
      return "its change stands and is not committed: undo needs it";
  }
  return undefined;
}

/** Whether git does not have these files as they are. */
async function isUncommitted(git: Git | undefined, paths: readonly RepoPath[]): Promise<boolean> {
  if (git === undefined) return true;
  const named = paths.map((path) => `:(top,literal)${path}`);
  try {
    const differ = await git.run([
      "status",
      "--porcelain",
      "-z",
      "--untracked-files=all",
      "--",
      ...named,
    ]);
    if (differ.length > 0) return true;
    const there = await git.run(["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
    const committed = new Set(there.toString("utf8").split("\0"));
    return !paths.every((path) => committed.has(path));
  } catch (error) {
    if (error instanceof GitError) return true;
    throw error;
  }
}

/** Accepted changes that no run but those to be removed tells of, and that are no run's just now. */
async function orphansOf(
  { runsFolder, place, force, now }: CleanUpRequest,
  transactions: Transactions,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const accepted = await transactions.accepted();
  const old = accepted.filter(({ modifiedMs }) => now - modifiedMs > hourMs);
  if (old.length === 0) return [];
  const wanted = new Set<string>();
  const kept = await outdatedRuns(runsFolder, { keep: 0 }, now);
  for (const { id } of kept) {
    if (gone.has(id)) continue;
    const made = await transactionsOf(runsFolder, id).catch(() => undefined);
    // What a run that cannot be read refers to is not known: nothing is anybody's to remove.
    if (made === undefined) return [];
    for (const each of made) wanted.add(each);
  }
  const orphans: string[] = [];
  for (const { id } of old) {
    if (wanted.has(id)) continue;
    const standing = force ? [] : await transactions.standing(id);
    if (standing.length === 0 || !(await isUncommitted(place.git, standing))) orphans.push(id);
  }
  return orphans;
}

/** What crashes left in the folders of kit, and caches that nobody used for a month. */
async function leftoversOf({ runsFolder, now }: CleanUpRequest): Promise<readonly string[]> {
  const kit = dirname(runsFolder);
  const cache = join(kit, "cache");
  const found = [...(await leftoversIn(runsFolder, now))];
  const isOurs =
    (await realpath(cache).catch(() => undefined)) === join(await realpathOf(kit), "cache");
  if (!isOurs) return found;
  for (const name of await readdir(cache)) {
    const entry = join(cache, name);
    const stats = await lstat(entry);
    if (!stats.isDirectory()) continue;
    const times = await Promise.all(
      (await readdir(entry)).map(async (inner) => (await lstat(join(entry, inner))).mtimeMs),
    );
    if (now - Math.max(stats.mtimeMs, ...times) > unusedMs) found.push(entry);
  }
  return found;
}

async function realpathOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return folder;
    throw error;
  }
}
