import type { RepoPath } from "../contracts/index.ts";

/** Place of a file in the list of all files: what tables of a large repository are kept by. */
export type FileNumber = number;

/**
 * All files, by code unit, and where each stands. Looked up by bisection: a map of 200,000 paths
 * takes longer to fill than a survey has lookups.
 */
export class FileTable {
  readonly paths: readonly RepoPath[];

  /** @param paths sorted by code unit, each once. */
  constructor(paths: readonly RepoPath[]) {
    this.paths = paths;
  }

  get size(): number {
    return this.paths.length;
  }

  numberOf(path: string): FileNumber | undefined {
    let low = 0;
    let high = this.paths.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.paths[middle] ?? "";
      if (there === path) return middle;
      if (there < path) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  has(path: string): boolean {
    return this.numberOf(path) !== undefined;
  }
}
