import type { RepoPath } from "../../contracts/index.ts";
import { forEachAtOnce } from "./concurrency.ts";
import type { FileSystem } from "./file-system.ts";
import { walk } from "./folders.ts";
import type { Folder, Way } from "./folders.ts";
import { toObstacle } from "./obstacle.ts";

/** Folders, and files in each, that are worked on at once; libuv's four threads are the real bound. */
const foldersAtOnce = 8;
const filesAtOnce = 16;
export const mostAtOnce = foldersAtOnce * filesAtOnce;

/** What is done with the files of one opened folder. */
export interface GroupVisit<T> {
  /** Each file: `name` is the last segment of its path. */
  readonly file: (folder: Folder, name: string, item: T) => Promise<void>;
  /** After all files of the folder. */
  readonly after?: (folder: Folder, items: readonly T[]) => Promise<void>;
  /** Instead, where no folder is at the end of the way. Throws or decides. */
  readonly barred: (way: Exclude<Way, { kind: "folder" }>, items: readonly T[]) => Promise<void>;
}

/** Opens the parent folder of each item once, never through a link, and visits its files. @throws Obstacle */
export async function visitByFolder<T extends { readonly path: RepoPath }>(
  fs: FileSystem,
  root: string,
  items: readonly T[],
  visit: GroupVisit<T>,
): Promise<void> {
  const groups = Map.groupBy(items, ({ path }) =>
    path.slice(0, Math.max(path.lastIndexOf("/"), 0)),
  );
  await forEachAtOnce([...groups], foldersAtOnce, async ([parent, group]) => {
    const folders = parent === "" ? [] : parent.split("/");
    const way = await named(parent || root, walk(fs, root, folders));
    if (way.kind !== "folder") return visit.barred(way, group);
    const { folder } = way;
    try {
      await forEachAtOnce(group, filesAtOnce, (item) => {
        const name = item.path.slice(parent === "" ? 0 : parent.length + 1);
        return named(item.path, visit.file(folder, name, item));
      });
      await named(parent || root, visit.after?.(folder, group) ?? Promise.resolve());
    } finally {
      await folder.close();
    }
  });
}

/** Says of a system error what it happened to. */
async function named<T>(what: string, effect: Promise<T>): Promise<T> {
  try {
    return await effect;
  } catch (error) {
    throw toObstacle(error, what);
  }
}
