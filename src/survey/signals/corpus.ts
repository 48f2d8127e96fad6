import type { RepoPath } from "../../contracts/index.ts";
import type { Contents } from "../contents.ts";
import type { FileNumber, FileTable } from "../file-table.ts";
import type { Commit } from "../history.ts";
import type { Query } from "../query.ts";

/** A file whose contents were read. */
export interface ReadText {
  readonly text: string;
  readonly lower: string;
}

/** What signals look at. */
export interface Corpus {
  readonly files: FileTable;
  readonly query: Query;
  readonly contents: Contents;
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Reads a file that may be read. */
  readonly text: (path: RepoPath) => ReadText | undefined;
}

/** By file number, values from 0 to 1; 0 where a signal has nothing to say. */
export type Scores = Float64Array;

/** The best files so far, with values up to 1. */
export type Best = ReadonlyMap<FileNumber, number>;

export function noScores({ files }: Pick<Corpus, "files">): Scores {
  return new Float64Array(files.size);
}

/** Adds to a file's value. */
export function addTo(scores: Scores, file: FileNumber, value: number): void {
  scores[file] = (scores[file] ?? 0) + value;
}

/** The higher of a file's value and this one. */
export function raiseTo(scores: Scores, file: FileNumber, value: number): void {
  if (value > (scores[file] ?? 0)) scores[file] = value;
}

/** Values as shares of the best one. */
export function shares(scores: Scores): Scores {
  let best = 0;
  for (const value of scores) if (value > best) best = value;
  return best <= 0 ? scores.fill(0) : scores.map((value) => value / best);
}

/** How much a word tells that `having` of `all` files hold (BM25). */
export function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
