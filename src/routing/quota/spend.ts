import type { CallResult } from "../../contracts/index.ts";
import type { Store } from "../../lib/store.ts";

/** What a call told of its cost; an absent figure is unknown. */
type Told = Partial<Pick<CallResult, "usage" | "costUsd">>;

/** Whose account, and which model. */
export interface Spender {
  readonly pool: string;
  readonly provider: string;
  readonly model: string;
}

/** The day (UTC) of a time. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Adds one call to the day it began on. A useless reply has been paid like any other. */
export function addSpend(store: Store, spender: Spender, began: number, told: Told): void {
  const tokens = tokensOf(told);
  store.run(
    `INSERT INTO spend VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + 1, input = input + excluded.input,
       output = output + excluded.output, tokens_unknown = tokens_unknown + excluded.tokens_unknown,
       usd = usd + excluded.usd, usd_unknown = usd_unknown + excluded.usd_unknown`,
    dayOf(began),
    spender.pool,
    spender.provider,
    spender.model,
    tokens?.input ?? 0,
    tokens?.output ?? 0,
    tokens === undefined ? 1 : 0,
    told.costUsd ?? 0,
    told.costUsd === undefined ? 1 : 0,
  );
}

/** Counts a call in the window of its pool; the first one after a reset begins a new window. */
export function addToWindow(store: Store, pool: string, now: number, told: Told): void {
  const tokens = tokensOf(told);
  const sum = (tokens?.input ?? 0) + (tokens?.output ?? 0);
  store.run(
    `INSERT INTO pool_window VALUES (?, ?, 1, ?, NULL, NULL, NULL)
     ON CONFLICT DO UPDATE SET
       since = iif(resets_at <= excluded.since, excluded.since, since),
       calls = iif(resets_at <= excluded.since, 1, calls + 1),
       tokens = iif(resets_at <= excluded.since, excluded.tokens, tokens + excluded.tokens),
       resets_at = iif(resets_at <= excluded.since, NULL, resets_at)`,
    pool,
    now,
    sum,
  );
}

/** A limit of the pool was met: so many calls its window held. */
export function limitWindow(store: Store, pool: string, now: number, until: number): void {
  store.run(
    `UPDATE pool_window SET limited_at = ?, resets_at = ?, limited_calls = calls - 1 WHERE pool = ?`,
    now,
    until,
    pool,
  );
}

function tokensOf({ usage }: Told): { input: number; output: number } | undefined {
  if (usage === undefined) return undefined;
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  if (input === undefined && output === undefined) return undefined;
  return { input: (input ?? 0) + cacheRead + cacheWrite, output: output ?? 0 };
}
