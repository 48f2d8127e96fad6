import type { StoreSchema } from "../../lib/store.ts";

/**
 * The tables of the ledger. Times are epoch milliseconds; a figure that nobody told is counted as
 * unknown, never as zero.
 *
 * - `cooldown`: what may not be called until when. `streak`: limits in a row without a good call
 * - `pool_window`: what was called since a pool's last reset, and where its last limit was met
 * - `flight`: calls under way, with the process that makes them
 * - `spend`: by day (UTC), pool and model
 */
export const ledgerSchema: StoreSchema = {
  migrations: [
    `CREATE TABLE cooldown (
       scope TEXT NOT NULL, name TEXT NOT NULL, failure TEXT NOT NULL, run TEXT NOT NULL,
       since INTEGER NOT NULL, until INTEGER NOT NULL, told INTEGER NOT NULL,
       streak INTEGER NOT NULL, PRIMARY KEY (scope, name)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE pool_window (
       pool TEXT PRIMARY KEY, since INTEGER NOT NULL, calls INTEGER NOT NULL,
       tokens INTEGER NOT NULL, limited_at INTEGER, resets_at INTEGER, limited_calls INTEGER
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE flight (
       id INTEGER PRIMARY KEY, pool TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
       pid INTEGER NOT NULL, started TEXT NOT NULL, host TEXT NOT NULL, began INTEGER NOT NULL,
       lease_until INTEGER NOT NULL, knocks_until INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE spend (
       day TEXT NOT NULL, pool TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
       calls INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
       tokens_unknown INTEGER NOT NULL, usd REAL NOT NULL, usd_unknown INTEGER NOT NULL,
       PRIMARY KEY (day, pool, provider, model)
     ) STRICT, WITHOUT ROWID`,
  ],
};
