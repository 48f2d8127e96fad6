import { dirname, join } from "node:path";
import type { RepoPath } from "../../contracts/index.ts";
import { ifThere } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { makePrivateFolder, writeDurably } from "./journal.ts";

/**
 * Whose bytes a kept file holds: what stood there before kit (`before`), what kit wrote or was to
 * write (`kit`), or what was found where neither was expected (`found`).
 */
export type KeptVersion = "before" | "kit" | "found";

/** `<stateDir>/kept/<id>`: versions of files that could not stay in the tree, under their own paths. */
export function keptFolder(stateDir: string, id: string): string {
  return join(stateDir, "kept", id);
}

/** Puts `bytes` among the kept files, on disk and private. Gives the absolute file. */
export async function keep(
  fs: FileSystem,
  stateDir: string,
  id: string,
  version: KeptVersion,
  path: RepoPath,
  bytes: Uint8Array,
): Promise<string> {
  const file = join(keptFolder(stateDir, id), version, path);
  await makePrivateFolder(fs, stateDir, dirname(file));
  await writeDurably(fs, file, bytes);
  return file;
}

/** Removes the kept files of a transaction. */
export async function forgetKept(fs: FileSystem, stateDir: string, id: string): Promise<void> {
  await removeFolder(fs, keptFolder(stateDir, id));
}

async function removeFolder(fs: FileSystem, folder: string): Promise<void> {
  for (const name of (await ifThere(fs.names(folder))) ?? []) {
    const entry = join(folder, name);
    const stat = await ifThere(fs.lstat(entry));
    if (stat?.kind === "folder") await removeFolder(fs, entry);
    else await ifThere(fs.unlink(entry));
  }
  await ifThere(fs.rmdir(folder));
}
