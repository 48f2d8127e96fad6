import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  writeFileSync,
} from "node:fs";
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
 * At once, as everything here: the less happens between a look and its use, the better.
 * @throws OddPlaceError for a link (also to the right kind), or another kind than `kind`.
 */
export function requireOwnPlace(path: string, kind: "file" | "folder"): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (kind === "file" ? stats.isFile() : stats.isDirectory()) return;
  throw new OddPlaceError(path, kindOf(path, stats));
}

/** The text of a file of kit's own; `undefined` where there is none. @throws OddPlaceError */
export function readOwnFile(path: string): string | undefined {
  requireOwnPlace(path, "file");
  try {
    return withOwnFile(path, constants.O_RDONLY, (descriptor) => readFileSync(descriptor, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the text of a file of kit's own, readable by its owner alone. @throws OddPlaceError */
export function writeOwnFile(path: string, text: string): void {
  requireOwnPlace(path, "file");
  withOwnFile(path, constants.O_WRONLY | constants.O_CREAT, (descriptor) => {
    ftruncateSync(descriptor);
    writeFileSync(descriptor, text);
  });
}

/** Looks again once it is open, as the place may have changed; a pipe must not make kit wait. */
function withOwnFile<T>(path: string, flags: number, effect: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new OddPlaceError(path, kindOf(path, stats));
    return effect(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(path: string, stats: Stats): string {
  if (stats.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  if (stats.isDirectory()) return "a folder";
  if (stats.isFile()) return "a file";
  return stats.isFIFO() ? "a pipe" : "a device or socket";
}
