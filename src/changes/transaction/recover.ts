import type { RollbackReport } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { diskTree } from "../disk-tree.ts";
import { type Journal, openRecord } from "./journal.ts";
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
  /** False: every path was as before already, so that the tree was left alone. */
  readonly stood: boolean;
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
  const stood = await standsInPart(site, await record.read());
  return { id, ended, stood, report: await takeBack(site, id) };
}

async function standsInPart({ root }: Site, { steps }: Journal): Promise<boolean> {
  const tree = diskTree(root);
  for (const { path, before } of steps) {
    // What cannot be read is for the taking back to tell.
    const entry = await tree.read(path).catch(() => undefined);
    const isAsBefore =
      before === null
        ? entry?.kind === "missing"
        : entry?.kind === "file" && sha256(entry.bytes) === before.hash;
    if (!isAsBefore) return true;
  }
  return false;
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
