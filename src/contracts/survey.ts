import type { RepoPath } from "./repo-path.ts";

/** Lines of a file around what the task speaks of. `text` is redacted, LF line ends. */
export interface Excerpt {
  readonly path: RepoPath;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export interface RankedFile {
  readonly path: RepoPath;
  readonly score: number;
  readonly why: readonly string[];
  /** The task itself speaks for it, not only the failing output or the size of the repository. */
  readonly forTask?: true;
}

/** What the repository holds, as far as the task goes. No model takes part. */
export interface SurveyResult {
  readonly files: readonly RepoPath[];
  readonly ranked: readonly RankedFile[];
  readonly excerpts: readonly Excerpt[];
  /** Texts of AGENTS.md, CLAUDE.md, bounded. */
  readonly rules: readonly { readonly path: RepoPath; readonly text: string }[];
  /** What was left out and why: secrets, binaries, sizes. */
  readonly leftOut: readonly { readonly path: RepoPath; readonly reason: string }[];
  readonly git: boolean;
}
