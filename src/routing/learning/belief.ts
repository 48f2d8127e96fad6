import type { Candidate, Price } from "../../contracts/index.ts";
import {
  groupBy,
  isJudged,
  meanOf,
  modelKey,
  type RecordedAttempt,
  wholeCost,
} from "./attempts.ts";

/** How many attempts the configured order is worth. */
export const priorStrength = 4;
/** What is believed of the first candidate before anything is known. */
const priorRate = 0.5;

/** What is believed of a candidate for one capability, and from what. */
export interface Belief {
  readonly candidate: Candidate;
  /** Beta prior: this rate, worth `priorStrength` attempts. */
  readonly prior: number;
  readonly judged: number;
  readonly green: number;
  /** Posterior mean of turning an attempt green. */
  readonly rate: number;
  /** Its standard deviation. */
  readonly deviation: number;
  /** Expected USD of one attempt; absent: neither recorded nor priced. */
  readonly costUsd?: number;
  /** `recorded` over this many attempts, or `priced`: price × the capability's usual tokens. */
  readonly costFrom?: { readonly kind: "recorded" | "priced"; readonly attempts: number };
}

/**
 * Beliefs of candidates in their configured order. The order is the prior: a candidate that comes
 * later than a dearer one is believed to be green correspondingly less often, so that without any
 * run the configured order is also the cheapest one. `attempts` are those of one step and capability.
 */
export function beliefsOf(
  candidates: readonly Candidate[],
  attempts: readonly RecordedAttempt[],
): readonly Belief[] {
  const own = groupBy(attempts, ({ candidate }) => modelKey(candidate));
  const usual = usualTokens(attempts);
  const known = candidates.map((candidate) => {
    const tried = own.get(modelKey(candidate.binding)) ?? [];
    return { candidate, tried, cost: costOf(tried, candidate.binding.price, usual) };
  });
  let score = 0;
  return known.map(({ candidate, tried, cost }) => {
    const costUsd = cost?.costUsd;
    score = Math.max(score, (costUsd ?? 0) / priorRate);
    const prior = costUsd === undefined || score === 0 ? priorRate : costUsd / score;
    const judged = tried.filter(isJudged).length;
    const green = tried.filter(({ ok }) => ok).length;
    const trials = priorStrength + judged;
    const rate = (priorStrength * prior + green) / trials;
    return {
      candidate,
      prior,
      judged,
      green,
      rate,
      deviation: Math.sqrt((rate * (1 - rate)) / (trials + 1)),
      ...cost,
    };
  });
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Mean tokens of an attempt; `undefined` where nobody counted any. */
function usualTokens(attempts: readonly RecordedAttempt[]): Tokens | undefined {
  const input = meanOf(attempts.map(({ usage }) => usage?.input));
  const output = meanOf(attempts.map(({ usage }) => usage?.output));
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** Judged attempts alone: one that a provider ended at once costs nothing and says nothing. */
function costOf(
  tried: readonly RecordedAttempt[],
  price: Price | undefined,
  usual: Tokens | undefined,
): Pick<Belief, "costUsd" | "costFrom"> | undefined {
  const costs = tried.filter(isJudged).map(wholeCost);
  const recorded = meanOf(costs);
  if (recorded !== undefined) {
    const count = costs.filter((cost) => cost !== undefined).length;
    return { costUsd: recorded, costFrom: { kind: "recorded", attempts: count } };
  }
  if (price === undefined || usual === undefined) return undefined;
  const costUsd = (usual.input * price.input + usual.output * price.output) / 1_000_000;
  return { costUsd, costFrom: { kind: "priced", attempts: 0 } };
}
