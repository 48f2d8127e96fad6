import { basename, join } from "node:path";
import type { RecoveredTransaction, RecoveryReport } from "../changes/index.ts";
import type { TreePlace } from "../pipeline/index.ts";
import { newestRuns, readRun } from "../runs/index.ts";
import { printable } from "./views/printable.ts";

/** The run whose change a killed kit left is the newest one, or one of a few behind it. */
const runsLookedAt = 20;

/**
 * What recovery came to, one sentence each for people; none where it found nothing to do. Files
 * that it left to the user are named, with what stood there before and the next step.
 */
export async function recoverySentences(
  { recovered, unsettled }: RecoveryReport,
  place: TreePlace,
): Promise<readonly string[]> {
  return [
    ...(await Promise.all(recovered.map((each) => sentenceOf(each, place)))),
    ...unsettled.map(
      ({ reason }) => `kit was stopped half-way, and that cannot be put right: ${reason}`,
    ),
  ].map(printable);
}

async function sentenceOf(
  { id, ended, stood, report }: RecoveredTransaction,
  place: TreePlace,
): Promise<string> {
  const { restored, kept } = report;
  const became = ended.replaceAll("_", " ");
  if (kept.length > 0) {
    const files = kept.map(({ path, reason, preImage }) =>
      preImage === undefined
        ? `${path} (${reason}; it was not there before)`
        : `${path} (${reason}; as it was before: ${preImage})`,
    );
    const far = restored.length === 0 ? `was not ${became}` : `was ${became} in part`;
    const next = await nextStep(id, place);
    return `kit was stopped half-way; its change ${far}. Left to you: ${files.join(", ")}. next: ${next}`;
  }
  return stood
    ? `kit was stopped half-way; its change was ${became}.`
    : "kit was stopped half-way; nothing of its change stood in the tree.";
}

/** A change that was in place whole may still be merged out of the files; of half a one no record stays. */
async function nextStep(transaction: string, place: TreePlace): Promise<string> {
  const { transactionsOf } = await import("../pipeline/index.ts");
  const stands = await transactionsOf(place).isAccepted(transaction);
  const run = stands ? await runOf(transaction, join(place.root, ".kit", "runs")) : undefined;
  if (run === undefined) return "compare each file with the one before, and keep what you want";
  return `take kit's lines out and keep yours: kit undo ${run} --merge`;
}

async function runOf(transaction: string, runsFolder: string): Promise<string | undefined> {
  for (const { folder } of await newestRuns(runsFolder, runsLookedAt)) {
    const id = basename(folder);
    const run = await readRun(runsFolder, id).catch(() => undefined);
    const isOf = run?.events.some(
      (event) =>
        (event.type === "applied" || event.type === "landed") && event.transaction === transaction,
    );
    if (isOf) return id;
  }
  return undefined;
}
