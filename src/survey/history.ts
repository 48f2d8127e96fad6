import { type Git, GitError } from "../lib/git.ts";
import { wordsOf } from "../lib/words.ts";
import type { FileNumber, FileTable } from "./file-table.ts";

/** A commit as far as it tells which files belong together. */
export interface Commit {
  /** Stems of its subject line. */
  readonly words: ReadonlySet<string>;
  /** Files of today that it touched. */
  readonly files: readonly FileNumber[];
}

/** Commits that are looked at, the newest. */
const maxCommits = 800;

/** A commit of more files is a sweep: it tells nothing about any one of them. */
const maxFiles = 30;

/** `git log` of the last commits, newest first; started early, as it needs nothing else. */
export async function readLog(git: Git): Promise<Buffer> {
  // A commit without parents holds everything, one with two nothing of its own.
  const shape = ["--min-parents=1", "--max-parents=1", "--no-renames", "--name-only"];
  try {
    return await git.run(["log", `--max-count=${maxCommits}`, ...shape, "--format=%x01%s"]);
  } catch (error) {
    // No commit yet, or objects that were not fetched: no history is no failure.
    if (error instanceof GitError) return Buffer.alloc(0);
    throw error;
  }
}

/** The commits of a log, with those files only that are there now. */
export function commitsOf(log: Buffer, files: FileTable): readonly Commit[] {
  const commits: Commit[] = [];
  for (const text of log.toString("utf8").split("\u0001").slice(1)) {
    const [subject = "", ...paths] = text.split("\n");
    const touched = paths.filter((path) => path !== "");
    if (touched.length === 0 || touched.length > maxFiles) continue;
    const present = touched.flatMap((path) => files.numberOf(path) ?? []);
    if (present.length > 0) commits.push({ words: new Set(wordsOf(subject)), files: present });
  }
  return commits;
}
