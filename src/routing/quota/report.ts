import type { Candidate, Cooling, LimitScope } from "../../contracts/index.ts";
import { mayBeAlive } from "../../lib/processes/index.ts";
import { openStore, openStoreToRead, type Store, type StoreRow } from "../../lib/store.ts";
import { nameIn, reachOf } from "./limits.ts";
import { ledgerFile } from "./open.ts";
import { dayOf } from "./spend.ts";
import { ledgerSchema } from "./tables.ts";

/** One limit that holds. */
export interface LimitReport extends Cooling {
  readonly since: number;
}

/** What is known of one account. Times are epoch milliseconds; what is unknown is absent. */
export interface PoolReport {
  readonly pool: string;
  readonly inFlight: number;
  /** Calls and tokens since the window began, as far as kit made them. */
  readonly since?: number;
  readonly calls: number;
  readonly tokens: number;
  readonly limitedAt?: number;
  readonly resetsAt?: number;
  /** Calls the window held when its last limit was met. */
  readonly limitedCalls?: number;
}

/** Calls of one model on one day (UTC). Above zero, the `unknown` counts make the sums lower bounds. */
export interface SpendReport {
  readonly day: string;
  readonly pool: string;
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly tokensUnknown: number;
  readonly usd: number;
  readonly usdUnknown: number;
}

/** Everything the ledger can tell people. */
export interface LedgerReport {
  readonly limits: readonly LimitReport[];
  readonly pools: readonly PoolReport[];
  readonly spend: readonly SpendReport[];
}

/** Days of spend that are told. */
const DAYS = 7;
const DAY_MS = 86_400_000;

/** Reads the ledger as it stands, creating nothing. @throws StoreError */
export async function readLedger(folder: string, now: number): Promise<LedgerReport> {
  const store = await openStoreToRead(ledgerFile(folder), ledgerSchema);
  if (store === undefined) return { limits: [], pools: [], spend: [] };
  try {
    return { limits: limitsIn(store, now), pools: poolsIn(store, now), spend: spendIn(store, now) };
  } finally {
    store.close();
  }
}

/**
 * Forgets the limits of one pool, or of all; what was spent stays known.
 * @returns how many limits were forgotten
 * @throws StoreError
 */
export async function forgetLimits(folder: string, pool: string | undefined): Promise<number> {
  const store = await openStore(ledgerFile(folder), ledgerSchema);
  try {
    return store.transact(() => {
      if (pool === undefined) {
        store.run("DELETE FROM pool_window");
        return store.run("DELETE FROM cooldown");
      }
      store.run("DELETE FROM pool_window WHERE pool = ?", pool);
      return store.run("DELETE FROM cooldown WHERE scope = 'pool' AND name = ?", pool);
    });
  } finally {
    store.close();
  }
}

function limitsIn(store: Store, now: number): LimitReport[] {
  return store
    .all("SELECT * FROM cooldown WHERE until > ? ORDER BY scope, name", now)
    .map((row) => ({
      scope: String(row["scope"]) as LimitScope,
      name: String(row["name"]),
      failure: String(row["failure"]) as Cooling["failure"],
      since: Number(row["since"]),
      until: Number(row["until"]),
      told: row["told"] === 1,
    }));
}

function poolsIn(store: Store, now: number): PoolReport[] {
  const flights = store.all("SELECT * FROM flight WHERE lease_until > ?", now).filter((row) =>
    mayBeAlive({
      pid: Number(row["pid"]),
      started: String(row["started"]),
      host: String(row["host"]),
    }),
  );
  const windows = store.all("SELECT * FROM pool_window");
  const names = new Set([...windows, ...flights].map((row) => String(row["pool"])));
  return [...names].toSorted().map((pool) => {
    const row = windows.find((each) => each["pool"] === pool);
    return {
      pool,
      inFlight: flights.filter((each) => each["pool"] === pool).length,
      ...figure("since", row, "since"),
      calls: Number(row?.["calls"] ?? 0),
      tokens: Number(row?.["tokens"] ?? 0),
      ...figure("limitedAt", row, "limited_at"),
      ...figure("resetsAt", row, "resets_at"),
      ...figure("limitedCalls", row, "limited_calls"),
    };
  });
}

function figure<K extends string>(
  key: K,
  row: StoreRow | undefined,
  column: string,
): { readonly [k in K]?: number } {
  const value = row?.[column];
  return (typeof value === "number" ? { [key]: value } : {}) as { readonly [k in K]?: number };
}

function spendIn(store: Store, now: number): SpendReport[] {
  const first = dayOf(now - (DAYS - 1) * DAY_MS);
  return store
    .all("SELECT * FROM spend WHERE day >= ? ORDER BY day DESC, pool, provider, model", first)
    .map((row) => ({
      day: String(row["day"]),
      pool: String(row["pool"]),
      provider: String(row["provider"]),
      model: String(row["model"]),
      calls: Number(row["calls"]),
      input: Number(row["input"]),
      output: Number(row["output"]),
      tokensUnknown: Number(row["tokens_unknown"]),
      usd: Number(Number(row["usd"]).toFixed(9)),
      usdUnknown: Number(row["usd_unknown"]),
    }));
}

/** What keeps a run that starts now from calling a candidate. */
export function coolingIn(
  limits: readonly LimitReport[],
  candidate: Candidate,
): LimitReport | undefined {
  return limits.find(
    ({ failure, scope, name }) =>
      reachOf(failure) === "everyone" && name === nameIn(scope, candidate),
  );
}
