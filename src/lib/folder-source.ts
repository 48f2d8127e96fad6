import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { decodeTextFile, readTextFile, type TextFile } from "./text-file.ts";

/** A folder on disk, or what was read of it at one moment. */
export interface FolderSource {
  /** Absolute; need not exist. */
  readonly folder: string;
  /** By path below the folder, `/` between segments; absent: the disk is asked. */
  readonly files?: ReadonlyMap<
    string,
    | { readonly kind: "bytes"; readonly bytes: Uint8Array }
    | { readonly kind: "unreadable"; readonly reason: string }
  >;
}

/** Names in a folder below the source, `""` for the source itself; none where there is no folder. */
export async function namesIn(
  { folder, files }: FolderSource,
  below: string,
): Promise<readonly string[]> {
  if (files === undefined) return readdir(join(folder, below)).catch(() => []);
  return [...files.keys()]
    .filter((path) => posix.dirname(path) === (below === "" ? "." : below))
    .map((path) => posix.basename(path));
}

/** A text file of the source, by its path below it. Never throws for what is there. */
export async function readTextIn({ folder, files }: FolderSource, path: string): Promise<TextFile> {
  if (files === undefined) return readTextFile(join(folder, path));
  const content = files.get(path);
  if (content === undefined) return { kind: "missing" };
  return content.kind === "bytes" ? decodeTextFile(content.bytes) : content;
}
