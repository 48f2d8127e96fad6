import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfExists, writeFileDurably } from "../../lib/files.ts";
import { sha256 } from "../../lib/text.ts";
import { makePrivate, unusable } from "../private-folder.ts";

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
