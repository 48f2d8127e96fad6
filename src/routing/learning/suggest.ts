import type { Candidate, Route } from "../../contracts/index.ts";
import type { RecordedAttempt } from "./attempts.ts";
import { type Belief, beliefsOf } from "./belief.ts";

/** A candidate with fewer judged attempts than this may be explored. */
const littleKnown = 5;
/** At most one run in this many explores. */
const exploreEvery = 10;
/** An exploring run may be expected to cost at most this many times the best order. */
const exploreCostLimit = 2;
/** One-sided 80 % point of the normal distribution. */
const optimism = 0.84;

/** The order that costs least until a green, by what is believed of each candidate. */
export interface SuggestedOrder {
  /** As asked: able candidates, then degraded ones. */
  readonly candidates: readonly Candidate[];
  /** In the configured order. */
  readonly beliefs: readonly Belief[];
  /** What orders are compared by: USD, or attempts where the cost of any candidate is unknown. */
  readonly unit: "usd" | "attempts";
  /** Expected cost of one run, in `unit`. */
  readonly configured: number;
  readonly suggested: number;
  /** Backend that this run moves to the front to learn of it. */
  readonly explores?: string;
  /** Recorded runs of the capability. */
  readonly runs: number;
}

/**
 * Orders the candidates of a route by expected cost to green. For attempts that fail
 * independently the cheapest order is that of cost over rate, ascending; ties keep the configured
 * order. Degraded candidates stay behind the able ones. Every tenth run may put a candidate of
 * which little is known first: where it would be the best if it were as good as it well may be,
 * and the run is not expected to cost twice as much.
 */
export function suggestOrder(
  route: Route,
  recorded: readonly RecordedAttempt[],
  step: RecordedAttempt["step"],
): SuggestedOrder {
  const attempts = recorded.filter(
    (attempt) => attempt.step === step && attempt.capability === route.capability,
  );
  const beliefs = beliefsOf(route.candidates, attempts);
  const unit = beliefs.every(({ costUsd }) => costUsd !== undefined) ? "usd" : "attempts";
  const able = beliefs.filter(({ candidate }) => candidate.degraded.length === 0);
  const degraded = beliefs.filter(({ candidate }) => candidate.degraded.length > 0);
  const best = [...byScore(able, unit), ...byScore(degraded, unit)];
  const runs = new Set(attempts.map(({ runId }) => runId)).size;
  const explored = runs % exploreEvery === exploreEvery - 1 ? exploration(best, unit) : undefined;
  const order = explored ?? best;
  return {
    candidates: order.map(({ candidate }) => candidate),
    beliefs,
    unit,
    configured: expectedCost(beliefs, unit),
    suggested: expectedCost(order, unit),
    ...(explored?.[0] && { explores: explored[0].candidate.backend }),
    runs,
  };
}

/** Expected cost over expected greens: the less, the earlier. */
export function scoreOf(belief: Belief, unit: SuggestedOrder["unit"]): number {
  return costIn(belief, unit) / belief.rate;
}

function costIn({ costUsd }: Belief, unit: SuggestedOrder["unit"]): number {
  return unit === "usd" ? (costUsd ?? 0) : 1;
}

function byScore(beliefs: readonly Belief[], unit: SuggestedOrder["unit"]): readonly Belief[] {
  // Rounded, so that what differs by the last bit keeps the configured order.
  const rounded = (belief: Belief): number => Number(scoreOf(belief, unit).toPrecision(9));
  return beliefs.toSorted((one, other) => rounded(one) - rounded(other));
}

/** Each candidate's cost, times the chance that all before it failed. */
function expectedCost(order: readonly Belief[], unit: SuggestedOrder["unit"]): number {
  let open = 1;
  let cost = 0;
  for (const belief of order) {
    cost += open * costIn(belief, unit);
    open *= 1 - belief.rate;
  }
  return cost;
}

function exploration(
  best: readonly Belief[],
  unit: SuggestedOrder["unit"],
): readonly Belief[] | undefined {
  const [first] = best;
  if (first === undefined) return undefined;
  const limit = exploreCostLimit * expectedCost(best, unit);
  const promising = best.find((belief) => {
    const hoped = Math.min(0.99, belief.rate + optimism * belief.deviation);
    return (
      belief !== first &&
      belief.candidate.degraded.length === 0 &&
      belief.judged < littleKnown &&
      costIn(belief, unit) / hoped < scoreOf(first, unit)
    );
  });
  if (promising === undefined) return undefined;
  const order = [promising, ...best.filter((belief) => belief !== promising)];
  return expectedCost(order, unit) <= limit ? order : undefined;
}
