import * as fs from "node:fs";
import { promisify } from "node:util";

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
  /** `flags` of `node:fs` constants; `O_NOFOLLOW` is always added. */
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

/**
 * The disk. All but syncing is done in place rather than in libuv's threads: a call takes
 * microseconds, handing it to a thread and back ten times that, and a transaction makes twenty a
 * file. Syncing waits for the disk, so that runs in threads, several at once.
 */
export const fileSystem: FileSystem = {
  descriptorFolder: fs.existsSync("/proc/self/fd/0") ? "/proc/self/fd" : undefined,
  open: async (file, flags, mode) =>
    openFile(fs.openSync(file, flags | fs.constants.O_NOFOLLOW, mode)),
  lstat: async (file) => toStat(fs.lstatSync(file, { bigint: true })),
  readlink: async (link) => fs.readlinkSync(link),
  realpath: async (file) => fs.realpathSync(file),
  names: async (folder) => fs.readdirSync(folder),
  mkdir: async (folder, mode) => {
    fs.mkdirSync(folder, { mode });
  },
  rmdir: async (folder) => fs.rmdirSync(folder),
  rename: async (from, to) => fs.renameSync(from, to),
  link: async (from, to) => fs.linkSync(from, to),
  unlink: async (file) => fs.unlinkSync(file),
};

const syncInThread = promisify(fs.fsync);

function openFile(fd: number): OpenFile {
  return {
    fd,
    stat: async () => toStat(fs.fstatSync(fd, { bigint: true })),
    read: async () => fs.readFileSync(fd),
    write: async (bytes) => fs.writeFileSync(fd, bytes),
    chmod: async (mode) => fs.fchmodSync(fd, mode),
    chown: async (uid, gid) => fs.fchownSync(fd, uid, gid),
    sync: () => syncInThread(fd),
    close: async () => fs.closeSync(fd),
  };
}

function toStat(stat: fs.BigIntStats): Stat {
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

function kindOf(stat: fs.BigIntStats): Stat["kind"] {
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
