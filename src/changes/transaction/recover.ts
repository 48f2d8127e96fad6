import type { RollbackReport } from "../../contracts/index.ts";
import { clearAside } from "./carry-out.ts";
import { openRecord } from "./journal.ts";
import { restoreAll } from "./restore-all.ts";
import type { Site } from "./site.ts";

/** A transaction that a crash had left unfinished, and what became of it. */
export interface RecoveredTransaction {
  readonly id: string;
  /**
   * `rolled_back`: it was under way and the tree is as before. `completed`: it was in place, and is
   * tidied now. `undone`: its undo was under way and is finished.
   */
  readonly ended: "rolled_back" | "completed" | "undone";
  readonly report: RollbackReport;
}

/** Whether a transaction's folder holds anything for `recoverOne` to do. */
export async function isUnfinished({ fs, stateDir }: Site, id: string): Promise<boolean> {
  return (await openRecord(fs, stateDir, id).state()) !== "applied";
}

/**
 * Settles one transaction by the state its record is in; one without a record had not begun and
 * is removed. @returns undefined where the tree was not concerned.
 */
export async function recoverOne(
  site: Site,
  id: string,
): Promise<RecoveredTransaction | undefined> {
  const record = openRecord(site.fs, site.stateDir, id);
  const state = await record.state();
  if (state === "applied") return undefined;
  if (state === undefined) {
    await record.forget();
    return undefined;
  }
  if (state === "undoing") return { id, ended: "undone", report: await takeBack(site, id) };
  const journal = await record.read(state);
  if (state === "committed") {
    await clearAside(site, journal);
    await record.advance("committed", "applied");
    return { id, ended: "completed", report: { restored: [], kept: [] } };
  }
  const report = await restoreAll(site, record, journal);
  await record.forget();
  return { id, ended: "rolled_back", report };
}

/**
 * Takes an applied transaction back, or goes on with that. Its record goes with it unless a file
 * was kept: then the transaction stays applied, and its pre-images with it.
 */
export async function takeBack(site: Site, id: string): Promise<RollbackReport> {
  const record = openRecord(site.fs, site.stateDir, id);
  if ((await record.state()) === "applied") await record.advance("applied", "undoing");
  const report = await restoreAll(site, record, await record.read("undoing"));
  if (report.kept.length === 0) await record.forget();
  else await record.advance("undoing", "applied");
  return report;
}
