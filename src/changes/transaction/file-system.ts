import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";

/** What `lstat` or an opened file says, links not followed. */
export interface Stat {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Permission bits, set-id and sticky bits included. */
  readonly mode: number;
  /** How many names the file has. */
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes. */
  readonly size: number;
  /** When its content, or a folder's list of names, was last changed. */
  readonly modifiedNs: bigint;
  /** Device and inode: the same for two names of one file. */
  readonly identity: string;
}

/** An opened file or folder; what is done to it does not depend on its name any more. */
export interface OpenFile {
  readonly fd: number;
  stat(): Promise<Stat>;
  /** All bytes from the start. */
  read(): Promise<Buffer>;
  write(bytes: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Every effect a transaction has on a disk. The real one is `fileSystem`; whoever wants to see or
 * hold up an effect wraps it. All functions reject with the system's errno errors.
 */
export interface FileSystem {
  /** Folder in which open descriptors stand as names (`/proc/self/fd`), where the system has one. */
  readonly descriptorFolder: string | undefined;
  /** `flags` of `node:fs` constants; `O_NOFOLLOW` and `O_CLOEXEC` are always added. */
  open(file: string, flags: number, mode?: number): Promise<OpenFile>;
  lstat(file: string): Promise<Stat>;
  readlink(link: string): Promise<string>;
  realpath(file: string): Promise<string>;
  names(folder: string): Promise<string[]>;
  mkdir(folder: string, mode: number): Promise<void>;
  rmdir(folder: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; fails with EEXIST rather than replacing one. */
  link(from: string, to: string): Promise<void>;
  unlink(file: string): Promise<void>;
}

/** The disk. */
export const fileSystem: FileSystem = {
  descriptorFolder: existsSync("/proc/self/fd/0") ? "/proc/self/fd" : undefined,
  open: async (file, flags, mode) =>
    openFile(await fs.open(file, flags | constants.O_NOFOLLOW, mode)),
  lstat: async (file) => toStat(await fs.lstat(file, { bigint: true })),
  readlink: (link) => fs.readlink(link),
  realpath: (file) => fs.realpath(file),
  names: (folder) => fs.readdir(folder),
  mkdir: async (folder, mode) => {
    await fs.mkdir(folder, { mode });
  },
  rmdir: (folder) => fs.rmdir(folder),
  rename: (from, to) => fs.rename(from, to),
  link: (from, to) => fs.link(from, to),
  unlink: (file) => fs.unlink(file),
};

function openFile(handle: fs.FileHandle): OpenFile {
  return {
    fd: handle.fd,
    stat: async () => toStat(await handle.stat({ bigint: true })),
    read: () => handle.readFile(),
    write: (bytes) => handle.writeFile(bytes),
    chmod: (mode) => handle.chmod(mode),
    chown: (uid, gid) => handle.chown(uid, gid),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

function toStat(stat: BigIntStats): Stat {
  return {
    kind: kindOf(stat),
    mode: Number(stat.mode) & 0o7777,
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    size: Number(stat.size),
    modifiedNs: stat.mtimeNs,
    identity: `${stat.dev}:${stat.ino}`,
  };
}

function kindOf(stat: BigIntStats): Stat["kind"] {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "folder";
  return stat.isSymbolicLink() ? "link" : "other";
}

/** The errno code of an error, or undefined where it is not the system's. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** `effect`'s value, or undefined where nothing stands at the path. Other errors pass. */
export async function ifThere<T>(effect: Promise<T>): Promise<T | undefined> {
  try {
    return await effect;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
