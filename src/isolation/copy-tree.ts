import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  symlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../lib/files.ts";

/** Copies that are under way at once. */
const width = 16;

/**
 * Copies entries of one tree into another, byte for byte: files with their mode, links as links,
 * folders with all they hold but git's own. What is missing in `from` is left out.
 *
 * @param from absolute, links resolved; nothing that lies elsewhere is read through a link
 * @param to absolute; folders are made as needed
 * @param paths relative, `/` between segments
 */
export async function copyEntries(
  from: string,
  to: string,
  paths: readonly string[],
): Promise<void> {
  const folders = new Map<string, Promise<boolean>>();
  /** Makes the folder of a path; false where its way leads through a link or is gone. */
  const ready = (path: string): Promise<boolean> => {
    const folder = dirname(path);
    const known = folders.get(folder) ?? readyFolder(from, to, folder);
    folders.set(folder, known);
    return known;
  };
  const waiting = paths.values();
  const worker = async (): Promise<void> => {
    for (const path of waiting) {
      if (await ready(path)) await copyEntry(join(from, path), join(to, path));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function readyFolder(from: string, to: string, folder: string): Promise<boolean> {
  if (folder === ".") return true;
  const source = join(from, folder);
  try {
    if ((await realpath(source)) !== source) return false;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
  await mkdir(join(to, folder), { recursive: true });
  return true;
}

async function copyEntry(source: string, target: string): Promise<void> {
  try {
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (stats.isDirectory()) await copyFolder(source, target);
    else if (stats.isFile()) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, stats.mode & 0o7777);
    }
  } catch (error) {
    // The user's tree may change meanwhile.
    if (!isGone(error)) throw error;
  }
}

async function copyFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(source)) {
    if (name !== ".git") await copyEntry(join(source, name), join(target, name));
  }
}

function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}
