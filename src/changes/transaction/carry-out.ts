import type { RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { errorCode, ifThere } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { giveName, lookAt, writeNew } from "./files.ts";
import type { Likeness } from "./files.ts";
import { visitByFolder } from "./folder-groups.ts";
import { walk } from "./folders.ts";
import type { Folder } from "./folders.ts";
import type { Ground } from "./ground.ts";
import { passingNames } from "./journal.ts";
import type { Journal, JournalStep, PassingNames } from "./journal.ts";
import { barredWay, conflict, toObstacle } from "./obstacle.ts";
import type { Site } from "./site.ts";
import { splitPath } from "./steps.ts";
import type { NewContent, Step } from "./steps.ts";

/** A step with what the transaction knows of it. */
interface Work {
  readonly path: RepoPath;
  readonly before: string | undefined;
  readonly after: NewContent | undefined;
  readonly like: Likeness | undefined;
  readonly names: PassingNames;
}

/** The record of what is about to happen, and the bytes it must be able to bring back. */
export function toJournal(
  id: string,
  steps: readonly Step[],
  ground: Ground,
): { journal: Journal; preImages: readonly Uint8Array[] } {
  const preImages: Uint8Array[] = [];
  let offset = 0;
  const journalSteps = steps.map((step): JournalStep => {
    const after = step.after === undefined ? null : sha256(step.after.bytes);
    const stands = ground.standing.get(step.path);
    if (step.before === undefined || stands === undefined) {
      return { path: step.path, before: null, after };
    }
    const { mode, uid, gid } = stands.stat;
    const size = stands.bytes.length;
    const before = { hash: step.before, mode, uid, gid, offset, size };
    preImages.push(stands.bytes);
    offset += size;
    return { path: step.path, before, after };
  });
  const folders = [...ground.missingFolders];
  return { journal: { version: 1, id, steps: journalSteps, folders }, preImages };
}

/**
 * Brings the tree to the new state; the journal must be on disk. What stood at a path is moved
 * aside, not replaced: whatever a user saved in the last moment is moved with it and found by its
 * hash. The new file then takes the name only where the name is free.
 * @throws Obstacle at the first thing in the way; the caller takes everything back.
 */
export async function carryOut(
  { fs, root }: Site,
  id: string,
  steps: readonly Step[],
  ground: Ground,
): Promise<void> {
  const work = steps.map((step, index) => toWork(step, ground, passingNames(id, index)));
  for (const folder of ground.missingFolders) await makeFolder(fs, root, folder);
  await visitByFolder(fs, root, work, {
    file: (folder, _name, each) => stage(fs, folder, each),
    barred: bar,
  });
  await visitByFolder(fs, root, work, {
    file: (folder, name, each) => swap(fs, folder, name, each),
    barred: bar,
  });
  await visitByFolder(fs, root, work, {
    file: (folder, _name, each) => checkAside(fs, folder, each),
    barred: bar,
  });
  await visitByFolder(fs, root, work, {
    file: (folder, _name, each) => clearAside(fs, folder, each),
    after: (folder) => folder.sync(),
    barred: bar,
  });
}

function toWork({ path, before, after }: Step, ground: Ground, names: PassingNames): Work {
  const like = after?.like === undefined ? undefined : ground.standing.get(after.like)?.stat;
  return { path, before, after, like, names };
}

async function bar(
  way: Parameters<typeof barredWay>[1],
  [first]: readonly { readonly path: RepoPath }[],
): Promise<void> {
  if (first !== undefined) throw barredWay(first.path, way);
}

/** One folder in a parent that exists, synced there; a folder that somebody made meanwhile is a conflict. */
async function makeFolder(fs: FileSystem, root: string, path: RepoPath): Promise<void> {
  const { folders, name } = splitPath(path);
  const way = await walk(fs, root, folders);
  if (way.kind !== "folder") throw barredWay(path, way);
  try {
    await fs.mkdir(way.folder.at(name), 0o777);
    await way.folder.sync();
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw conflict(path, `${path} exists by now.`);
    throw toObstacle(error, path);
  } finally {
    await way.folder.close();
  }
}

async function stage(fs: FileSystem, folder: Folder, work: Work): Promise<void> {
  if (work.after === undefined) return;
  const { bytes, mode } = work.after;
  await writeNew(fs, folder, work.names.staged, bytes, mode, work.like);
}

async function swap(fs: FileSystem, folder: Folder, name: string, work: Work): Promise<void> {
  await folder.verify();
  const address = folder.at(name);
  if (work.before !== undefined) {
    const moved = await ifThere(fs.rename(address, folder.at(work.names.aside)).then(() => true));
    if (moved === undefined) throw conflict(work.path, `${work.path} is gone since it was read.`);
  }
  if (work.after === undefined) return;
  if (await giveName(fs, folder.at(work.names.staged), address)) return;
  throw conflict(work.path, `${work.path} was written by somebody else meanwhile.`);
}

async function checkAside(fs: FileSystem, folder: Folder, work: Work): Promise<void> {
  if (work.before === undefined) return;
  const aside = await lookAt(fs, folder.at(work.names.aside));
  if (aside.kind === "file" && aside.hash === work.before) return;
  throw conflict(work.path, `${work.path} was changed on disk while kit was writing.`);
}

/** The pre-images have it too by now. */
async function clearAside(fs: FileSystem, folder: Folder, work: Work): Promise<void> {
  if (work.before !== undefined) await fs.unlink(folder.at(work.names.aside));
}
