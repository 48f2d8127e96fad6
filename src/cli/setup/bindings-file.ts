import { copyFile, constants, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KitError } from "../../contracts/index.ts";
import { codeOf, writeFileDurably } from "../../lib/files.ts";
import { readTextFile } from "../../lib/text-file.ts";

/** The user's file of bindings as it was read. */
export interface BindingsFile {
  /** Absolute. */
  readonly path: string;
  /** Absent: there is none yet. */
  readonly text?: string;
}

/**
 * Finds the file that bindings belong into.
 * @param folder the user's configuration folder; need not exist
 * @throws KitError `configuration` where kit cannot add to what is there
 */
export async function readBindingsFile(folder: string): Promise<BindingsFile> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  const json = names.find((name) => /^models(?:\.local)?\.json$/.test(name));
  if (json !== undefined) {
    throw new KitError("configuration", `${join(folder, json)} holds bindings as JSON already.`, {
      next: "Add to it by hand, or make it YAML: docs/routing.md",
    });
  }
  const name = names.find((each) => /^models\.local\.ya?ml$/.test(each)) ?? "models.local.yaml";
  const path = join(folder, name);
  const read = await readTextFile(path);
  if (read.kind === "missing") return { path };
  if (read.kind === "text") return { path, text: read.text };
  throw new KitError("configuration", `${path} cannot be read: ${read.reason}.`, {
    next: "Mend it, or move it away, and run kit init again",
  });
}

/**
 * Writes the file, readable by its owner alone; what it held before goes into a file beside it.
 * A link is written through: people keep such files elsewhere.
 * @returns the copy's path, where there was something to copy
 * @throws KitError `conflict` when it is not as it was read
 */
export async function writeBindingsFile(
  { path, text }: BindingsFile,
  content: string,
  now: Date,
): Promise<string | undefined> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = (await isThere(path)) ? await realpath(path) : path;
  const read = await readTextFile(target);
  if ((read.kind === "text" ? read.text : undefined) !== text) {
    throw new KitError("conflict", `${path} changed meanwhile; nothing was written.`, {
      next: "Run kit init again",
    });
  }
  const copy = text === undefined ? undefined : await keepCopy(path, now);
  await writeFileDurably(target, content, 0o600);
  return copy;
}

async function keepCopy(path: string, now: Date): Promise<string> {
  const day = now.toISOString().slice(0, 19).replaceAll(":", "-");
  for (let number = 1; ; number += 1) {
    // Not the ending of a configuration file: nobody reads it as one.
    const copy = `${path}.${day}${number === 1 ? "" : `-${number}`}.bak`;
    try {
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
