import { join } from "node:path";
import type { RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { diskTree } from "../disk-tree.ts";
import { ifThere } from "./file-system.ts";
import { isTransactionId, openRecord, recordedIds } from "./journal.ts";
import { forgetKept, keptFolder } from "./kept.ts";
import { Obstacle } from "./obstacle.ts";
import { alone, type Site } from "./site.ts";
import type { AcceptedTransaction } from "./transactions.ts";

/** Accepted transactions, the last one first. */
export async function acceptedOn({ fs, stateDir }: Site): Promise<readonly AcceptedTransaction[]> {
  const accepted: AcceptedTransaction[] = [];
  for (const id of await recordedIds(fs, stateDir)) {
    if ((await openRecord(fs, stateDir, id).state()) !== "accepted") continue;
    const stat = await ifThere(fs.lstat(join(stateDir, "transactions", id)));
    if (stat) accepted.push({ id, modifiedMs: Number(stat.modifiedNs / 1_000_000n) });
  }
  return accepted;
}

/** The paths that are as an accepted transaction left them. */
export async function standingOn({ fs, root, stateDir }: Site, id: string): Promise<RepoPath[]> {
  if (!isTransactionId(id)) return [];
  const record = openRecord(fs, stateDir, id);
  if ((await record.state()) !== "accepted") return [];
  const tree = diskTree(root);
  const standing: RepoPath[] = [];
  for (const { path, after } of (await record.read()).steps) {
    const entry = await tree.read(path);
    const isAsLeft =
      entry.kind === "file" ? sha256(entry.bytes) === after : entry.kind === "missing" && !after;
    if (isAsLeft) standing.push(path);
  }
  return standing;
}

/** Forgets an accepted transaction; what is kept of the user's own bytes stays. */
export async function pruneOn(site: Site, id: string): Promise<void> {
  const { fs, stateDir } = site;
  try {
    await alone(site, "clean-up", async () => {
      const record = openRecord(fs, stateDir, id);
      if ((await record.state()) !== "accepted") return;
      await record.forget();
      const found = await ifThere(fs.lstat(join(keptFolder(stateDir, id), "found")));
      if (found === undefined) await forgetKept(fs, stateDir, id);
    });
  } catch (error) {
    if (!(error instanceof Obstacle) || error.failure.kind !== "conflict") throw error;
  }
}
