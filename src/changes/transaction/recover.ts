import type { RollbackReport } from "../../contracts/index.ts";
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
 * Settles one transaction that nobody accepted: what it had done is taken back. One without a
 * record had not begun and is removed. @returns undefined where the tree was not concerned.
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
  const ended = state === "undoing" ? "undone" : "rolled_back";
  return { id, ended, report: await takeBack(site, id) };
}

/**
 * Takes a transaction back, whatever state it is in, or goes on with that. Its record goes with it
 * unless it was in place and a file was kept: then it stays, accepted as far as it stands.
 */
export async function takeBack(site: Site, id: string): Promise<RollbackReport> {
  const record = openRecord(site.fs, site.stateDir, id);
  const found = await record.state();
  await record.makeRoom();
  // One that is not accepted is taken back by recovery as it stands.
  if (found === "accepted") await record.advance("accepted", "undoing");
  const report = await restoreAll(site, record, await record.read());
  if (found === undefined || found === "journal" || report.kept.length === 0) await record.forget();
  else await record.advance(found === "accepted" ? "undoing" : found, "accepted");
  return report;
}
