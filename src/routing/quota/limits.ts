import type { Candidate, Failure, FailureKind, LimitScope } from "../../contracts/index.ts";

/**
 * Whom a limit binds.
 * - `everyone`: no run calls it until then
 * - `runs_before`: runs that began before it was found; a later one asks anew, as its user may have
 *   mended the cause meanwhile
 * - `others`: other runs ask it after all the rest; the one that found it knows best
 */
export type LimitReach = "everyone" | "runs_before" | "others";

interface LimitRow {
  readonly scope: LimitScope;
  readonly reach: LimitReach;
  /** How long it holds where nobody said; doubled for each further limit in a row. */
  readonly unknownMs: number;
  /** The most that doubling comes to. */
  readonly mostMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Failures that say something about the next call, whoever makes it (DESIGN, "Failures"). */
const rows: Partial<Record<FailureKind, LimitRow>> = {
  usage_limit: { scope: "pool", reach: "everyone", unknownMs: HOUR_MS, mostMs: 5 * HOUR_MS },
  rate_limit: { scope: "pool", reach: "everyone", unknownMs: 10_000, mostMs: 5 * MINUTE_MS },
  auth: { scope: "provider", reach: "runs_before", unknownMs: HOUR_MS, mostMs: HOUR_MS },
  overloaded: { scope: "candidate", reach: "others", unknownMs: 30_000, mostMs: 30_000 },
  network: { scope: "candidate", reach: "others", unknownMs: 30_000, mostMs: 30_000 },
};

/** A limit that a failure tells of. */
export interface FoundLimit {
  readonly scope: LimitScope;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The provider said until when. */
  readonly told: boolean;
}

/** @param streak limits in a row, this one counted */
export function limitOf(
  candidate: Candidate,
  failure: Failure,
  now: number,
  streak: number,
): FoundLimit | undefined {
  const row = rows[failure.kind];
  if (row === undefined) return undefined;
  const name = nameIn(row.scope, candidate);
  const told = toldUntil(failure, now);
  if (told !== undefined) return { scope: row.scope, name, until: told, told: true };
  const unknownMs = Math.min(row.unknownMs * 2 ** (streak - 1), row.mostMs);
  return { scope: row.scope, name, until: now + unknownMs, told: false };
}

/** Whom a kept limit binds. A kind that this version does not know binds everyone. */
export function reachOf(kind: string): LimitReach {
  return Object.hasOwn(rows, kind) ? (rows[kind as FailureKind]?.reach ?? "everyone") : "everyone";
}

/** The name a limit of this scope is kept under; models are told apart as providers do. */
export function nameIn(scope: LimitScope, { binding }: Candidate): string {
  if (scope === "pool") return binding.quotaPool;
  if (scope === "provider") return binding.provider.toLowerCase();
  return `${binding.adapter}:${binding.provider}/${binding.model}`.toLowerCase();
}

/** The scope and name under which a failure's limit would be kept. */
export function limitPlace(
  candidate: Candidate,
  kind: FailureKind,
): { readonly scope: LimitScope; readonly name: string } | undefined {
  const scope = rows[kind]?.scope;
  return scope && { scope, name: nameIn(scope, candidate) };
}

function toldUntil(failure: Failure, now: number): number | undefined {
  if (failure.kind === "rate_limit" && failure.retryAfterMs !== undefined)
    return now + failure.retryAfterMs;
  if (failure.kind !== "usage_limit" || failure.resetAt === undefined) return undefined;
  const resetAt = Date.parse(failure.resetAt);
  // A reset in the past is a clock that goes wrong, theirs or ours.
  return Number.isNaN(resetAt) || resetAt <= now ? undefined : resetAt;
}
