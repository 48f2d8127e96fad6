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

/** A folder with a manifest of its own, in a repository that has several. */
export interface RepositoryPackage {
  /** Relative to the top level; empty for the top level itself. */
  readonly folder: string;
  readonly manifest: RepoPath;
  /** As the manifest says it. */
  readonly name?: string;
  /** What its manifest gives by convention, run in `folder`. */
  readonly testCommands: readonly string[];
}

/** What the repository holds, as far as the task goes. No model takes part. */
export interface SurveyResult {
  readonly files: readonly RepoPath[];
  readonly ranked: readonly RankedFile[];
  readonly excerpts: readonly Excerpt[];
  /** Packages that the task is likely about, best first; none in a repository of one package. */
  readonly packages: readonly RepositoryPackage[];
  /** Texts of AGENTS.md, CLAUDE.md, bounded: the top level's first, then the nearest ones. */
  readonly rules: readonly { readonly path: RepoPath; readonly text: string }[];
  /** What was left out and why: secrets, binaries, sizes. */
  readonly leftOut: readonly { readonly path: RepoPath; readonly reason: string }[];
  readonly git: boolean;
}
