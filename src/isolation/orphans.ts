import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Git, openGit } from "../lib/git.ts";
import { acquireLock, type Lock } from "../lib/lock.ts";
import { endProcessesMarked } from "../lib/processes/index.ts";

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
 * Removes worktrees of this repository whose run is dead, and ends what those runs left running.
 * @param folder that holds kit's worktrees, of all repositories
 * @returns the ids of the runs they belonged to
 */
export async function removeOrphans(git: Git, folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((each) => names.includes(basename(worktreeLock(each))))) {
    const root = join(folder, name);
    if (await removeOrphan(git, root)) removed.push(name);
  }
  return removed;
}

async function removeOrphan(git: Git, root: string): Promise<boolean> {
  const own = await openGit(root).catch(() => undefined);
  const common = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  if (own === undefined || own.root !== root) return false;
  const [mine, its] = await Promise.all([git.run(common), own.run(common).catch(() => undefined)]);
  if (its === undefined || !mine.equals(its)) return false;
  const lock = await acquireLock(worktreeLock(root), { holder: "orphans" });
  if ("heldBy" in lock) return false;
  const { marker } = lock.takenOverFrom ?? {};
  if (marker !== undefined) await endProcessesMarked(marker);
  await rm(root, { recursive: true, force: true });
  await git.run(["worktree", "prune", "--expire=now"]);
  await dropLock(lock, root);
  return true;
}
