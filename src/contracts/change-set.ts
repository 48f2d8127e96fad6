import type { RepoPath } from "./repo-path.ts";

/** One search and its replacement inside an edited file; LF line ends, as the model wrote them. */
export interface EditHunk {
  readonly search: string;
  readonly replace: string;
  /** Line of the reply the hunk starts on, from 1. */
  readonly line: number;
  /** Other places a divider look-alike would split search and replacement (rule 6). */
  readonly alternatives?: readonly { readonly search: string; readonly replace: string }[];
  /** For a hunk of a diff: its lines with their sign (blank, `-`, `+`). */
  readonly diff?: readonly string[];
}

/** What a reply asks to change, before it is held against the files. `line` is in the reply, from 1. */
export type Change =
  | {
      readonly kind: "write";
      readonly path: RepoPath;
      readonly content: string;
      readonly line: number;
      /** A comment in the first line named the file: content only if the old file has that line. */
      readonly isNamedByFirstLine?: true;
    }
  | {
      readonly kind: "edit";
      readonly path: RepoPath;
      readonly hunks: readonly EditHunk[];
      readonly line: number;
      readonly renameTo?: RepoPath;
    }
  | { readonly kind: "delete"; readonly path: RepoPath; readonly line: number }
  | {
      readonly kind: "rename";
      readonly path: RepoPath;
      readonly to: RepoPath;
      readonly line: number;
    };

export interface ChangeSet {
  readonly changes: readonly Change[];
  /** The dress the blocks wore: `canonical`, `fence`, `search_replace`, `udiff`, `patch`, … */
  readonly format: string;
}

/** What was on disk when the plan was made. `mode` holds the permission bits. */
export interface FileState {
  readonly hash: string;
  readonly mode: number;
}

/** One effect on one path, bytes included. */
export type FileOperation =
  | {
      readonly kind: "create";
      readonly path: RepoPath;
      readonly after: Uint8Array;
      readonly mode: number;
    }
  | {
      readonly kind: "write";
      readonly path: RepoPath;
      readonly before: FileState;
      readonly after: Uint8Array;
      readonly strategy?: string;
    }
  | {
      readonly kind: "edit";
      readonly path: RepoPath;
      readonly before: FileState;
      readonly after: Uint8Array;
      readonly strategy: string;
    }
  | { readonly kind: "delete"; readonly path: RepoPath; readonly before: FileState }
  | {
      readonly kind: "rename";
      readonly path: RepoPath;
      readonly to: RepoPath;
      readonly before: FileState;
      readonly after: Uint8Array;
      readonly strategy?: string;
    };

/** A change set held against the files: every path allowed, every search fitted, nothing written yet. */
export interface ChangePlan {
  readonly operations: readonly FileOperation[];
  /** Identity of what the plan would do (paths and resulting bytes), for `repeat`. */
  readonly hash: string;
}

/** A plan that was carried out, and can be taken back. */
export interface AppliedPlan {
  readonly id: string;
  readonly plan: ChangePlan;
}

/** What taking back did to each path. `kept`: the user changed it since; both versions exist. */
export interface RollbackReport {
  readonly restored: readonly RepoPath[];
  readonly kept: readonly {
    readonly path: RepoPath;
    readonly preImage?: string;
    readonly reason: string;
  }[];
}
