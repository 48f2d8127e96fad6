import type { RepoPath } from "../../contracts/index.ts";
import type { Contents } from "../contents.ts";
import type { Commit } from "../history.ts";
import type { Query } from "../query.ts";

/** A file whose contents were read. */
export interface ReadText {
  readonly text: string;
  readonly lower: string;
}

/** What signals look at. */
export interface Corpus {
  readonly files: readonly RepoPath[];
  readonly known: ReadonlySet<string>;
  readonly query: Query;
  readonly contents: Contents;
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Reads a file that may be read. */
  readonly text: (path: RepoPath) => ReadText | undefined;
}

/** Values from 0 to 1 of the files that a signal speaks for; absent is 0. */
export type Scores = ReadonlyMap<RepoPath, number>;

/** Values as shares of the best one. */
export function shares(values: ReadonlyMap<RepoPath, number>): Scores {
  let best = 0;
  for (const value of values.values()) best = Math.max(best, value);
  if (best <= 0) return new Map();
  return new Map([...values].map(([path, value]) => [path, value / best]));
}

/** How much a word tells that `having` of `all` files hold (BM25). */
export function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
