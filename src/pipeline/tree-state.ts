import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Git, GitError } from "../lib/git.ts";
import { sha256 } from "../lib/text.ts";

/** More changed files than this are not looked at one by one: tests are then run again. */
const MOST_FILES = 2_000;
/** A larger file is known by its size and time alone. */
const MOST_BYTES = 1024 * 1024;

/** A tree as a run found it, to say later what somebody changed in it since. */
export interface TreeState {
  /** The tree of HEAD; empty where there is no commit. */
  readonly head: string;
  /** Each tracked file that is not as HEAD has it, with what stands there. */
  readonly edited: Readonly<Record<string, string>>;
  /** The same for files that git does not know and does not ignore. */
  readonly untracked: Readonly<Record<string, string>>;
}

/**
 * @param known the state at an earlier moment: of untracked files only those of that time count, as
 * tests leave others behind
 * @returns undefined where that cannot be told: a great many files, git refuses
 */
export async function treeStateOf(git: Git, known?: TreeState): Promise<TreeState | undefined> {
  try {
    const [head, status] = await Promise.all([
      git.run(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"], { okCodes: [0, 1] }),
      git.run(["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"]),
    ]);
    const entries = status.toString("utf8").split("\0").filter(Boolean);
    const edited: Record<string, string> = {};
    const others: string[] = [];
    for (const entry of entries) {
      const words = { "1": 8, u: 10, "?": 1 }[entry.charAt(0)] ?? 0;
      const path = entry.split(" ").slice(words).join(" ");
      if (path.startsWith(".kit/")) continue;
      if (entry.startsWith("?")) others.push(path);
      else edited[path] = `${entry.split(" ").slice(0, words).join(" ")} ${stands(git, path)}`;
    }
    const counted = known === undefined ? others : Object.keys(known.untracked);
    if (counted.length + Object.keys(edited).length > MOST_FILES) return undefined;
    const untracked = Object.fromEntries(counted.map((path) => [path, stands(git, path)]));
    return { head: head.toString("utf8").trim(), edited, untracked };
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Paths that differ between two states, and `HEAD`; empty where nobody changed anything. */
export function changedBetween(before: TreeState, now: TreeState): readonly string[] {
  const differing = (
    left: Readonly<Record<string, string>>,
    right: Readonly<Record<string, string>>,
  ): string[] =>
    [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
      (path) => left[path] !== right[path],
    );
  return [
    ...(before.head === now.head ? [] : ["HEAD"]),
    ...new Set([
      ...differing(before.edited, now.edited),
      ...differing(before.untracked, now.untracked),
    ]),
  ];
}

/** One hash over a tree and what else decides what its tests say (`circumstancesOf`). */
export function treeHashOf(state: TreeState, circumstances: readonly unknown[]): string {
  return sha256(JSON.stringify([state, circumstances]));
}

/** What stands at a path: mode and hash of a file, or what it is instead. */
export function stands({ root }: Pick<Git, "root">, path: string): string {
  const file = join(root, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  if (!stat.isFile()) return "something else";
  if (stat.size > MOST_BYTES) return `${stat.mode} ${stat.size} ${stat.mtimeMs}`;
  return `${stat.mode} ${sha256(readFileSync(file))}`;
}
