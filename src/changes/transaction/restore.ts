import type { RepoPath, RollbackReport } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { errorCode, ifThere } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { giveName, lookAt, writeNew } from "./files.ts";
import { visitByFolder } from "./folder-groups.ts";
import { walk } from "./folders.ts";
import type { Folder } from "./folders.ts";
import { passingNames } from "./journal.ts";
import type { Journal, JournalStep, PassingNames, TransactionRecord } from "./journal.ts";
import { keep } from "./kept.ts";
import { splitPath } from "./steps.ts";

/** What restoring needs of its transaction. */
export interface Restoration {
  readonly fs: FileSystem;
  readonly stateDir: string;
  readonly journal: Journal;
  readonly record: TransactionRecord;
}

type Kept = RollbackReport["kept"][number];
type Work = JournalStep & { readonly names: PassingNames };

/**
 * Takes a transaction back, whatever moment it was stopped at: each path that holds what kit
 * wrote gets its old file back; one that holds anything else is the user's and stays. Safe to
 * repeat after a crash of its own.
 * @throws the first system error, after every other path was tried.
 */
export async function restoreAll(restoration: Restoration): Promise<RollbackReport> {
  const { fs, journal } = restoration;
  const restored: RepoPath[] = [];
  const kept: Kept[] = [];
  const errors: unknown[] = [];
  const work = journal.steps.map((step, index) => ({
    ...step,
    names: passingNames(journal.id, index),
  }));
  const preImages = lazily(() => restoration.record.preImages());
  const settle = async (folder: Folder, name: string, each: Work): Promise<void> => {
    try {
      const reason = await restoreFile(restoration, preImages, folder, name, each);
      if (reason === undefined) restored.push(each.path);
      else kept.push(await keepPreImage(restoration, preImages, each, reason));
    } catch (error) {
      errors.push(error);
    }
  };
  await visitByFolder(fs, journal.root, work, {
    file: settle,
    after: (folder) => folder.sync(),
    barred: async (way, group) => {
      for (const each of group) {
        const gone = way.kind === "missing";
        if (gone && each.before === null) restored.push(each.path);
        else if (gone && each.after === null) await inNewFolder(fs, journal.root, each, settle);
        else {
          const reason = gone ? `${way.at} is gone` : `${way.at} is not the folder it was`;
          kept.push(await keepPreImage(restoration, preImages, each, reason));
        }
      }
    },
  });
  if (errors.length > 0) throw errors[0];
  await removeFolders(fs, journal);
  return { restored: restored.sort(), kept: kept.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** @returns undefined when the old state stands again, else why the file was left to the user. */
async function restoreFile(
  restoration: Restoration,
  preImages: () => Promise<Buffer>,
  folder: Folder,
  name: string,
  { path, before, after, names }: Work,
): Promise<string | undefined> {
  const { fs } = restoration;
  await folder.verify();
  const address = folder.at(name);
  const [aside, takenBack] = [folder.at(names.aside), folder.at(names.takenBack)];
  const leave = (left: string): Promise<void> =>
    putAway(restoration, left, path, [before?.hash, after ?? undefined]);
  await ifThere(fs.unlink(folder.at(names.staged)));
  await ifThere(fs.unlink(folder.at(names.returning)));
  // Stopped between moving a file aside and naming the next one: back with it first.
  if ((await ifThere(fs.lstat(address))) === undefined) {
    if ((await ifThere(giveName(fs, takenBack, address))) === undefined) {
      await ifThere(giveName(fs, aside, address));
    }
  }
  const stands = await lookAt(fs, address);
  const hash = stands.kind === "file" ? stands.hash : null;
  if (stands.kind !== "other" && hash === (before?.hash ?? null)) {
    await leave(aside);
    await leave(takenBack);
    return undefined;
  }
  if (stands.kind === "other" || hash !== after) {
    await leave(aside);
    await leave(takenBack);
    return stands.kind === "missing" ? "it was removed since" : "it was changed since";
  }
  if (after !== null) {
    await fs.rename(address, takenBack);
    const moved = await lookAt(fs, takenBack);
    if (moved.kind !== "file" || moved.hash !== after) {
      await giveName(fs, takenBack, address);
      await leave(takenBack);
      await leave(aside);
      return "it was changed since";
    }
  }
  const changedEarlier = await bringBack();
  await leave(takenBack);
  return changedEarlier;

  async function bringBack(): Promise<string | undefined> {
    if (before === null) return undefined;
    const old = await lookAt(fs, aside);
    if (old.kind === "missing") {
      const bytes = (await preImages()).subarray(before.offset, before.offset + before.size);
      if (sha256(bytes) !== before.hash) throw new Error(`The pre-image of ${path} is damaged.`);
      await writeNew(fs, folder.at(names.returning), bytes, before.mode, before);
    }
    const source = old.kind === "missing" ? folder.at(names.returning) : aside;
    if (!(await giveName(fs, source, address))) {
      await ifThere(fs.unlink(folder.at(names.returning)));
      await leave(aside);
      return "it was written again meanwhile";
    }
    // What was moved aside may be newer than the plan: then the user's version is back, and said.
    const isOld = old.kind === "missing" || (old.kind === "file" && old.hash === before.hash);
    return isOld ? undefined : "it was changed while kit was writing";
  }
}

/** A file that kept its passing name: known bytes go, anything else is kept outside the tree. */
async function putAway(
  { fs, stateDir, journal }: Restoration,
  address: string,
  path: RepoPath,
  known: readonly (string | undefined)[],
): Promise<void> {
  const left = await lookAt(fs, address);
  if (left.kind !== "file") return;
  if (!known.includes(left.hash)) await keep(fs, stateDir, journal.id, "found", path, left.bytes);
  await fs.unlink(address);
}

async function keepPreImage(
  { fs, stateDir, journal }: Restoration,
  preImages: () => Promise<Buffer>,
  { path, before }: JournalStep,
  reason: string,
): Promise<Kept> {
  if (before === null) return { path, reason };
  const bytes = (await preImages()).subarray(before.offset, before.offset + before.size);
  const preImage = await keep(fs, stateDir, journal.id, "before", path, bytes);
  return { path, preImage, reason };
}

/** A deleted file whose folder is gone too: the folder is made again. */
async function inNewFolder(
  fs: FileSystem,
  root: string,
  work: Work,
  settle: (folder: Folder, name: string, work: Work) => Promise<void>,
): Promise<void> {
  const { folders, name } = splitPath(work.path);
  for (const depth of folders.keys()) {
    const way = await walk(fs, root, folders.slice(0, depth));
    if (way.kind !== "folder") continue;
    try {
      await fs.mkdir(way.folder.at(folders[depth] ?? ""), 0o777);
      await way.folder.sync();
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    } finally {
      await way.folder.close();
    }
  }
  const way = await walk(fs, root, folders);
  if (way.kind !== "folder") return;
  try {
    await settle(way.folder, name, work);
    await way.folder.sync();
  } finally {
    await way.folder.close();
  }
}

/** Folders that kit made go again, innermost first, unless something is in them. */
async function removeFolders(fs: FileSystem, { root, folders }: Journal): Promise<void> {
  for (const path of folders.toReversed()) {
    const { folders: parents, name } = splitPath(path);
    const way = await walk(fs, root, parents);
    if (way.kind !== "folder") continue;
    try {
      await fs.rmdir(way.folder.at(name));
      await way.folder.sync();
    } catch (error) {
      const code = errorCode(error) ?? "";
      if (!["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code)) throw error;
    } finally {
      await way.folder.close();
    }
  }
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
