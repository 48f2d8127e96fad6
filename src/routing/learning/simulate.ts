import type { Route } from "../../contracts/index.ts";
import {
  groupBy,
  isJudged,
  meanOf,
  modelKey,
  type RecordedAttempt,
  wholeCost,
} from "./attempts.ts";
import { type Belief, beliefsOf } from "./belief.ts";

/** Orders whose solves are at least this share of the best order's are compared by cost. */
const enoughSolves = 0.99;

/** What one order would have come to over the recorded runs. */
export interface SimulatedOrder {
  readonly backends: readonly string[];
  /** Expected runs that end green. */
  readonly solves: number;
  /** Expected USD of all runs, reruns included; absent where a cost is unknown. */
  readonly costUsd?: number;
  /** The part of it that reruns on the dearest model are. */
  readonly rerunUsd?: number;
}

/** A capability's recorded runs under a route. */
export interface Simulation {
  readonly step: RecordedAttempt["step"];
  readonly capability: string;
  /** Runs with a judged attempt. */
  readonly runs: number;
  readonly configured: SimulatedOrder;
  /** The cheapest order with at least 99 % of the most solves; absent where a cost is unknown. */
  readonly cheapest?: SimulatedOrder;
  /** Solves of the order that solves most. */
  readonly mostSolves: number;
  readonly calibration: Calibration;
}

/** How far the rates that were believed lie from what happened; each run judged by the others. */
export interface Calibration {
  readonly attempts: number;
  /** Expected calibration error over ten bins, between 0 and 1. */
  readonly error: number;
  /** Mean squared error of the rates (Brier's score). */
  readonly brier: number;
}

/**
 * Replays recorded runs under a route. Where a run holds a candidate's outcome, that outcome and
 * its cost count; where it does not, what is believed of the candidate from all runs. A run that no
 * candidate turns green is charged a full rerun on the dearest model. Attempts are taken to fail
 * independently.
 *
 * @param maxAttempts candidates that may reply in a run
 */
export function simulateRoute(
  route: Route,
  recorded: readonly RecordedAttempt[],
  step: RecordedAttempt["step"],
  maxAttempts: number,
): Simulation {
  const attempts = recorded.filter(
    (attempt) =>
      attempt.step === step && attempt.capability === route.capability && isJudged(attempt),
  );
  const runs = [...groupBy(attempts, ({ runId }) => runId).values()].map(outcomesOf);
  const beliefs = beliefsOf(route.candidates, attempts);
  const dearest = dearestOf(beliefs);
  const replay = (order: readonly Belief[]): SimulatedOrder =>
    replayOrder(order.slice(0, maxAttempts), runs, dearest);
  const orders = ordersOf(beliefs, maxAttempts).map(replay);
  const mostSolves = Math.max(0, ...orders.map(({ solves }) => solves));
  const enough = orders.filter(({ solves }) => solves >= enoughSolves * mostSolves);
  const cheapest = enough
    .filter(({ costUsd }) => costUsd !== undefined)
    .toSorted((one, other) => (one.costUsd ?? 0) - (other.costUsd ?? 0))[0];
  return {
    step,
    capability: route.capability,
    runs: runs.length,
    configured: replay(beliefs),
    ...(cheapest && dearest !== undefined && { cheapest }),
    mostSolves,
    calibration: calibrationOf(attempts),
  };
}

interface Outcome {
  readonly green: boolean;
  readonly costUsd: number | undefined;
}

/** What each model came to in one run; its last judged attempt decides, all of them cost. */
function outcomesOf(attempts: readonly RecordedAttempt[]): ReadonlyMap<string, Outcome> {
  const models = groupBy(attempts, ({ candidate }) => modelKey(candidate));
  return new Map(
    [...models].map(([key, own]) => {
      const costs = own.map(wholeCost);
      const known = costs.filter((cost) => cost !== undefined);
      const costUsd =
        known.length === costs.length ? known.reduce((sum, cost) => sum + cost, 0) : undefined;
      return [key, { green: own.at(-1)?.ok ?? false, costUsd }];
    }),
  );
}

