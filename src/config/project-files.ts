import { readdir, realpath } from "node:fs/promises";
import { join, posix } from "node:path";
import type { FileContent } from "../contracts/index.ts";
import { isInside } from "../lib/files.ts";
import { readSmallFile } from "../lib/text-file.ts";

/** The configuration of a repository as it was at one moment; what is trusted is what is used. */
export interface ProjectFiles {
  /** Absolute `.kit`; need not exist. */
  readonly folder: string;
  /** By path below the folder: every file that kit would read of it. */
  readonly files: ReadonlyMap<string, FileContent>;
}

/** Which files below `.kit` are configuration: folder and name. Runs, locks and journals are not. */
const kinds: readonly (readonly [folder: string, name: RegExp])[] = [
  ["", /^(?:routing|models|kit|classify)(?:\.local)?\.(?:yaml|yml|json)$/],
  ["agents", /^(?!readme\.md$).*\.md$/i],
  ["memory", /\.md$/],
];

const mostFiles = 500;
const mostBytes = 8 * 1024 * 1024;

/**
 * Reads the project layer once. A file that leads out of the repository, is no regular file or is
 * too large is there as unreadable, with the reason: a layer with one can not be trusted. Never
 * throws for what is on disk.
 *
 * @param root absolute top level of the repository, links resolved
 */
export async function readProjectFiles(root: string): Promise<ProjectFiles> {
  const folder = join(root, ".kit");
  const files = new Map<string, FileContent>();
  let bytes = 0;
  for (const [below, pattern] of kinds) {
    const names = await readdir(join(folder, below)).catch(() => []);
    for (const name of names.filter((each) => pattern.test(each)).toSorted()) {
      const content = await readInside(root, join(folder, below, name));
      if (content === undefined) continue;
      bytes += content.kind === "bytes" ? content.bytes.length : 0;
      const fits = files.size < mostFiles && bytes <= mostBytes;
      files.set(
        posix.join(below, name),
        fits ? content : { kind: "unreadable", reason: "there is too much configuration" },
      );
      if (!fits) return { folder, files };
    }
  }
  return { folder, files };
}

async function readInside(root: string, file: string): Promise<FileContent | undefined> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return { kind: "unreadable", reason: "it leads to nowhere" };
  if (!isInside(root, real)) {
    return { kind: "unreadable", reason: "it leads out of the repository" };
  }
  const read = await readSmallFile(real);
  return read.kind === "missing" ? undefined : read;
}
