import type { RepoPath } from "./repo-path.ts";

/** What is wrong with one block of a reply, ready for the next prompt. */
export interface BlockProblem {
  /** Line of the block's header in the reply, from 1. */
  readonly line: number;
  readonly path: string;
  readonly reason: string;
  /** For a search that misses: the nearest current lines with their numbers. */
  readonly nearest?: string;
}

/** Every reason an attempt did not succeed. Closed; the next move of each is in `pipeline/failure-table.ts`. */
export const failureKinds = [
  "usage_limit",
  "rate_limit",
  "overloaded",
  "network",
  "timeout",
  "auth",
  "model_not_found",
  "wrong_model",
  "context_overflow",
  "refused",
  "provider_unknown",
  "empty_reply",
  "truncated_reply",
  "reply_too_large",
  "pack_invalid",
  "no_changes",
  "repeat",
  "format",
  "apply",
  "needs_file",
  "out_of_scope",
  "tests_failed",
  "tests_weakened",
  "review_blocked",
  "flaky",
  "vacuous",
  "conflict",
  "environment",
  "budget",
  "deadline",
  "interrupted",
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** What only some failures carry, beside the message that all have. */
interface FailureFacts {
  usage_limit: { readonly resetAt?: string };
  rate_limit: { readonly retryAfterMs?: number };
  wrong_model: { readonly asked: string; readonly answered: string };
  format: { readonly blocks: readonly BlockProblem[] };
  apply: { readonly blocks: readonly BlockProblem[] };
  needs_file: { readonly paths: readonly RepoPath[] };
  out_of_scope: { readonly paths: readonly string[] };
  /** `progress`: fewer tests are red than before, none of them newly. */
  tests_failed: { readonly digest: string; readonly progress?: boolean };
  tests_weakened: { readonly paths: readonly string[] };
  /** One line each, the worst first. */
  review_blocked: { readonly findings: readonly string[] };
  conflict: { readonly paths: readonly string[]; readonly keptIn?: string };
  environment: { readonly mend?: string };
}

/** One failure; `message` is one line for people, `detail` the provider's or parser's own text. */
export type Failure = {
  [K in FailureKind]: {
    readonly kind: K;
    readonly message: string;
    readonly detail?: string;
  } & (K extends keyof FailureFacts ? FailureFacts[K] : unknown);
}[FailureKind];

export type FailureOf<K extends FailureKind> = Extract<Failure, { kind: K }>;
