import type { RollbackReport } from "../../contracts/index.ts";
import { clearAside } from "./carry-out.ts";
import { openRecord } from "./journal.ts";
import { restoreAll } from "./restore-all.ts";
import type { Site } from "./site.ts";

/** A transaction that a crash had left unfinished, and what became of it. */
export interface RecoveredTransaction {
  readonly id: string;
  /**
   * `rolled_back`: nobody had accepted it, and the tree is as before. `undone`: its undo was under
   * way and is finished.
   */
  readonly ended: "rolled_back" | "undone";
  readonly report: RollbackReport;
}

/** Whether a transaction's folder holds anything for `recoverOne` to do. */
export async function isUnfinished({ fs, stateDir }: Site, id: string): Promise<boolean> {
  return (await openRecord(fs, stateDir, id).state()) !== "accepted";
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
  if (state === "accepted") return undefined;
  if (state === undefined) {
    await record.forget();
    return undefined;
  }
  if (state === "undoing") return { id, ended: "undone", report: await takeBack(site, id) };
  if (state === "committed") {
    await clearAside(site, await record.read(state));
    await record.advance("committed", "applied");
  }
  if (state !== "journal") return { id, ended: "rolled_back", report: await takeBack(site, id) };
  const journal = await record.read(state);
  const report = await restoreAll(site, record, journal);
  await record.forget();
  return { id, ended: "rolled_back", report };
}

/**
 * Takes a transaction that is in place back, or goes on with that. Its record goes with it unless
 * a file was kept: then the transaction stays, accepted as far as it stands, with its pre-images.
 */
export async function takeBack(site: Site, id: string): Promise<RollbackReport> {
  const record = openRecord(site.fs, site.stateDir, id);
  const state = await record.state();
  if (state === "applied" || state === "accepted") await record.advance(state, "undoing");
  const report = await restoreAll(site, record, await record.read("undoing"));
  if (report.kept.length === 0) await record.forget();
  else await record.advance("undoing", "accepted");
  return report;
}
