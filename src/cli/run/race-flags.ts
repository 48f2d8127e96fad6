import type { RunFlags } from "./flags.ts";
import type { PreparedRun } from "./prepare.ts";

/** What one run of a race has of its own. */
export interface RacerPlace {
  readonly backend: string;
  /** Among so many the budgets are divided. */
  readonly share: number;
  /** Of the race's time. */
  readonly spentMs: number;
  /** As in `RunFlags`. */
  readonly claim: string;
  /** The pack of the race; absent for the run that has the scout. */
  readonly packFile?: string;
}

/**
 * The flags of the run of one candidate. Budgets are divided evenly, from settings too; the other
 * bounds hold for each run.
 */
export function racerFlags(
  { limits }: PreparedRun,
  flags: RunFlags,
  { backend, share, spentMs, claim, packFile }: RacerPlace,
): string[] {
  const { branch, commit, review, wait, timeout } = flags;
  const { budgetUsd, budgetTokens } = limits;
  const valued: readonly (readonly [flag: string, value: string | number | undefined])[] = [
    ["candidate", backend],
    ["claim", claim],
    ["pack", packFile],
    ["repo", flags.repo],
    ["verify", flags.verify],
    ["sandbox", flags.sandbox],
    ["reviewers", flags.reviewers],
    ["max-attempts", flags.maxAttempts],
    ["max-calls", flags.maxCalls],
    ["budget-usd", budgetUsd === undefined ? undefined : (budgetUsd / share).toFixed(9)],
    [
      "budget-tokens",
      budgetTokens === undefined ? undefined : Math.max(1, Math.floor(budgetTokens / share)),
    ],
    [
      "timeout",
      timeout === undefined ? undefined : `${Math.max(1, Math.ceil(timeout - spentMs))}ms`,
    ],
    ["step-timeout", flags.stepTimeout === undefined ? undefined : `${flags.stepTimeout}ms`],
    ["wait", typeof wait === "number" ? `${wait}ms` : undefined],
    ["capability", flags.capability],
    ["agent", flags.agent],
    ["branch", branch],
  ];
  return [
    ...(branch === undefined && commit === undefined ? ["--isolate"] : []),
    ...(commit ? ["--commit"] : []),
    ...(review === undefined ? [] : [review ? "--review" : "--no-review"]),
    ...(wait === true ? ["--wait"] : []),
    ...(flags.mayEditTests ? ["--may-edit-tests"] : []),
    ...(flags.allowUntested ? ["--allow-untested"] : []),
    ...(flags.test ?? []).map((command) => `--test=${command}`),
    ...(flags.model ?? []).map((binding) => `--model=${binding}`),
    ...valued.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
  ];
}
