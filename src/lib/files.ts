import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, open, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The bytes of a file; links are followed. @throws the system's error (`code`). */
export function readBytes(file: string): Promise<Buffer> {
  return readFile(file);
}

/** The file as text, or `undefined` where there is none. @throws every other system error. */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True when something is at the path, also a link to nowhere. @throws every other system error. */
export async function pathExists(file: string): Promise<boolean> {
  return (await statOf(file)) !== undefined;
}

/**
 * Replaces a file so that a crash at any moment leaves the old content or the new one: temporary
 * file in the same folder, fsync, rename, fsync of the folder. `mode` (permission bits) defaults
 * to the old file's, else 0644 under the process's umask. A link at the path is replaced, never
 * written through. The folder must exist.
 * @throws the system's error with `code` (ENOSPC, EROFS, EACCES, …); the old file is untouched
 * and no temporary file stays. `ENOTSUP` where a device, socket or pipe is at the path.
 */
export async function writeFileDurably(
  file: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  const old = await statOf(file);
  if (old !== undefined && !old.isFile() && !old.isSymbolicLink()) throw notAFile(file, old);
  const kept = old?.isFile() === true ? old : undefined;
  const temporary = join(dirname(file), `.kit-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", mode ?? 0o644);
  try {
    try {
      await handle.writeFile(content);
      const bits = mode ?? (kept === undefined ? undefined : kept.mode & 0o7777);
      if (kept !== undefined) await keepOwner(handle, kept);
      if (bits !== undefined) await handle.chmod(bits);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Makes renames, creations and removals in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems (9p, FUSE) cannot fsync a folder; there is nothing better to do there.
    if (!["EINVAL", "ENOTSUP", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
  } finally {
    await handle.close();
  }
}

/**
 * True when `file` is `root` or below it, by the words of the two paths alone: links are not
 * resolved, so callers that open the file resolve both first.
 */
export function isInside(root: string, file: string): boolean {
  const path = relative(resolve(root), resolve(file));
  return path === "" || (!isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`));
}

/** The system's error code (`ENOENT`, …), where the thrown value has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function notAFile(file: string, stats: Stats): Error {
  const code = stats.isDirectory() ? "EISDIR" : "ENOTSUP";
  const what = stats.isDirectory() ? "a folder" : "no regular file";
  return Object.assign(new Error(`${code}: ${basename(file)} is ${what}: ${file}`), { code });
}

/** Under sudo a rename would hand the user's file to root. */
async function keepOwner(
  handle: Awaited<ReturnType<typeof open>>,
  { uid, gid }: Stats,
): Promise<void> {
  if (process.geteuid?.() === uid && process.getegid?.() === gid) return;
  await handle.chown(uid, gid).catch(() => undefined);
}
