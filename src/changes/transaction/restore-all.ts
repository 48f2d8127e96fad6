import type { RepoPath, RollbackReport } from "../../contracts/index.ts";
import { errorCode } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { visitByFolder } from "./folder-groups.ts";
import { walk } from "./folders.ts";
import type { Folder, Way } from "./folders.ts";
import { passingNames } from "./journal.ts";
import type { Journal, JournalStep, PassingNames, PreImage, TransactionRecord } from "./journal.ts";
import { keep } from "./kept.ts";
import { toObstacle } from "./obstacle.ts";
import { cutPreImage, restoreFile } from "./restore.ts";
import type { Site } from "./site.ts";
import { splitPath } from "./steps.ts";

interface Work extends JournalStep {
  readonly names: PassingNames;
}

/**
 * Takes a transaction back, whatever moment it was stopped at: each path that holds what kit
 * wrote gets its old file back, anything else is the user's and stays. Safe to repeat.
 * @throws the first error (Obstacle for the system's), after every other path was tried.
 */
export async function restoreAll(
  { fs, root, stateDir }: Site,
  record: TransactionRecord,
  journal: Journal,
): Promise<RollbackReport> {
  const restored: RepoPath[] = [];
  const kept: RollbackReport["kept"][number][] = [];
  const errors: unknown[] = [];
  const readAll = once(() => record.preImages());
  const readPreImage = async (step: JournalStep, preImage: PreImage): Promise<Buffer> =>
    cutPreImage(await readAll(), step, preImage);
  const keepFound = async (path: RepoPath, bytes: Uint8Array): Promise<void> => {
    await keep(fs, stateDir, journal.id, "found", path, bytes);
  };

  const restore = async (folder: Folder, name: string, { names, ...step }: Work): Promise<void> => {
    const way = { fs, folder, name, step, names, readPreImage, keepFound };
    const reason = await restoreFile(way);
    if (reason === undefined) restored.push(step.path);
    else await leave(step, reason);
  };
  const leave = async (step: JournalStep, reason: string): Promise<void> => {
    const { path, before } = step;
    if (before === null) return void kept.push({ path, reason });
    const bytes = await readPreImage(step, before);
    const preImage = await keep(fs, stateDir, journal.id, "before", path, bytes);
    kept.push({ path, preImage, reason });
  };
  const restoreWithoutFolder = async (
    way: Exclude<Way, { kind: "folder" }>,
    step: Work,
  ): Promise<void> => {
    if (way.kind === "missing" && step.before === null) return void restored.push(step.path);
    if (way.kind === "missing" && step.after === null) {
      const made = await withFolder(fs, root, step.path, (folder, name) =>
        restore(folder, name, step),
      );
      if (made) return;
    }
    await leave(step, way.kind === "missing" ? `${way.at} is gone` : `${way.at} was replaced`);
  };
  const collect = async (path: RepoPath, effect: Promise<void>): Promise<void> => {
    await effect.catch((error: unknown) => errors.push(toObstacle(error, path)));
  };

  const work = journal.steps.map((step, index) => {
    return { ...step, names: passingNames(journal.id, index) };
  });
  await visitByFolder<Work>(fs, root, work, {
    file: (folder, name, step) => collect(step.path, restore(folder, name, step)),
    after: (folder) => folder.sync(),
    barred: async (way, steps) => {
      for (const step of steps) await collect(step.path, restoreWithoutFolder(way, step));
    },
  });
  if (errors.length > 0) throw errors[0];
  for (const folder of journal.folders.toReversed()) await removeIfEmpty(fs, root, folder);
  return { restored: restored.sort(), kept: kept.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Makes the folders above a path again and hands the innermost to `effect`. @returns false where something else stands. */
async function withFolder(
  fs: FileSystem,
  root: string,
  path: RepoPath,
  effect: (folder: Folder, name: string) => Promise<void>,
): Promise<boolean> {
  const { folders, name } = splitPath(path);
  for (const [depth, folder] of folders.entries()) {
    await inFolder(fs, root, folders.slice(0, depth), async (parent) => {
      await unless(["EEXIST"], fs.mkdir(parent.at(folder), 0o777));
    });
  }
  return inFolder(fs, root, folders, (folder) => effect(folder, name));
}

/** A folder that kit made goes again, unless something is in it. */
async function removeIfEmpty(fs: FileSystem, root: string, path: RepoPath): Promise<void> {
  const { folders, name } = splitPath(path);
  await inFolder(fs, root, folders, async (parent) => {
    await unless(["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"], fs.rmdir(parent.at(name)));
  });
}

/** Runs an effect in a folder of the tree and syncs it. @returns false, nothing done, where the way is barred. */
async function inFolder(
  fs: FileSystem,
  root: string,
  folders: readonly string[],
  effect: (folder: Folder) => Promise<void>,
): Promise<boolean> {
  const way = await walk(fs, root, folders);
  if (way.kind !== "folder") return false;
  try {
    await effect(way.folder);
    await way.folder.sync();
    return true;
  } finally {
    await way.folder.close();
  }
}

async function unless(codes: readonly string[], effect: Promise<void>): Promise<void> {
  try {
    await effect;
  } catch (error) {
    if (!codes.includes(errorCode(error) ?? "")) throw error;
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