/** Only where every cost is known: an unknown one might be the dearest. */
function dearestOf(beliefs: readonly Belief[]): number | undefined {
  const costs = beliefs.map(({ costUsd }) => costUsd).filter((cost) => cost !== undefined);
  return costs.length === beliefs.length && costs.length > 0 ? Math.max(...costs) : undefined;
}

function replayOrder(
  order: readonly Belief[],
  runs: readonly ReadonlyMap<string, Outcome>[],
  dearest: number | undefined,
): SimulatedOrder {
  let solves = 0;
  let cost = 0;
  let rerun = 0;
  for (const run of runs) {
    let open = 1;
    for (const { candidate, rate, costUsd } of order) {
      const outcome = run.get(modelKey(candidate.binding));
      cost += open * (outcome?.costUsd ?? costUsd ?? 0);
      open *= outcome === undefined ? 1 - rate : Number(!outcome.green);
    }
    solves += 1 - open;
    rerun += open * (dearest ?? 0);
  }
  return {
    backends: order.map(({ candidate }) => candidate.backend),
    solves,
    ...(dearest !== undefined && { costUsd: cost + rerun, rerunUsd: rerun }),
  };
}

/** More orders than this are not all tried: the candidates of the lowest cost over rate are. */
const mostCandidates = 8;

/** Every order of `length` candidates, degraded ones only behind able ones. */
function ordersOf(beliefs: readonly Belief[], maxAttempts: number): readonly Belief[][] {
  const tried = beliefs
    .toSorted((one, other) => (one.costUsd ?? 0) / one.rate - (other.costUsd ?? 0) / other.rate)
    .slice(0, mostCandidates);
  const length = Math.min(maxAttempts, tried.length);
  const extend = (order: readonly Belief[]): Belief[][] => {
    if (order.length === length) return [[...order]];
    const left = tried.filter((belief) => !order.includes(belief));
    const able = left.filter(({ candidate }) => candidate.degraded.length === 0);
    return (able.length > 0 ? able : left).flatMap((belief) => extend([...order, belief]));
  };
  return extend([]);
}

const bins = 10;
const folds = 5;

/**
 * Each attempt's rate is believed from the runs of the other folds, with one green and one red
 * before any. (Leaving out one attempt at a time would make a green one look less likely than a red
 * one of the same model.)
 */
function calibrationOf(attempts: readonly RecordedAttempt[]): Calibration {
  const runs = [...new Set(attempts.map(({ runId }) => runId))];
  const foldOf = new Map(runs.map((runId, index) => [runId, index % folds]));
  const predictions = [
    ...groupBy(attempts, ({ candidate }) => modelKey(candidate)).values(),
  ].flatMap((own) =>
    own.map(({ ok, runId }) => {
      const others = own.filter((other) => foldOf.get(other.runId) !== foldOf.get(runId));
      const green = others.filter((other) => other.ok).length;
      return { rate: (1 + green) / (2 + others.length), green: Number(ok) };
    }),
  );
  const total = predictions.length;
  if (total === 0) return { attempts: 0, error: 0, brier: 0 };
  const binned = groupBy(predictions, ({ rate }) =>
    String(Math.min(bins - 1, Math.floor(rate * bins))),
  );
  const error = [...binned.values()].reduce((sum, bin) => {
    const gap =
      (meanOf(bin.map(({ rate }) => rate)) ?? 0) - (meanOf(bin.map(({ green }) => green)) ?? 0);
    return sum + (bin.length / total) * Math.abs(gap);
  }, 0);
  const brier = meanOf(predictions.map(({ rate, green }) => (rate - green) ** 2)) ?? 0;
  return { attempts: total, error, brier };
}
