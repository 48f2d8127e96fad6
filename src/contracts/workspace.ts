import type { AppliedPlan, ChangePlan, RollbackReport } from "./change-set.ts";
import type { Failure } from "./failure.ts";
import type { RepoPath } from "./repo-path.ts";
import type { TestCommand } from "./test-command.ts";
import type { CommandResult } from "./verdict.ts";

/** HEAD, the status of tracked files and the watched files; two equal ones: nobody moved the tree. */
export interface Fingerprint {
  readonly head: string;
  /** Each tracked file that differs from HEAD or the index: git's words for it, and what it holds. */
  readonly status: ReadonlyMap<string, { readonly words: string; readonly holds: string }>;
  /** What stands at each watched path: its mode and hash, or what it is instead of a file. */
  readonly files: ReadonlyMap<RepoPath, string>;
}

/** The tree a run works on: the user's checkout today, a worktree later, same contract. */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string;
  fingerprint(paths: readonly RepoPath[]): Promise<Fingerprint>;
  /** All or nothing. */
  apply(
    plan: ChangePlan,
  ): Promise<{ ok: true; applied: AppliedPlan } | { ok: false; failure: Failure }>;
  /** What was applied may stay; until then a crash takes it back. */
  accept(applied: AppliedPlan): Promise<void>;
  /** Compare-and-swap: a file that no longer holds what kit wrote is left to the user. */
  rollback(applied: AppliedPlan): Promise<RollbackReport>;
  run(command: TestCommand, options: RunOptions): Promise<CommandResult>;
  /** Releases the lock; never throws for a lock that is gone. */
  close(): Promise<void>;
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** No output for this long ends the command; absent: no such limit. */
  readonly idleTimeoutMs?: number;
  readonly signal: AbortSignal;
  /** Absolute file that receives the output. */
  readonly outputFile: string;
  /**
   * Absolute folder outside the repository that the command may write into, a sandbox's too: its
   * runner leaves a report there. The path is the same inside and outside.
   */
  readonly reportFolder?: string;
}
