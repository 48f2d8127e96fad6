import {
  type BigIntStats,
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { hookFolders } from "../changes/index.ts";
import { isInside } from "../lib/files.ts";
import type { Git } from "../lib/git.ts";

/** Bytes of hooks that are kept in memory; of what is beyond, a change is seen but not put back. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What git runs hooks from, as it was before a test command ran. */
export interface HookWatch {
  /**
   * Moves what is new or other by now into `folder` (absolute, made where it is needed), puts back
   * what was there, and gives the paths, relative to the root where they lie in it.
   */
  putRight(folder: string): readonly string[];
}

type WatchedGit = Pick<Git, "root" | "commonFolder">;

/** A folder of hooks, below one that nobody can move. Absolute, and relative to it. */
interface Place {
  readonly base: string;
  readonly folder: string;
}

interface Entry {
  readonly base: string;
  /** Time of the last change of the inode: nobody can set it back. */
  readonly changedAt: bigint;
  readonly mode: number;
  /** Of a file, or the target of a link; undefined: not kept. */
  readonly content: Buffer | undefined;
}

/**
 * Remembers git's own hooks and those of `core.hooksPath`, folders that are missing too: a test
 * that makes one has the user's next `git commit` run it.
 * @param git of the tree that the test runs in
 */
export async function watchHooks({ root, commonFolder }: WatchedGit): Promise<HookWatch> {
  const common = realpathSync(commonFolder);
  const named = (await hookFolders(root)).map((folder): Place => ({ base: root, folder }));
  const direct = [{ base: common, folder: "hooks" }, ...named];
  // Behind a link, the folder that it leads to counts too.
  const linked = direct.flatMap(({ base, folder }): Place[] => {
    const real = realPathOf(join(base, folder));
    const home = [common, root].find((each) => real !== undefined && isInside(each, real));
    return real === undefined || real === join(base, folder) || home === undefined || home === real
      ? []
      : [{ base: home, folder: relative(home, real) }];
  });
  const places = [...direct, ...linked];
  const before = look(places, MOST_BYTES);
  return {
    putRight(folder) {
      const now = look(places, 0);
      const wrong = [...now].filter(([path, entry]) => !isSame(path, before.get(path), entry));
      for (const [path, { base }] of wrong) move(path, join(folder, relative(base, path)));
      const moved = new Set(wrong.map(([path]) => path));
      const gone = [...before].filter(([path]) => moved.has(path) || !now.has(path));
      for (const [path, entry] of gone) {
        // A folder took its place; what hooks it held are moved already.
        const isTaken = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
        if (isTaken) move(path, join(folder, `${relative(entry.base, path)}.folder`));
        putBack(path, entry);
      }
      return [...new Set([...moved, ...gone.map(([path]) => path)])].map((path) =>
        isInside(root, path) ? relative(root, path) : path,
      );
    },
  };
}

/** All that is no folder in the places; what stands in the way of one, too. */
function look(places: readonly Place[], mostBytes: number): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  let room = mostBytes;
  const add = (base: string, path: string, stat: BigIntStats): void => {
    const content = room > 0 && !found.has(path) ? contentOf(path, stat) : undefined;
    room -= content?.length ?? 0;
    if (found.has(path)) return;
    found.set(path, { base, changedAt: stat.ctimeNs, mode: Number(stat.mode), content });
  };
  const walk = (base: string, path: string, rest: readonly string[]): void => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) return add(base, path, stat);
    const [next, ...further] = rest;
    if (next !== undefined) return walk(base, join(path, next), further);
    for (const name of readdirSync(path)) walk(base, join(path, name), []);
  };
  for (const { base, folder } of places) walk(base, base, folder.split("/"));
  return found;
}

function isSame(path: string, before: Entry | undefined, now: Entry): boolean {
  if (before === undefined || before.mode !== now.mode) return false;
  if (before.changedAt === now.changedAt) return true;
  const stat = lstatSync(path, { bigint: true });
  return before.content !== undefined && contentOf(path, stat)?.equals(before.content) === true;
}

function contentOf(path: string, stat: BigIntStats): Buffer | undefined {
  if (stat.isSymbolicLink()) return readlinkSync(path, { encoding: "buffer" });
  return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(path) : undefined;
}

function move(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  try {
    renameSync(path, target);
  } catch {
    // Another file system, say.
    cpSync(path, target, { verbatimSymlinks: true, recursive: true });
    rmSync(path, { recursive: true });
  }
}

function putBack(path: string, { mode, content }: Entry): void {
  if (content === undefined) return;
  mkdirSync(dirname(path), { recursive: true });
  if ((mode & 0o170000) === 0o120000) return symlinkSync(content, path);
  writeFileSync(path, content, { flag: "wx" });
  chmodSync(path, mode & 0o7777);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
