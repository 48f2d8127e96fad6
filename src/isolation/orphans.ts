import { readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { type Git, openGit } from "../lib/git.ts";
import { acquireLock, livingHolder, type Lock } from "../lib/lock.ts";
import { endProcessesMarked } from "../lib/processes/index.ts";
import { inTurn } from "./turns.ts";

/** The lock beside a worktree: held from before it is made until it is gone. */
export function worktreeLock(root: string): string {
  return `${root}.lock`;
}

/** Gives the lock back and takes its files away; nobody else can want it, as the id is unique. */
export async function dropLock(lock: Lock, root: string): Promise<void> {
  await lock.release();
  const file = worktreeLock(root);
  for (const name of [file, `${file}.holder`]) await rm(name, { force: true });
}

/**
 * Ids of runs that are dead and left a worktree of this repository. Removes nothing; a run that
 * ends in the same moment may be among them.
 * @param folder that holds kit's worktrees, of all repositories
 */
export async function findOrphans(git: Git, folder: string): Promise<readonly string[]> {
  const names = await worktreesIn(folder);
  const owned = await Promise.all(names.map((name) => isOf(git, join(folder, name))));
  const own = names.filter((_name, index) => owned[index] === true);
  const holders = await Promise.all(
    own.map((name) => livingHolder(worktreeLock(join(folder, name)))),
  );
  return own.filter((_name, index) => holders[index] === undefined);
}

/**
 * Removes worktrees of this repository whose run is dead, and ends what those runs left running.
 * @param folder that holds kit's worktrees, of all repositories
 * @returns the ids of the runs they belonged to
 */
export async function removeOrphans(git: Git, folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await worktreesIn(folder)) {
    const root = join(folder, name);
    if (await removeOrphan(git, root)) removed.push(name);
  }
  return removed;
}

/** Names of folders with a lock beside them. */
async function worktreesIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.filter((each) => names.includes(basename(worktreeLock(each))));
}

/** Whether a folder is a worktree of this repository. */
async function isOf(git: Git, root: string): Promise<boolean> {
  const own = await openGit(root).catch(() => undefined);
  // The state folder may stand behind a link; kit's folder in it, and what is in that, may not.
  const state = dirname(dirname(root));
  const resolved = join(await realpath(state).catch(() => state), relative(state, root));
  if (own === undefined || own.root !== resolved) return false;
  const common = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const [mine, its] = await Promise.all([git.run(common), own.run(common).catch(() => undefined)]);
  return its !== undefined && mine.equals(its);
}

async function removeOrphan(git: Git, root: string): Promise<boolean> {
  if (!(await isOf(git, root))) return false;
  const lock = await acquireLock(worktreeLock(root), { holder: "orphans" });
  if ("heldBy" in lock) return false;
  const { marker } = lock.takenOverFrom ?? {};
  if (marker !== undefined) await endProcessesMarked(marker);
  await rm(root, { recursive: true, force: true });
  await inTurn(git, () => git.run(["worktree", "prune", "--expire=now"]));
  await dropLock(lock, root);
  return true;
}
