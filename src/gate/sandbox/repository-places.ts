import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin, type Mount } from "./mounts.ts";

/** Folders of dependencies that people link into a working tree. */
const linkedFolders = new Set(["node_modules", ".venv", "venv"]);

/**
 * The repository in a sandbox: its tree for writing; what git, its hooks and kit keep in it for
 * reading, also in submodules and where a linked worktree has it outside.
 * @param root absolute, links resolved.
 * @param hookFolders absolute; those that exist count, the pipeline watches the others.
 */
export function repositoryMounts(root: string, hookFolders: readonly string[]): readonly Mount[] {
  const inside = [
    join(root, ".kit"),
    join(root, ".git"),
    ...hookFolders,
    ...submodules(root).map((folder) => join(folder, ".git")),
  ];
  // What a link in the tree names outside stays as it is there: hidden, or for reading.
  const kept = inside.flatMap(realPathOf).filter((path) => path.startsWith(`${root}/`));
  const readable = [...kept, ...gitFoldersOf(root), ...linkedDependencies(root)];
  // A folder around them could be moved away with them, and another put in its place.
  const around = kept
    .flatMap((path) => foldersBetween(root, path))
    .filter((folder) => !kept.some((path) => isWithin(folder, path)));
  return [
    { kind: "writable", path: root },
    ...around.map((path): Mount => ({ kind: "writable", path })),
    ...readable.map((path): Mount => ({ kind: "readable", path })),
  ];
}

/** The folders around `path`, which is below `root`, without the root. */
function foldersBetween(root: string, path: string): string[] {
  const folder = dirname(path);
  return folder === root ? [] : [folder, ...foldersBetween(root, folder)];
}

/** The folders that a linked worktree's `.git` file names, which must be git's: it is only text. */
function gitFoldersOf(root: string): string[] {
  const gitFolder = namedIn(join(root, ".git"), /^gitdir: *(.+)$/m, root);
  if (gitFolder === undefined) return [];
  const common = namedIn(join(gitFolder, "commondir"), /^(.+)$/m, gitFolder);
  return [gitFolder, common ?? gitFolder]
    .filter((folder) => existsSync(join(folder, "HEAD")))
    .flatMap(realPathOf);
}

function namedIn(file: string, pattern: RegExp, folder: string): string | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined;
    const named = pattern.exec(readFileSync(file, "utf8"))?.[1]?.trim();
    return named === undefined ? undefined : resolve(folder, named);
  } catch {
    return undefined;
  }
}

/** Folders of submodules, those of submodules too. */
function submodules(root: string, depth = 0): string[] {
  if (depth === 5) return [];
  let text: string;
  try {
    text = readFileSync(join(root, ".gitmodules"), "utf8");
  } catch {
    return [];
  }
  const folders = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)]
    .map(([, path = ""]) => resolve(root, path))
    .filter((folder) => folder.startsWith(`${root}/`) && existsSync(folder));
  return folders.flatMap((folder) => [folder, ...submodules(folder, depth + 1)]);
}

/** Where `node_modules` is a link to another `node_modules`, that must be there too. */
function linkedDependencies(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && linkedFolders.has(entry.name))
    .flatMap(({ name }) => realPathOf(join(root, name)))
    .filter((path) => linkedFolders.has(basename(path)) && statSync(path).isDirectory());
}

function realPathOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
