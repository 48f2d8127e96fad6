import type { CandidateName, FailureKind } from "../../contracts/index.ts";
import { groupBy, isJudged, modelKey, type RecordedAttempt, wholeCost } from "./attempts.ts";

/** A share between 0 and 1 with its 95 % interval. */
export interface Share {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** What one model did for one capability in one edit format. */
export interface StatsRow {
  readonly step: RecordedAttempt["step"];
  readonly capability: string;
  readonly model: Omit<CandidateName, "backend">;
  /** Absent: not recorded, or no coder. */
  readonly editFormat?: RecordedAttempt["editFormat"];
  readonly attempts: number;
  /** Attempts that say something of the model: green, or failed by its own work. */
  readonly judged: number;
  readonly green: number;
  /** Green of judged; absent where nothing was judged. */
  readonly share?: Share;
  /** Sum over the attempts whose whole cost is known. */
  readonly costUsd?: number;
  readonly costUnknown: number;
  /** Known cost of all attempts over the green ones; absent where either is missing. */
  readonly costPerGreenUsd?: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Attempts whose tokens nobody counted. */
  readonly tokensUnknown: number;
  readonly medianMs: number;
  readonly p90Ms: number;
  /** Failures by kind, most frequent first. */
  readonly failures: readonly { readonly kind: FailureKind; readonly count: number }[];
}

/**
 * Recorded attempts by step, capability, model and edit format; most attempts first within a
 * capability. Providers' failures and such that are nobody's are listed and not counted against a
 * model.
 */
export function statsOf(attempts: readonly RecordedAttempt[]): readonly StatsRow[] {
  const groups = groupBy(attempts, ({ step, capability, candidate, editFormat }) =>
    JSON.stringify([step, capability, modelKey(candidate), editFormat]),
  );
  return [...groups.values()]
    .map(rowOf)
    .toSorted(
      (one, other) =>
        one.capability.localeCompare(other.capability) || other.attempts - one.attempts,
    );
}

function rowOf(attempts: readonly RecordedAttempt[]): StatsRow {
  const [first] = attempts;
  if (first === undefined) throw new RangeError("a group holds at least one attempt");
  const { backend: _, ...model } = first.candidate;
  const judged = attempts.filter(isJudged).length;
  const green = attempts.filter(({ ok }) => ok).length;
  const costs = attempts.map(wholeCost);
  const known = costs.filter((cost) => cost !== undefined);
  const costUsd = known.reduce((sum, cost) => sum + cost, 0);
  const costUnknown = costs.length - known.length;
  const durations = attempts.map(({ durationMs }) => durationMs);
  const tokens = (side: "input" | "output"): number =>
    attempts.reduce((sum, { usage }) => sum + (usage?.[side] ?? 0), 0);
  return {
    step: first.step,
    capability: first.capability,
    model,
    ...(first.editFormat !== undefined && { editFormat: first.editFormat }),
    attempts: attempts.length,
    judged,
    green,
    ...(judged > 0 && { share: wilson(green, judged) }),
    ...(known.length > 0 && { costUsd }),
    costUnknown,
    ...(green > 0 && costUnknown === 0 && { costPerGreenUsd: costUsd / green }),
    inputTokens: tokens("input"),
    outputTokens: tokens("output"),
    tokensUnknown: attempts.filter(({ usage }) => usage === undefined).length,
    medianMs: quantile(durations, 0.5),
    p90Ms: quantile(durations, 0.9),
    failures: failuresOf(attempts),
  };
}

function failuresOf(attempts: readonly RecordedAttempt[]): StatsRow["failures"] {
  const kinds = attempts.flatMap(({ failure }) => failure?.kind ?? []);
  return [...groupBy(kinds, (kind) => kind).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ kind: same[0], count: same.length }]))
    .toSorted((one, other) => other.count - one.count);
}

/** 97.5 % point of the normal distribution: 95 % lie within ± this many deviations. */
const z = 1.959964;

/** Wilson's interval for `green` of `judged` (E. B. Wilson, JASA 1927): sound for few trials too. */
export function wilson(green: number, judged: number): Share {
  const rate = green / judged;
  const spread = z * z;
  const middle = rate + spread / (2 * judged);
  const half = z * Math.sqrt((rate * (1 - rate)) / judged + spread / (4 * judged * judged));
  const scale = 1 + spread / judged;
  return {
    rate,
    low: Math.max(0, (middle - half) / scale),
    high: Math.min(1, (middle + half) / scale),
  };
}

/** The smallest value that at least this share of all values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
