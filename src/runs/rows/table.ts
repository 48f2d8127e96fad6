import { join } from "node:path";
import type { ExitCode, OutcomeKind } from "../../contracts/index.ts";
import type { Store, StoreRow, StoreSchema } from "../../lib/store.ts";
import type { RunRow } from "./row.ts";

/** Where the index of a repository's runs is. @param runsFolder absolute `.kit/runs` */
export function indexFile(runsFolder: string): string {
  return join(runsFolder, "index.sqlite");
}

/**
 * One row a run. `stamp` says which files it was read from; `ended`: with a receipt, so that only
 * a kit that goes on with the run changes it. A new shape drops the table: it is filled again.
 */
export const indexSchema: StoreSchema = {
  migrations: [
    `CREATE TABLE run (
       id TEXT PRIMARY KEY, stamp TEXT NOT NULL, ended INTEGER NOT NULL, task TEXT NOT NULL,
       outcome TEXT NOT NULL, exit_code INTEGER NOT NULL, escalated INTEGER NOT NULL,
       started_at TEXT, attempts INTEGER NOT NULL, calls INTEGER NOT NULL,
       changed_files TEXT NOT NULL, duration_ms REAL NOT NULL, cost_usd REAL,
       cost_unknown INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
};

/** A row as it is kept. */
export interface KeptRow {
  readonly row: RunRow;
  readonly stamp: string;
  readonly ended: boolean;
}

/** The kept rows from the id `from` on, by id. */
export function keptRows(store: Store, runsFolder: string, from: string): Map<string, KeptRow> {
  const rows = store.all(
    `SELECT id, stamp, ended, task, outcome, exit_code, escalated, started_at, attempts, calls,
       changed_files, duration_ms, cost_usd, cost_unknown FROM run WHERE id >= ?`,
    from,
  );
  return new Map(rows.map((stored) => [String(stored["id"]), fromStored(stored, runsFolder)]));
}

/** Takes rows in, in place of what was kept of the same runs. */
export function keepRows(store: Store, rows: readonly KeptRow[]): void {
  store.transact(() => {
    for (const { row, stamp, ended } of rows) {
      store.run(
        "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.id,
        stamp,
        Number(ended),
        row.task,
        row.outcome,
        row.exitCode,
        Number(row.escalated),
        row.startedAt,
        row.attempts,
        row.calls,
        JSON.stringify(row.changedFiles),
        row.durationMs,
        row.costUsd ?? null,
        row.costUnknown,
      );
    }
  });
}

/** Forgets runs that are gone. */
export function dropRows(store: Store, ids: readonly string[]): void {
  store.transact(() => {
    for (const id of ids) store.run("DELETE FROM run WHERE id = ?", id);
  });
}

/** Columns hold what `keepRows` wrote: the file is kit's own, and a damaged one is thrown away. */
function fromStored(stored: StoreRow, runsFolder: string): KeptRow {
  const id = String(stored["id"]);
  const costUsd = stored["cost_usd"];
  const startedAt = stored["started_at"];
  return {
    stamp: String(stored["stamp"]),
    ended: stored["ended"] === 1,
    row: {
      id,
      folder: join(runsFolder, id),
      task: String(stored["task"]),
      outcome: String(stored["outcome"]) as OutcomeKind,
      exitCode: Number(stored["exit_code"]) as ExitCode,
      escalated: stored["escalated"] === 1,
      startedAt: typeof startedAt === "string" ? startedAt : null,
      attempts: Number(stored["attempts"]),
      calls: Number(stored["calls"]),
      changedFiles: JSON.parse(String(stored["changed_files"])) as string[],
      durationMs: Number(stored["duration_ms"]),
      ...(typeof costUsd === "number" && { costUsd }),
      costUnknown: Number(stored["cost_unknown"]),
    },
  };
}
