import { join } from "node:path";
import { splitPath } from "./transaction/steps.ts";
import { fileSystem as disk, ifThere } from "./transaction/file-system.ts";
import type { FileSystem } from "./transaction/file-system.ts";
import { lookAt } from "./transaction/files.ts";
import { walk } from "./transaction/folders.ts";
import type { TreeEntry, TreeReader } from "./tree.ts";

/**
 * The working tree at `root` (absolute, links resolved) as a planner sees it. Every folder on the
 * way is opened from the one before, links are named and never followed, and repositories inside
 * the tree are not entered (`other`).
 */
export function diskTree(root: string, fs: FileSystem = disk): TreeReader {
  return {
    read: async (path): Promise<TreeEntry> => {
      const { folders, name } = splitPath(path);
      const way = await walk(fs, root, folders);
      if (way.kind === "link") return { kind: "link", target: way.target };
      if (way.kind === "missing") return { kind: "missing" };
      if (way.kind === "barred") return { kind: "other" };
      try {
        const address = way.folder.at(name);
        const stat = await ifThere(fs.lstat(address));
        if (stat === undefined) return { kind: "missing" };
        if (stat.kind === "link") return { kind: "link", target: await fs.readlink(address) };
        if (stat.kind === "folder") return { kind: "folder" };
        const stands = await lookAt(fs, address);
        if (stands.kind !== "file") return { kind: "other" };
        return { kind: "file", bytes: stands.bytes, mode: stands.stat.mode };
      } finally {
        await way.folder.close();
      }
    },
    names: async (folder) => {
      const way = await walk(fs, root, folder === "" ? [] : folder.split("/"));
      if (way.kind !== "folder") return [];
      try {
        return await fs.names(join(way.folder.at("")));
      } finally {
        await way.folder.close();
      }
    },
  };
}
