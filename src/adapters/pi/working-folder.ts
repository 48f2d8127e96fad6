import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { KitError } from "../../contracts/index.ts";
import { readTextIfExists, writeFileDurably } from "../../lib/files.ts";
import { homeFolder } from "../../lib/home-folder.ts";
import { sha256 } from "../../lib/text.ts";
import type { Environment } from "../program.ts";

/** A system prompt that a killed kit left behind is removed after this. */
const staleAfterMs = 24 * 60 * 60 * 1000;

/** `$XDG_CACHE_HOME/kit/pi`, by default `~/.cache/kit/pi`; absolute whatever the two hold. */
export function piCacheFolder(env: Environment): string {
  const { XDG_CACHE_HOME: cache } = env;
  const isWhole = cache !== undefined && isAbsolute(cache);
  return join(isWhole ? cache : join(homeFolder(env), ".cache"), "kit", "pi");
}

/**
 * pi's settings for a one-shot call: its own retries and compaction off, so that kit sees each
 * failure at once and no second request is made. The idle limit is kit's, with a margin: without
 * it pi 1.x ends a silent request at its own 300 s, whatever kit was told to allow.
 */
export function piSettings(idleTimeoutMs: number): object {
  return {
    retry: { enabled: false, provider: { maxRetries: 0 } },
    compaction: { enabled: false },
    httpIdleTimeoutMs: idleTimeoutMs + 30_000,
  };
}

/**
 * The private folder pi runs in: nobody's repository, one per settings, always at the same place,
 * because pi puts the folder's name into the system prompt and providers cache by its text.
 * Gives its absolute path; everything in it is the user's alone (0700/0600).
 * @throws KitError `environment` when it cannot be made or is somebody else's.
 */
export async function workingFolder(cacheFolder: string, settings: object): Promise<string> {
  const text = `${JSON.stringify(settings)}\n`;
  const folder = join(cacheFolder, sha256(text).slice(0, 12));
  const settingsFile = join(folder, ".pi", "settings.json");
  try {
    await mkdir(join(folder, ".pi"), { recursive: true, mode: 0o700 });
    for (const own of [folder, join(folder, ".pi")]) await makePrivate(own);
    if ((await readTextIfExists(settingsFile)) !== text)
      await writeFileDurably(settingsFile, Buffer.from(text), 0o600);
  } catch (error) {
    throw unusable(cacheFolder, error);
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

/** Settings there decide what pi loads, so a folder another user controls is not used. */
async function makePrivate(folder: string): Promise<void> {
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
