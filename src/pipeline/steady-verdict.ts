import type { ChangePlan, Emit, Failure, GateResult, Verdict } from "../contracts/index.ts";
import {
  bothUnsteady,
  compare,
  createsTests,
  isRepeatable,
  steady,
  type Unsteady,
  unsteadyBetween,
} from "../gate/index.ts";
import { type Ground, sayUnsteady } from "./ground.ts";
import { editedTests } from "./plan-parts.ts";

/** Runs of one changed tree: a red that the baseline does not explain is looked at again. */
const MOST_RUNS = 3;

/** The tests of a tree that held still, or why it did not. */
export type Tested =
  | { readonly ok: true; readonly result: GateResult }
  | { readonly ok: false; readonly failure: Failure };

interface Standing {
  readonly plan: ChangePlan;
  readonly ground: Ground;
  /** What the first run said. */
  readonly first: GateResult;
  readonly root: string;
  readonly mayEditTests: boolean;
  /** Runs the tests once more on the same tree; the n-th time, from 1. */
  readonly again: (nth: number) => Promise<Tested>;
  readonly say: Emit;
}

/**
 * Judges the change, and where it looks like the first to turn a test red, runs the tests again on
 * the same tree. A green counts only where one run of every command was green.
 */
export async function compareSteadily(
  standing: Standing,
): Promise<
  | { readonly ok: true; readonly verdict: Verdict; readonly result: GateResult }
  | { readonly ok: false; readonly failure: Failure }
> {
  const { plan, ground, root, mayEditTests, again, say } = standing;
  let unsteady: Unsteady = steady;
  let result = standing.first;
  for (let run = 1; ; run += 1) {
    const verdict = compare(ground.result, result, {
      root,
      createsTests: createsTests(plan),
      unsteady: { baseline: ground.unsteady, change: unsteady },
      editedTests: mayEditTests ? editedTests(plan) : new Set(),
    });
    const isWorthIt = verdict.kind === "flaky" || (verdict.kind === "regressed" && run === 1);
    if (!isWorthIt || run === MOST_RUNS || !isRepeatable(result)) {
      await sayUnsteady(unsteady, result, "with the change", say);
      return { ok: true, verdict, result };
    }
    const tested = await again(run);
    if (!tested.ok) return tested;
    unsteady = bothUnsteady(unsteady, unsteadyBetween(result, tested.result));
    result = tested.result;
  }
}
