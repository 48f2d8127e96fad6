import { mkdir, readFile, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KitError } from "../contracts/index.ts";
import { codeOf, pathExists, writeFileDurably } from "../lib/files.ts";
import { sha256 } from "../lib/text.ts";
import type { LiveSettings } from "./live-settings.ts";

/** What was written; `backup` is absent where there was no file. */
export interface Replaced {
  readonly file: string;
  readonly backup?: string;
}

/**
 * Replaces pi's settings, if they are still what was read: a dated copy beside them first, then the
 * new text as a whole, under the lock that pi itself takes for its writes.
 * @param at names the copy
 * @throws KitError `conflict` where the file changed meanwhile or pi holds the lock; nothing is written
 */
export async function replaceSettings(
  live: LiveSettings,
  text: string,
  at: Date,
): Promise<Replaced> {
  const { file, target } = live;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const unlock = await lockAsPi(file);
  try {
    const now = await bytesIfAny(file);
    if ((now === undefined ? undefined : sha256(now)) !== live.hash) throw changed(file);
    const backup = now === undefined ? undefined : await backUp(target, now, at);
    await writeFileDurably(target, text);
    if (!(await readFile(file)).equals(Buffer.from(text))) throw changed(file);
    return { file, ...(backup !== undefined && { backup }) };
  } finally {
    await unlock();
  }
}

/** Mode and owner as the file's: it may hold what only the user may read. */
async function backUp(target: string, bytes: Buffer, at: Date): Promise<string> {
  const day = at.toISOString().replaceAll(":", "").replace(/\.\d+/, "");
  for (let number = 1; ; number += 1) {
    const name = `${target}.before-kit-${day}${number === 1 ? "" : `-${number}`}`;
    if (await pathExists(name)) continue;
    const { mode } = await stat(target);
    await writeFileDurably(name, bytes, mode & 0o7777);
    return name;
  }
}

async function bytesIfAny(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

const lockTries = 25;
const lockPauseMs = 40;

/** pi writes its settings holding the folder `settings.json.lock` (package proper-lockfile). */
async function lockAsPi(file: string): Promise<() => Promise<void>> {
  const lock = `${file}.lock`;
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(lock);
      return () => rmdir(lock).catch(() => undefined);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (tries >= lockTries) {
        throw new KitError("conflict", `pi is writing its settings: ${lock} is there.`, {
          cause: error,
          next: "Try again; where no pi is running, remove that folder",
        });
      }
    }
    await delay(lockPauseMs);
  }
}

function changed(file: string): KitError {
  return new KitError("conflict", `${file} changed while kit was working.`, {
    next: "Look at it, and run kit pi apply again",
  });
}
