/** One file the reader may look at, change or create. Lines are `"start-end"`, from 1. */
export interface PackFile {
  readonly path: string;
  readonly reason?: string;
  readonly lines?: readonly string[];
  /** True: the file does not exist yet. */
  readonly create?: true;
}

export interface PackSnippet {
  readonly path: string;
  readonly lines?: string;
  readonly language?: string;
  readonly content: string;
}

export interface PackAttempt {
  readonly summary: string;
  readonly outcome?: string;
}

export interface Constraint {
  /** Absent: a plain version 1 constraint. */
  readonly kind?: "must" | "must_not" | "blocked_by";
  readonly text: string;
}

export interface Decision {
  readonly choice: string;
  readonly because: string;
  readonly source?: string;
}

export interface SuccessCriterion {
  readonly text: string;
  readonly check?: string;
}

export interface ContextItem {
  readonly id: string;
  readonly kind: string;
  readonly authority: string;
  readonly summary: string;
  readonly source: string;
}

export type Discovery = {
  readonly status: "found" | "partial" | "none";
  readonly note?: string;
};

export type BudgetProfile = "simple" | "complex" | "handoff" | "coder";

/**
 * The hand-off from scout to coder; in memory always version 2 (CONTEXT-PACK, `context-pack/SPEC.md`).
 * Version 1 is a codec over it. Optional lists that are empty are absent.
 */
export interface ContextPack {
  readonly task: string;
  readonly goal: string;
  readonly constraints: readonly Constraint[];
  readonly discovery?: Discovery;
  readonly relevantFiles: readonly PackFile[];
  readonly relevantSnippets?: readonly PackSnippet[];
  readonly repoRules?: readonly string[];
  readonly observedErrors?: readonly string[];
  readonly testCommands?: readonly string[];
  readonly previousAttempts?: readonly PackAttempt[];
  readonly expectedOutput: string;
  readonly capability?: string;
  readonly producedBy?: string;
  readonly budget?: { readonly profile?: BudgetProfile; readonly maxTokens?: number };
  /** The version it was read from, and is written as unless asked otherwise. */
  readonly version?: 1 | 2;
  readonly scope?: readonly string[];
  readonly decisions?: readonly Decision[];
  readonly successCriteria?: readonly SuccessCriterion[];
  readonly filesTouched?: readonly { readonly path: string; readonly note: string }[];
  readonly progress?: readonly string[];
  readonly parent?: string;
  readonly contextItems?: readonly ContextItem[];
  readonly completeness?: "full" | "partial" | "minimal";
  readonly warnings?: readonly string[];
  readonly tokenEstimate?: number;
}
