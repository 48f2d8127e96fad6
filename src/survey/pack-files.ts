import { parseRepoPath, type RepoPath } from "../contracts/index.ts";
import { isSecretFile, redact } from "../lib/redaction.ts";
import { decodeUtf8, sha256 } from "../lib/text.ts";
import { RepositoryReader } from "./reading.ts";
import { unreadableContent } from "./unread.ts";

/** A file as the coder gets to see it. */
export interface PackFileContent {
  readonly path: RepoPath;
  /** Exact, byte-order mark and CR included, unless `editOnly`. */
  readonly text: string;
  /** Size on disk, in bytes. */
  readonly bytes: number;
  /** SHA-256 of what stands on disk: a change planned from this text is held against it. */
  readonly hash: string;
  /**
   * The file holds what looks like credentials: `text` has them masked, so a search text must not
   * touch those lines, and the file must not be written whole.
   */
  readonly editOnly: boolean;
}

export interface PackFilesResult {
  readonly files: readonly PackFileContent[];
  /** Paths the coder does not see, each with the reason in words. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

export interface PackFileLimits {
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Bytes of all files; later ones are refused. */
  readonly maxTotalBytes: number;
}

const defaultPackFileLimits: PackFileLimits = {
  maxFileBytes: 1024 * 1024,
  maxTotalBytes: 4 * 1024 * 1024,
};

/**
 * Current contents of the pack's files for the coder's prompt, in the order given. Secret files,
 * links, LFS pointers, binaries and what is not strict UTF-8 are refused, never cut or guessed.
 * Generated and minified files are given: the pack names them on purpose.
 * @param root absolute, links resolved.
 */
export function readPackFiles(
  root: string,
  paths: readonly string[],
  limits: PackFileLimits = defaultPackFileLimits,
): PackFilesResult {
  const reader = new RepositoryReader(root);
  const files: PackFileContent[] = [];
  const refused: { path: string; reason: string }[] = [];
  let total = 0;
  for (const path of new Set(paths)) {
    const file = readOne(reader, path, limits.maxFileBytes);
    if ("reason" in file) refused.push({ path, reason: file.reason });
    else if (total + file.bytes > limits.maxTotalBytes) {
      refused.push({ path, reason: "the files before it fill the limit" });
    } else {
      total += file.bytes;
      files.push(file);
    }
  }
  return { files, refused };
}

function readOne(
  reader: RepositoryReader,
  path: string,
  maxBytes: number,
): PackFileContent | { readonly reason: string } {
  const parsed = parseRepoPath(path);
  if (!parsed.ok) return { reason: parsed.reason };
  if (isSecretFile(path)) return { reason: "secret file" };
  const read = reader.read(path, maxBytes);
  if (!read.ok) return { reason: read.reason };
  const unread = unreadableContent(read.bytes);
  if (unread === "binary" || unread === "LFS pointer") return { reason: unread };
  const text = decodeUtf8(read.bytes);
  if (text === undefined) return { reason: "not UTF-8" };
  const masked = redact(text);
  return {
    path: parsed.path,
    text: masked,
    bytes: read.bytes.length,
    hash: sha256(read.bytes),
    editOnly: masked !== text,
  };
}

/**
 * True when a change would write kit's own mask where a credential stood: new contents hold it
 * more often than the old. Such a change must be refused.
 */
export function writesMask(before: Uint8Array, after: Uint8Array): boolean {
  const masks = (bytes: Uint8Array): number =>
    Buffer.from(bytes).toString("latin1").split(mask).length - 1;
  return masks(after) > masks(before);
}

const mask = "[redacted]";
