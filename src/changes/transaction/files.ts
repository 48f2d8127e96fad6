import { constants } from "node:fs";
import { sha256 } from "../../lib/text.ts";
import { errorCode, ifThere } from "./file-system.ts";
import type { FileSystem, OpenFile, Stat } from "./file-system.ts";
import type { Folder } from "./folders.ts";

/** What stands at an address: nothing, a file with its hash, or something a file may not replace. */
export type Standing =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      readonly bytes: Buffer;
      readonly hash: string;
      readonly stat: Stat;
    }
  | { readonly kind: "other"; readonly what: string };

/** What is larger is neither read into memory nor changed. */
const maxBytes = 256 * 1024 * 1024;

/** O_NONBLOCK: a named pipe with no writer would hold an ordinary open up for ever. */
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens without following a link and reads what was opened, so that name and bytes belong together.
 * `flags` may ask for write access as a check that it would be given. Throws errno errors.
 */
export async function lookAt(
  fs: FileSystem,
  address: string,
  flags: number = readFlags,
): Promise<Standing> {
  let opened: OpenFile;
  try {
    opened = await fs.open(address, flags);
  } catch (error) {
    return whatStands(fs, address, error);
  }
  try {
    const stat = await opened.stat();
    if (stat.kind !== "file") return { kind: "other", what: inWords(stat) };
    if (stat.size > maxBytes) return { kind: "other", what: "larger than 256 MiB" };
    const bytes = await opened.read();
    return { kind: "file", bytes, hash: sha256(bytes), stat };
  } finally {
    await opened.close();
  }
}

/** `lookAt` that also asks the system whether the file may be written, without writing. */
export function lookAtWritable(fs: FileSystem, address: string): Promise<Standing> {
  return lookAt(fs, address, constants.O_RDWR | constants.O_NONBLOCK);
}

async function whatStands(fs: FileSystem, address: string, error: unknown): Promise<Standing> {
  const code = errorCode(error);
  if (code === "ENOENT") return { kind: "missing" };
  // ELOOP: a link; EISDIR: a folder opened for writing; ENXIO: a socket.
  if (code !== "ELOOP" && code !== "EISDIR" && code !== "ENXIO") throw error;
  const stat = await ifThere(fs.lstat(address));
  if (stat === undefined) return { kind: "missing" };
  if (stat.kind !== "link") return { kind: "other", what: inWords(stat) };
  return { kind: "other", what: `a symbolic link to ${await fs.readlink(address)}` };
}

function inWords({ kind }: Stat): string {
  const words = { file: "a file", folder: "a folder", link: "a symbolic link", other: "no file" };
  return words[kind];
}

/** Permission bits and owner a new file is given; absent: `mode` less the umask, the caller's owner. */
export interface Likeness {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Writes a file that must not exist yet into `folder` and syncs it; the folder is verified once
 * more before any byte is written. With `like` the file is private until owner and mode are set.
 */
export async function writeNew(
  fs: FileSystem,
  folder: Folder,
  name: string,
  bytes: Uint8Array,
  mode: number,
  like?: Likeness,
): Promise<void> {
  const address = folder.at(name);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const opened = await fs.open(address, flags, like === undefined ? mode : 0o600);
  try {
    await folder.verify();
    await opened.write(bytes);
    if (like !== undefined) await makeLike(opened, like);
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function makeLike(opened: OpenFile, like: Likeness): Promise<void> {
  const { uid, gid } = await opened.stat();
  let owned = true;
  if (uid !== like.uid || gid !== like.gid) {
    try {
      await opened.chown(like.uid, like.gid);
    } catch (error) {
      if (errorCode(error) !== "EPERM") throw error;
      owned = false;
    }
  }
  // Set-id bits under another owner would hand out rights the old file did not give.
  await opened.chmod(owned ? like.mode : like.mode & 0o1777);
}

/**
 * Gives the file at `from` the name `to`, which must be free, and takes the old name away.
 * @returns false when something stands at `to`; nothing is changed then.
 */
export async function giveName(fs: FileSystem, from: string, to: string): Promise<boolean> {
  try {
    await fs.link(from, to);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") {
      throw error;
    }
    // No hard links here (FAT, some network disks), or `from` is a folder: look, then rename.
    if ((await ifThere(fs.lstat(to))) !== undefined) return false;
    await fs.rename(from, to);
    return true;
  }
  await fs.unlink(from);
  return true;
}
