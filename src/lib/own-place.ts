import { constants, type Stats } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { codeOf } from "./files.ts";

/** Something else stands where kit keeps a file or folder of its own; nothing was written. */
export class OddPlaceError extends Error {
  override readonly name = "OddPlaceError";
  /** Absolute. */
  readonly path: string;

  /** @param found what stands there, as it follows "is": `a link to /etc` */
  constructor(path: string, found: string, options?: ErrorOptions) {
    super(`${path} is ${found}: kit neither reads nor writes there`, options);
    this.path = path;
  }
}

/**
 * Looks at a place of kit's own before it is used: a downloaded folder may hold a link there,
 * which would lead writes and changed permissions elsewhere. Nothing at the path is right too.
 * @throws OddPlaceError for a link (also to the right kind), or another kind than `kind`.
 */
export async function requireOwnPlace(path: string, kind: "file" | "folder"): Promise<void> {
  let stats: Stats;
  try {
    stats = await lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if (kind === "file" ? stats.isFile() : stats.isDirectory()) return;
  throw new OddPlaceError(path, await kindOf(path, stats));
}

/** The text of a file of kit's own; `undefined` where there is none. @throws OddPlaceError */
export async function readOwnFile(path: string): Promise<string | undefined> {
  await requireOwnPlace(path, "file");
  try {
    return await withOwnFile(path, constants.O_RDONLY, (handle) => handle.readFile("utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the text of a file of kit's own, readable by its owner alone. @throws OddPlaceError */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await requireOwnPlace(path, "file");
  const flags = constants.O_WRONLY | constants.O_CREAT;
  await withOwnFile(path, flags, async (handle) => {
    await handle.truncate();
    await handle.writeFile(text);
  });
}

type Handle = Awaited<ReturnType<typeof open>>;

/** Looks again once it is open, as the place may have changed; a pipe must not make kit wait. */
async function withOwnFile<T>(
  path: string,
  flags: number,
  effect: (handle: Handle) => Promise<T>,
): Promise<T> {
  const handle = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new OddPlaceError(path, await kindOf(path, stats));
    return await effect(handle);
  } finally {
    await handle.close();
  }
}

async function kindOf(path: string, stats: Stats): Promise<string> {
  if (stats.isSymbolicLink()) return `a link to ${await readlink(path)}`;
  if (stats.isDirectory()) return "a folder";
  if (stats.isFile()) return "a file";
  return stats.isFIFO() ? "a pipe" : "a device or socket";
}
