import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { KitError } from "../contracts/index.ts";
import { homeFolder } from "../lib/home-folder.ts";
import type { Environment } from "./program.ts";

/** A system prompt that a killed kit left behind is removed after this. */
const staleAfterMs = 24 * 60 * 60 * 1000;

/** `$XDG_CACHE_HOME/kit/NAME`, by default `~/.cache/kit/NAME`; absolute whatever the two hold. */
export function cacheFolder(env: Environment, name: string): string {
  const { XDG_CACHE_HOME: cache } = env;
  const isWhole = cache !== undefined && isAbsolute(cache);
  return join(isWhole ? cache : join(homeFolder(env), ".cache"), "kit", name);
}

/**
 * An adapter's own folder to run programs in: nobody's repository, always at the same place, empty
 * but for system prompts, the user's alone (0700). Gives its absolute path.
 * @throws KitError `environment` when it cannot be made or is somebody else's.
 */
export async function emptyFolder(env: Environment, name: string): Promise<string> {
  const folder = join(cacheFolder(env, name), "empty");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makePrivate(folder);
  } catch (error) {
    throw unusable(folder, error);
  }
  return folder;
}

/** A full disk, a read-only home: said once, with what mends it. */
export function unusable(cacheFolder: string, error: unknown): KitError {
  if (error instanceof KitError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new KitError("environment", `kit cannot use its cache folder ${cacheFolder}: ${reason}`, {
    next: "Make it writable, or set XDG_CACHE_HOME to a folder that is",
    cause: error,
  });
}

/** What stands there may decide what a program loads, so another user's folder is not used. */
export async function makePrivate(folder: string): Promise<void> {
  const found = await lstat(folder);
  const mine = process.getuid?.() ?? found.uid;
  if (!found.isDirectory() || found.uid !== mine)
    throw new KitError("environment", `${folder} is not a folder of yours`, { next: `Remove it` });
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/**
 * Writes a system prompt to a file of its own in `folder` (0600) and gives its path and how to
 * remove it. By file, because an argument has a size limit and an empty one means pi's default.
 * @throws KitError `environment` when it cannot be written, or `folder` is not absolute: pi takes
 * a path that is no file for the prompt itself.
 */
export async function systemPromptFile(
  folder: string,
  text: string,
  now: number,
): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const file = join(folder, `system-${randomUUID()}.txt`);
  if (!isAbsolute(file)) throw unusable(folder, new Error("it is not an absolute path"));
  try {
    await removeStale(folder, now);
    await writeFile(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    await rm(file, { force: true });
    throw unusable(folder, error);
  }
  return { file, remove: () => rm(file, { force: true }) };
}

async function removeStale(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith("system-")) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > staleAfterMs) await rm(file, { force: true });
  }
}
