import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { decodeUtf8 } from "./text.ts";

/** What came of reading a small text file that a person wrote. */
export type TextFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

const maxBytes = 256 * 1024;

/**
 * Reads a text file of at most 256 KiB, byte order mark dropped. A file that is no regular file
 * (a pipe, a device behind a link), too large, not UTF-8 or not readable says why; never throws
 * for what is on disk, never waits for a writer.
 */
export async function readTextFile(file: string): Promise<TextFile> {
  const read = await readSmallFile(file);
  return read.kind === "bytes" ? decodeTextFile(read.bytes) : read;
}

/** The bytes of a small file, under the same rules. */
export async function readSmallFile(
  file: string,
): Promise<
  { readonly kind: "bytes"; readonly bytes: Buffer } | Exclude<TextFile, { kind: "text" }>
> {
  try {
    // O_NONBLOCK: opening a named pipe must not wait for its other end.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return { kind: "unreadable", reason: "it is not a regular file" };
      if (stat.size > maxBytes) return { kind: "unreadable", reason: "it is larger than 256 KiB" };
      return { kind: "bytes", bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === "ENOENT" || code === "ENOTDIR") return missingOrDangling(file);
    return { kind: "unreadable", reason: `it cannot be read (${code})` };
  }
}

/** A link that leads nowhere is no absent file: whoever made it meant what it led to. */
async function missingOrDangling(file: string): Promise<Exclude<TextFile, { kind: "text" }>> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return { kind: "missing" };
  return { kind: "unreadable", reason: `it is a link to ${target}, which is not there` };
}

/** What bytes say as a text file. */
export function decodeTextFile(bytes: Uint8Array): TextFile {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) return { kind: "unreadable", reason: "its encoding is UTF-16; save it as UTF-8" };
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    return { kind: "unreadable", reason: "its encoding is not UTF-8; save it as UTF-8" };
  }
  return { kind: "text", text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}
