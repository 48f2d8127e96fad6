import type { RepoPath } from "../contracts/index.ts";
import { errorCode, fileSystem as disk, ifThere } from "./transaction/file-system.ts";
import type { FileSystem } from "./transaction/file-system.ts";
import { lookAt } from "./transaction/files.ts";
import { walk, type Folder } from "./transaction/folders.ts";
import { splitPath } from "./transaction/steps.ts";
import type { TreeEntry, TreeReader } from "./tree.ts";

/**
 * The working tree at `root` (absolute, links resolved) as a planner sees it. Every folder on the
 * way is opened from the one before; links are named and never followed, and repositories inside
 * the tree are not entered. What the system does not let kit read is `other`.
 */
export function diskTree(root: string, fs: FileSystem = disk): TreeReader {
  return {
    read: async (path) => {
      try {
        return await readEntry(fs, root, path);
      } catch (error) {
        const code = errorCode(error);
        if (code !== "EACCES" && code !== "EPERM") throw error;
        return { kind: "other", what: "not readable for kit" };
      }
    },
    names: async (folder) => {
      const way = await walk(fs, root, folder === "" ? [] : folder.split("/"));
      if (way.kind !== "folder") return [];
      try {
        return await fs.names(way.folder.at("."));
      } finally {
        await way.folder.close();
      }
    },
  };
}

async function readEntry(fs: FileSystem, root: string, path: RepoPath): Promise<TreeEntry> {
  const { folders, name } = splitPath(path);
  const way = await walk(fs, root, folders);
  if (way.kind === "link") return { kind: "link", target: way.target };
  if (way.kind === "missing") return { kind: "missing" };
  // Below a file nothing stands; the file itself is what a planner finds in the way.
  if (way.kind === "barred")
    return way.what === "a file" ? { kind: "missing" } : otherThan(way.what);
  try {
    return await readIn(fs, root, way.folder, folders, name);
  } finally {
    await way.folder.close();
  }
}

async function readIn(
  fs: FileSystem,
  root: string,
  folder: Folder,
  folders: readonly string[],
  name: string,
): Promise<TreeEntry> {
  const address = folder.at(name);
  const stat = await ifThere(fs.lstat(address));
  if (stat === undefined) return { kind: "missing" };
  if (stat.kind === "link") return { kind: "link", target: await fs.readlink(address) };
  if (stat.kind === "folder") return readFolder(fs, root, [...folders, name]);
  // Opened anew and read from there: what stands here may have changed since the look.
  const stands = await lookAt(fs, address);
  if (stands.kind === "missing") return { kind: "missing" };
  if (stands.kind === "other") return otherThan(stands.what);
  return { kind: "file", bytes: stands.bytes, mode: stands.stat.mode };
}

/** A folder, unless it is one that kit does not enter. */
async function readFolder(
  fs: FileSystem,
  root: string,
  segments: readonly string[],
): Promise<TreeEntry> {
  const way = await walk(fs, root, segments);
  if (way.kind === "barred") return otherThan(way.what);
  if (way.kind === "folder") await way.folder.close();
  return { kind: "folder" };
}

function otherThan(what: string): TreeEntry {
  return { kind: "other", what };
}
