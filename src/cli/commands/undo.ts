import { join } from "node:path";
import { KitError, type RecordedEvent, type RollbackReport } from "../../contracts/index.ts";
import type { MergeReport, Transactions } from "../../changes/index.ts";
import { stateFolder } from "../../lib/git.ts";
import { openInPlace } from "../../pipeline/index.ts";
import { readRun, type RunRead } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { putRight } from "../history.ts";
import { addRepoOption } from "../options.ts";
import { openRepository, type ProjectRequest } from "../project.ts";
import { counted } from "../views/format.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { merge?: true }>({
  define(command) {
    addRepoOption(
      command.argument(
        "[id]",
        "a run's id, its start or its last four characters; the newest when absent",
      ),
    ).option("--merge", "files that you changed since: take kit's lines out, keep yours");
  },
  examples: [
    ["kit undo", "takes the change of the newest run back, to the byte"],
    ["kit undo k3f9", "the same for another run"],
    ["kit undo --merge", "also out of files that you changed since; marks what overlaps"],
  ],
  async run({ repo, merge }, { io, args: [id] }) {
    const { root, git } = await openRepository(repo, io);
    const place = { root, git, stateDir: await stateFolder(git, root) };
    const { recovered } = await putRight(place, io);
    const run = await readRun(
      join(root, ".kit", "runs"),
      id === undefined ? undefined : String(id),
    );
    const transaction = standingChange(run);
    const { workspace, transactions } = await openInPlace(place, `undo of ${run.receipt.runId}`);
    try {
      // What recovery took back whole a moment ago is what was asked for.
      const tookBack = recovered.find(
        ({ id: each, report }) => each === transaction && report.kept.length === 0,
      );
      const report =
        tookBack?.report ??
        (await transactions.undo(transaction).catch((error: unknown) => {
          throw whyNothing(error, run);
        }));
      const merging = merge === true && report.kept.length > 0;
      const done: UndoReport = merging
        ? await mergedInto(report, transactions, transaction)
        : report;
      const { kept, merged = [] } = done;
      const isWhole = kept.length === 0 && merged.every(({ conflicts }) => conflicts === 0);
      return {
        exitCode: isWhole ? 0 : 1,
        document: { runId: run.receipt.runId, ...done },
        text: textOf(done, merging),
      };
    } finally {
      await workspace.close();
    }
  },
});

type Landed = Extract<RecordedEvent, { type: "landed" }>;

/** The transaction that a run left in the tree. @throws KitError where it left none. */
function standingChange({ events, receipt }: RunRead): string {
  const landed = events.findLast((event) => event.type === "landed");
  if (landed?.type === "landed") return landedChange(landed);
  const applied = events.findLast((event) => event.type === "applied");
  const takenBack = events.findLast((event) => event.type === "rolled_back");
  if (applied?.type === "applied" && applied.seq > (takenBack?.seq ?? 0))
    return applied.transaction;
  throw new KitError("not_found", `The run ${receipt.runId} left no change in the tree.`, {
    next: "See what there is: kit runs",
  });
}

/** @throws KitError where git has the change: what git keeps is git's to take back */
function landedChange({ to, transaction, branch, commit }: Landed): string {
  if (to === "tree" && transaction !== undefined) return transaction;
  const where = branch === undefined ? `commit ${commit}` : `the branch ${branch}`;
  throw new KitError("not_found", `The change of this run is in git, as ${where}.`, {
    next: branch === undefined ? `git revert ${commit}` : `git branch -D ${branch}`,
  });
}

/** The tree no longer knows of the change. */
function whyNothing(error: unknown, { receipt }: RunRead): unknown {
  if (!(error instanceof KitError) || error.kind !== "not_found") return error;
  return new KitError(
    "not_found",
    `The change of ${receipt.runId} was taken back before, or its record is gone.`,
    {
      cause: error,
      next: "See what there is: kit runs",
    },
  );
}

interface UndoReport extends RollbackReport {
  readonly merged?: MergeReport["merged"];
}

/** Merges what the undo left; the pre-images it named stay where they are. */
async function mergedInto(
  { restored, kept }: RollbackReport,
  transactions: Transactions,
  transaction: string,
): Promise<UndoReport> {
  const { merged, left } = await transactions.merge(transaction);
  const before = new Map(kept.map(({ path, preImage }) => [path, preImage]));
  const stays = left.map(({ path, reason }) => {
    const preImage = before.get(path);
    return { path, reason, ...(preImage !== undefined && { preImage }) };
  });
  return { restored, merged, kept: stays };
}

function textOf({ restored, kept, merged = [] }: UndoReport, merging: boolean): string {
  const marked = merged.filter(({ conflicts }) => conflicts > 0).length;
  const lines = [
    `Taken back: ${counted(restored.length, "file")}`,
    ...restored.map((path) => `  ${path}`),
    ...merged.flatMap(({ path, conflicts, yours }) => [
      conflicts === 0
        ? `Merged: ${path} (your lines stay, kit's are gone)`
        : `Merged, with ${counted(conflicts, "place")} for you to decide: ${path}`,
      `  as it was until now: ${yours}`,
    ]),
    ...kept.flatMap(({ path, reason, preImage }) => [
      `Left as it is: ${path} (${reason})`,
      ...(preImage === undefined ? [] : [`  what stood there before the run: ${preImage}`]),
    ]),
    ...(marked === 0 ? [] : ["next: look for <<<<<<< in the files named above"]),
    ...(kept.length === 0 || merging
      ? []
      : ["next: take kit's lines out of them and keep yours: kit undo --merge"]),
  ];
  return `${lines.join("\n")}\n`;
}
