import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
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
    const file = join(this.#root, path);
    if (!this.#isReal(dirname(file))) return { ok: false, reason: "behind a symbolic link" };
    let descriptor: number;
    try {
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      return { ok: false, reason: reasonOf(codeOf(error)) };
    }
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { ok: false, reason: "not a regular file" };
      if (stat.size > maxBytes) return { ok: false, reason: `larger than ${sizeText(maxBytes)}` };
      const bytes = Buffer.allocUnsafe(stat.size);
      let length = 0;
      while (length < bytes.length) {
        const count = readSync(descriptor, bytes, length, bytes.length - length, length);
        if (count === 0) break;
        length += count;
      }
      return { ok: true, bytes: bytes.subarray(0, length) };
    } catch (error) {
      return { ok: false, reason: reasonOf(codeOf(error)) };
    } finally {
      closeSync(descriptor);
    }
  }

  #isReal(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let isReal: boolean;
    try {
      isReal = realpathSync(folder) === folder;
    } catch {
      // A missing folder: opening the file will say so.
      isReal = true;
    }
    this.#folders.set(folder, isReal);
    return isReal;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  ELOOP: "symbolic link",
  EMLINK: "symbolic link",
  EACCES: "not readable",
  EPERM: "not readable",
};

function reasonOf(code = "unknown"): string {
  return reasons[code] ?? `unreadable (${code})`;
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
