import type { Failure, FailureKind } from "../contracts/index.ts";

/**
 * What kit does after a failure. `next` follows every move that did not help, and after the last
 * candidate of a route the next rung of the agent's ladder, where it names one.
 *
 * - `leave_pool`: no candidate of this quota pool until its reset (unknown: an hour)
 * - `leave_provider`: no candidate of this provider for the rest of the run
 * - `other_provider`: the next candidate must be of another provider
 * - `larger_window`: the next candidate must have a larger context window; where there is none, the
 *   same one once with a trimmed prompt
 * - `wait_then_same`: wait as told, up to a minute, once, then the same candidate
 * - `retry_then_next`: retried with backoff inside the call; then the next candidate
 * - `same_once`: the same prompt once more on the same candidate
 * - `same_once_told`: the same candidate once, told what was wrong
 * - `same_told_then_whole`: the same candidate once, told what was wrong; then once for whole files
 * - `grow_pack_then_same`: the file joins the pack, the same candidate once
 * - `next_or_repair`: the next candidate; the last one is told and may repair once
 * - `rerun`: the tests ran again, up to three times; where no run can judge, the run ends, no model is blamed
 * - `stop`: the run ends
 */
export type Move =
  | "leave_pool"
  | "leave_provider"
  | "other_provider"
  | "larger_window"
  | "wait_then_same"
  | "retry_then_next"
  | "same_once"
  | "same_once_told"
  | "same_told_then_whole"
  | "grow_pack_then_same"
  | "next"
  | "next_or_repair"
  | "rerun"
  | "stop";

/** Whose fault a failure is: it decides whether another thinking level of the model is worth a call. */
export type Blame = "provider" | "work" | "run";

export interface FailureRow {
  /** When it is seen, for people. */
  readonly seen: string;
  readonly move: Move;
  readonly blame: Blame;
  /** The part that finds it. */
  readonly finder: "adapter" | "context-pack" | "changes" | "gate" | "pipeline" | "review";
}

/** The one table of failures and their next moves (DESIGN, "Failures"). */
export const failureTable: Readonly<Record<FailureKind, FailureRow>> = {
  usage_limit: {
    seen: "the account's window is spent (hours, days)",
    move: "leave_pool",
    blame: "provider",
    finder: "adapter",
  },
  rate_limit: {
    seen: "a short limit",
    move: "wait_then_same",
    blame: "provider",
    finder: "adapter",
  },
  overloaded: {
    seen: "the provider answered 5xx",
    move: "retry_then_next",
    blame: "provider",
    finder: "adapter",
  },
  network: {
    seen: "the connection was refused or dropped",
    move: "retry_then_next",
    blame: "provider",
    finder: "adapter",
  },
  timeout: {
    seen: "no byte for the idle limit, or the call took too long in all",
    move: "next",
    blame: "provider",
    finder: "adapter",
  },
  auth: {
    seen: "401/403, signed out, no key",
    move: "leave_provider",
    blame: "provider",
    finder: "adapter",
  },
  model_not_found: {
    seen: "the model is unknown to the adapter or the provider",
    move: "next",
    blame: "provider",
    finder: "adapter",
  },
  wrong_model: {
    seen: "another model answered than was asked",
    move: "next",
    blame: "provider",
    finder: "adapter",
  },
  context_overflow: {
    seen: "the prompt is over the model's window, also silently",
    move: "larger_window",
    blame: "provider",
    finder: "adapter",
  },
  refused: {
    seen: "the provider's policy refused",
    move: "other_provider",
    blame: "provider",
    finder: "adapter",
  },
  provider_unknown: {
    seen: "an error that no row recognises",
    move: "next",
    blame: "provider",
    finder: "adapter",
  },
  empty_reply: {
    seen: "the reply holds no text",
    move: "same_once",
    blame: "provider",
    finder: "adapter",
  },
  truncated_reply: {
    seen: "the output limit was hit, or the last block has no end",
    move: "same_once_told",
    blame: "provider",
    finder: "adapter",
  },
  reply_too_large: {
    seen: "the reply is over 32 MiB",
    move: "same_once_told",
    blame: "provider",
    finder: "adapter",
  },
  pack_invalid: {
    seen: "the reply cannot be made a valid Context Pack",
    move: "next",
    blame: "work",
    finder: "context-pack",
  },
  no_changes: { seen: "the reply changes nothing", move: "next", blame: "work", finder: "changes" },
  repeat: {
    seen: "the change set equals an earlier one",
    move: "next",
    blame: "work",
    finder: "pipeline",
  },
  format: {
    seen: "no block of the reply parses, or blocks contradict each other",
    move: "same_told_then_whole",
    blame: "work",
    finder: "changes",
  },
  apply: {
    seen: "a block does not fit its file exactly once",
    move: "same_told_then_whole",
    blame: "work",
    finder: "changes",
  },
  needs_file: {
    seen: "the reply asks for, or touches, a tracked file outside the pack",
    move: "grow_pack_then_same",
    blame: "work",
    finder: "changes",
  },
  out_of_scope: {
    seen: "the reply touches anything else outside the pack",
    move: "next",
    blame: "work",
    finder: "changes",
  },
  tests_failed: {
    seen: "a test is red that was green, or the red ones still are",
    move: "next_or_repair",
    blame: "work",
    finder: "gate",
  },
  tests_weakened: {
    seen: "the change edits or deletes tests or their configuration",
    move: "next",
    blame: "work",
    finder: "changes",
  },
  review_blocked: {
    seen: "the reviewer found a severe fault",
    move: "same_once_told",
    blame: "work",
    finder: "review",
  },
  flaky: {
    seen: "the same tree gave different results",
    move: "rerun",
    blame: "run",
    finder: "gate",
  },
  vacuous: {
    seen: "no test was collected, or fewer than on the baseline",
    move: "next",
    blame: "work",
    finder: "gate",
  },
  conflict: {
    seen: "a file or HEAD changed while kit worked",
    move: "stop",
    blame: "run",
    finder: "pipeline",
  },
  environment: {
    seen: "a program or dependency is missing, the disk is full",
    move: "stop",
    blame: "run",
    finder: "gate",
  },
  budget: {
    seen: "the run's calls, tokens or dollars are used up",
    move: "stop",
    blame: "run",
    finder: "pipeline",
  },
  deadline: {
    seen: "the time of the run or of a step is used up",
    move: "stop",
    blame: "run",
    finder: "pipeline",
  },
  interrupted: { seen: "Ctrl-C or a signal", move: "stop", blame: "run", finder: "pipeline" },
};

/** The row of a failure. */
export function rowOf(failure: Pick<Failure, "kind">): FailureRow {
  return failureTable[failure.kind];
}

/** One line of a failure for prompts and records: its name and the first line, at most 400 characters. */
export function failureLine(failure: Failure): string {
  const line = `${failure.kind}: ${failure.message.split("\n", 1)[0] ?? ""}`;
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}
