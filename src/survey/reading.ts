import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { codeOf } from "../lib/files.ts";

export type ReadFile =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads regular files inside `root` and nothing else: no link is followed, neither the file's
 * own nor one of a folder above it, and nothing is waited for (pipes, devices).
 */
export class RepositoryReader {
  readonly #root: string;
  readonly #folders = new Map<string, boolean>();

  /** @param root absolute, links resolved. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The bytes of a file of at most `maxBytes`, or why not, in words. */
  read(path: string, maxBytes: number): ReadFile {
    return this.#open(path, (descriptor) => {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { ok: false, reason: "not a regular file" };
      if (stat.size > maxBytes) return { ok: false, reason: tooLarge(maxBytes) };
      const bytes = Buffer.allocUnsafe(stat.size);
      return { ok: true, bytes: bytes.subarray(0, readFully(descriptor, bytes)) };
    });
  }

  /**
   * The start of a file, as much as `buffer` takes, which the next call overwrites: for going
   * through many files quickly. Of what is no regular file nothing comes.
   * @param maxBytes a larger file is refused.
   */
  readStart(path: string, buffer: Buffer, maxBytes: number): ReadFile {
    return this.#open(path, (descriptor) => {
      // A regular file gives less than was asked for at its end only.
      const length = readSync(descriptor, buffer, 0, buffer.length, 0);
      if (length === buffer.length && fstatSync(descriptor).size > maxBytes) {
        return { ok: false, reason: tooLarge(maxBytes) };
      }
      return { ok: true, bytes: buffer.subarray(0, length) };
    });
  }

  #open(path: string, use: (descriptor: number) => ReadFile): ReadFile {
    const cut = path.lastIndexOf("/");
    if (cut !== -1 && !this.#isReal(path.slice(0, cut)))
      return { ok: false, reason: "behind a symbolic link" };
    let descriptor: number;
    try {
      descriptor = openSync(`${this.#root}/${path}`, openFlags);
    } catch (error) {
      return { ok: false, reason: reasonOf(codeOf(error)) };
    }
    try {
      return use(descriptor);
    } catch (error) {
      return { ok: false, reason: reasonOf(codeOf(error)) };
    } finally {
      closeSync(descriptor);
    }
  }

  /** True unless the folder, or one above it, is a link. */
  #isReal(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const cut = folder.lastIndexOf("/");
    const isReal = (cut === -1 || this.#isReal(folder.slice(0, cut))) && !this.#isLink(folder);
    this.#folders.set(folder, isReal);
    return isReal;
  }

  #isLink(folder: string): boolean {
    try {
      return lstatSync(`${this.#root}/${folder}`).isSymbolicLink();
    } catch {
      // A missing folder, or one that may not be looked into: opening the file will say so.
      return false;
    }
  }
}

const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads from the start until the file or the buffer ends; gives the number of bytes. */
function readFully(descriptor: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (count === 0) break;
    length += count;
  }
  return length;
}

function tooLarge(maxBytes: number): string {
  return `larger than ${sizeText(maxBytes)}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  ELOOP: "symbolic link",
  EMLINK: "symbolic link",
  EISDIR: "not a regular file",
  ESPIPE: "not a regular file",
  ENXIO: "not a regular file",
  EACCES: "not readable",
  EPERM: "not readable",
};

function reasonOf(code = "unknown"): string {
  return reasons[code] ?? `unreadable (${code})`;
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
