import { constants } from "node:fs";
import { join } from "node:path";
import { errorCode, ifThere } from "./file-system.ts";
import type { FileSystem, OpenFile, Stat } from "./file-system.ts";
import { lookAt } from "./files.ts";

/**
 * A folder that was opened, not merely named. `at(name)` gives an address for one entry that stays
 * inside this very folder, whatever becomes of its name: on Linux it goes by way of the open
 * descriptor (`/proc/self/fd/N/name`), so a link put in the folder's place is never followed.
 */
export interface Folder {
  at(name: string): string;
  /**
   * Where addresses go by name (no descriptor folder), holds the name against the opened folder.
   * @throws MovedError when the folder was moved or replaced.
   */
  verify(): Promise<void>;
  stat(): Promise<Stat>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The folder at the end of a way, or what stood in the way. `at` is relative to the root. */
export type Way =
  | { readonly kind: "folder"; readonly folder: Folder }
  | { readonly kind: "missing"; readonly at: string }
  | { readonly kind: "link"; readonly at: string; readonly target: string }
  | { readonly kind: "barred"; readonly at: string; readonly what: string };

/** A folder is no longer what was opened. */
export class MovedError extends Error {
  override readonly name = "MovedError";
}

const openFlags = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Opens a folder by its absolute path, which the caller vouches for; a link is not followed.
 * @throws errno errors (`ENOENT`, `ENOTDIR`, …).
 */
export async function openFolder(fs: FileSystem, absolute: string): Promise<Folder> {
  return toFolder(fs, await fs.open(absolute, openFlags), absolute);
}

/**
 * Walks from `root` down `segments`, opening each folder from the one before, never through a
 * link and never into another repository. The folder is the caller's to close.
 * @throws errno errors, `EACCES` for a folder that may not be read among them.
 */
export async function walk(
  fs: FileSystem,
  root: string,
  segments: readonly string[],
): Promise<Way> {
  let folder = await openFolder(fs, root);
  let submodules: ReadonlySet<string> | undefined;
  for (const [depth, segment] of segments.entries()) {
    const at = segments.slice(0, depth + 1).join("/");
    let next: Way;
    try {
      submodules ??= await readSubmodules(fs, folder);
      next = submodules.has(at)
        ? { kind: "barred", at, what: "a submodule" }
        : await enter(fs, folder, segment, at, join(root, at));
    } finally {
      await folder.close();
    }
    if (next.kind !== "folder") return next;
    folder = next.folder;
  }
  return { kind: "folder", folder };
}

async function enter(
  fs: FileSystem,
  parent: Folder,
  name: string,
  at: string,
  absolute: string,
): Promise<Way> {
  const address = parent.at(name);
  let opened: OpenFile;
  try {
    opened = await fs.open(address, openFlags);
  } catch (error) {
    return whatStands(fs, address, at, error);
  }
  const folder = toFolder(fs, opened, absolute);
  try {
    await folder.verify();
    if (!(await isRepository(fs, folder))) return { kind: "folder", folder };
  } catch (error) {
    await folder.close();
    throw error;
  }
  await folder.close();
  return { kind: "barred", at, what: "a repository of its own" };
}

/** Why a folder could not be opened: O_DIRECTORY with O_NOFOLLOW says ENOTDIR or ELOOP of a link. */
async function whatStands(
  fs: FileSystem,
  address: string,
  at: string,
  error: unknown,
): Promise<Way> {
  const code = errorCode(error);
  if (code === "ENOENT") return { kind: "missing", at };
  if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
  const stat = await ifThere(fs.lstat(address));
  if (stat === undefined) return { kind: "missing", at };
  if (stat.kind === "link") return { kind: "link", at, target: await fs.readlink(address) };
  return { kind: "barred", at, what: stat.kind === "file" ? "a file" : "not a folder" };
}

/** Paths of `.gitmodules`: a submodule that was not fetched yet is an empty folder without `.git`. */
async function readSubmodules(fs: FileSystem, root: Folder): Promise<ReadonlySet<string>> {
  const file = await lookAt(fs, root.at(".gitmodules"));
  if (file.kind !== "file") return new Set();
  const lines = file.bytes.toString("utf8").matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gim);
  return new Set(Array.from(lines, ([, path = ""]) => path));
}

/** A folder with `.git` (clone, worktree, submodule), or laid out like a bare repository. */
async function isRepository(fs: FileSystem, folder: Folder): Promise<boolean> {
  const stands = async (name: string): Promise<boolean> =>
    (await ifThere(fs.lstat(folder.at(name)))) !== undefined;
  if (await stands(".git")) return true;
  return (await stands("HEAD")) && (await stands("objects")) && (await stands("refs"));
}

function toFolder(fs: FileSystem, opened: OpenFile, absolute: string): Folder {
  const { descriptorFolder } = fs;
  const base = descriptorFolder === undefined ? absolute : `${descriptorFolder}/${opened.fd}`;
  return {
    at: (name) => `${base}/${name}`,
    verify: async () => {
      if (descriptorFolder !== undefined) return;
      const [named, itself] = [await ifThere(fs.lstat(absolute)), await opened.stat()];
      if (named?.identity !== itself.identity || (await fs.realpath(absolute)) !== absolute) {
        throw new MovedError(absolute);
      }
    },
    stat: () => opened.stat(),
    sync: () => opened.sync(),
    // Nothing is written through a folder: a close that fails has nothing to say.
    close: () => opened.close().catch(() => {}),
  };
}
