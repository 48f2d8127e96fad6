import type { AppliedPlan, ChangePlan, Failure, Verdict } from "../contracts/index.ts";
import { isSensitive } from "../gate/index.ts";
import type { Ground } from "./ground.ts";
import { pathsOf, testPart } from "./plan-parts.ts";
import type { Tested } from "./steady-verdict.ts";

type Stood =
  | { readonly ok: true; readonly applied: AppliedPlan }
  | { readonly ok: false; readonly failure: Failure };

interface Accepted {
  /** What stands in the tree, green. */
  readonly applied: AppliedPlan;
  readonly ground: Ground;
  readonly verdict: Verdict;
  /** Takes back what stands; a failure where something was in the way. */
  readonly takeBack: () => Promise<Failure | undefined>;
  /** Puts a plan into the tree. */
  readonly stand: (plan: ChangePlan) => Promise<Stood>;
  /** Tests the tree with this plan, once it stands. */
  readonly test: (plan: ChangePlan) => Promise<Tested>;
}

/**
 * Takes the sources of an accepted change away, asks the tests that it brings, and puts the whole
 * back: tests that stay green have shown nothing, and the verdict is then `insensitive`.
 */
export async function verifySensitive(
  accepted: Accepted,
): Promise<
  | { readonly ok: true; readonly verdict: Verdict; readonly applied: AppliedPlan }
  | { readonly ok: false; readonly failure: Failure }
> {
  const { applied, ground, verdict, takeBack, stand, test } = accepted;
  const tests = testPart(applied.plan);
  const isFixed = verdict.kind === "fixed";
  if (tests === undefined) {
    const why = "no test was red before the change, and it brings none";
    return { ok: true, applied, verdict: isFixed ? verdict : insensitive(verdict, why) };
  }
  const inTheWay = await takeBack();
  if (inTheWay !== undefined) return { ok: false, failure: inTheWay };
  const alone = await stand(tests);
  if (!alone.ok) return alone;
  const tested = await test(tests);
  if (!tested.ok) return tested;
  const stuck = await takeBack();
  if (stuck !== undefined) return { ok: false, failure: stuck };
  const whole = await stand(applied.plan);
  if (!whole.ok) return whole;
  const { result, unsteady } = ground;
  // By exit code alone a suite that was red says nothing of new tests; that it is green now does.
  const isRedAnyway = isFixed && (result.tests === undefined || tested.result.tests === undefined);
  const isFelt = isRedAnyway || isSensitive(result, tested.result, pathsOf(tests), unsteady);
  const why = "its tests stay green where its sources are taken away";
  return {
    ok: true,
    applied: whole.applied,
    verdict: isFelt ? verdict : insensitive(verdict, why),
  };
}

function insensitive(verdict: Verdict, why: string): Verdict {
  return {
    ...verdict,
    kind: "insensitive",
    accepted: false,
    evidence: "none",
    summary: `insensitive: ${why}`,
  };
}
