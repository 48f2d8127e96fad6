import type { RepoPath, RollbackReport } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { ifThere } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { giveName, lookAt, writeNew } from "./files.ts";
import type { Standing } from "./files.ts";
import type { Folder } from "./folders.ts";
import { environment } from "./obstacle.ts";
import type { JournalStep, PassingNames, PreImage } from "./journal.ts";

/** A step on its way back, and what the way needs. */
export interface Return {
  readonly fs: FileSystem;
  readonly folder: Folder;
  /** Last segment of the path. */
  readonly name: string;
  readonly step: JournalStep;
  readonly names: PassingNames;
  /** The bytes that stood there before kit. */
  readonly readPreImage: (step: JournalStep, preImage: PreImage) => Promise<Buffer>;
  /** Puts bytes that belong to nobody's expectation where the user finds them. */
  readonly keepFound: (path: RepoPath, bytes: Uint8Array) => Promise<void>;
}

/** Why a file was left to the user; undefined: the old state stands again. */
export type LeftReason = RollbackReport["kept"][number]["reason"] | undefined;

/**
 * Gives one path its old file back, at whatever moment the transaction or an earlier restoring
 * was stopped; only where it holds what kit wrote. Safe to repeat.
 */
export async function restoreFile(way: Return): Promise<LeftReason> {
  const { fs, folder, name, step, names } = way;
  await folder.verify();
  const address = folder.at(name);
  const staged = await ifThere(fs.lstat(folder.at(names.staged)));
  await ifThere(fs.unlink(folder.at(names.staged)));
  await ifThere(fs.unlink(folder.at(names.returning)));
  await closeGap(way);

  const stands = await lookAt(fs, address);
  // Staged bytes that did not get the name yet: whatever has it is not kit's, even if it is equal.
  const isPlaced =
    staged === undefined || stands.kind !== "file" || stands.stat.identity === staged.identity;
  if (isOf(stands, step.before?.hash)) {
    await putAllAway(way);
    return undefined;
  }
  if (!isPlaced || !isOf(stands, step.after ?? undefined)) {
    await putAllAway(way);
    return stands.kind === "missing" ? "it was removed since" : "it was changed since";
  }
  await putAway(way, names.takenBack);
  const mode = stands.kind === "file" ? stands.stat.mode : undefined;
  const source = step.before === null ? undefined : await prepare(way, step.before, mode);
  let reason: LeftReason;
  try {
    reason = await exchange(way, source);
  } catch (error) {
    await closeGap(way).catch(() => {});
    throw error;
  }
  await putAllAway(way);
  return reason;
}

/** Stopped between moving a file aside and naming the next one: what was moved last comes back first. */
async function closeGap({ fs, folder, name, names }: Return): Promise<void> {
  const address = folder.at(name);
  if ((await ifThere(fs.lstat(address))) !== undefined) return;
  const back = await ifThere(giveName(fs, folder.at(names.takenBack), address));
  if (back === undefined) await ifThere(giveName(fs, folder.at(names.aside), address));
}

/** Moves kit's file away. @returns false when it turns out to be the user's; it has its name again. */
async function takeBack({ fs, folder, name, names }: Return, after: string): Promise<boolean> {
  const takenBack = folder.at(names.takenBack);
  const isMoved = await ifThere(fs.rename(folder.at(name), takenBack).then(() => true));
  if (isMoved === undefined) return false;
  if (isOf(await lookAt(fs, takenBack), after)) return true;
  await giveName(fs, takenBack, folder.at(name));
  return false;
}

/** An old file that is ready to take its name. `isOld`: false where it is newer than the plan. */
interface Source {
  readonly name: string;
  readonly isOld: boolean;
}

/**
 * The very file that was moved aside, else one made of its pre-image. `mode`: that of kit's file,
 * which has the old one's unless the user changed it since.
 */
async function prepare(way: Return, before: PreImage, mode = before.mode): Promise<Source> {
  const { fs, folder, names } = way;
  const aside = await lookAt(fs, folder.at(names.aside));
  if (aside.kind !== "missing") return { name: names.aside, isOld: isOf(aside, before.hash) };
  const bytes = await way.readPreImage(way.step, before);
  await writeNew(fs, folder, names.returning, bytes, mode, { ...before, mode });
  return { name: names.returning, isOld: true };
}

async function exchange(way: Return, source: Source | undefined): Promise<LeftReason> {
  const { fs, folder, name, step } = way;
  if (step.after !== null && !(await takeBack(way, step.after))) return "it was changed since";
  if (source === undefined) return undefined;
  if (!(await giveName(fs, folder.at(source.name), folder.at(name)))) {
    return "it was written again meanwhile";
  }
  // The user's version, moved aside in the last moment, is back; that is said.
  return source.isOld ? undefined : "it was changed while kit was writing";
}

async function putAllAway(way: Return): Promise<void> {
  await ifThere(way.fs.unlink(way.folder.at(way.names.returning)));
  await putAway(way, way.names.aside);
  await putAway(way, way.names.takenBack);
}

/** A file that still has a passing name: known bytes go, anything else is kept outside the tree. */
async function putAway({ fs, folder, step, keepFound }: Return, name: string): Promise<void> {
  const left = await lookAt(fs, folder.at(name));
  if (left.kind !== "file") return;
  if (left.hash !== step.before?.hash && left.hash !== step.after) {
    await keepFound(step.path, left.bytes);
  }
  await fs.unlink(folder.at(name));
}

/** `hash` undefined: nothing is to stand there. */
function isOf(stands: Standing, hash: string | undefined): boolean {
  return stands.kind === "file" ? stands.hash === hash : stands.kind === "missing" && !hash;
}

/** @throws Obstacle when the stored bytes are not those that were stored. */
export function cutPreImage(
  all: Buffer,
  { path }: JournalStep,
  { offset, size, hash }: PreImage,
): Buffer {
  const bytes = all.subarray(offset, offset + size);
  if (sha256(bytes) === hash) return bytes;
  throw environment(
    `The pre-image of ${path} is damaged on disk; the file stays as it is.`,
    "Take its old version from git or a backup, then try again.",
  );
}
