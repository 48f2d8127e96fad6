import { join } from "node:path";
import { KitError, type RecordedEvent, type RollbackReport } from "../../contracts/index.ts";
import { stateFolder } from "../../lib/git.ts";
import { openInPlace } from "../../pipeline/index.ts";
import { readRun, type RunRead } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { addRepoOption } from "../options.ts";
import { openRepository, type ProjectRequest } from "../project.ts";
import { counted } from "../views/format.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo">>({
  define(command) {
    addRepoOption(
      command.argument(
        "[id]",
        "a run's id, its start or its last four characters; the newest when absent",
      ),
    );
  },
  examples: [
    ["kit undo", "takes the change of the newest run back, to the byte"],
    ["kit undo k3f9", "the same for another run"],
  ],
  async run({ repo }, { io, args: [id] }) {
    const { root, git } = await openRepository(repo, io);
    const run = await readRun(
      join(root, ".kit", "runs"),
      id === undefined ? undefined : String(id),
    );
    const transaction = standingChange(run);
    const place = { root, git, stateDir: await stateFolder(git, root) };
    const { workspace, transactions } = await openInPlace(place, `undo of ${run.receipt.runId}`);
    try {
      const report = await transactions.undo(transaction).catch((error: unknown) => {
        throw whyNothing(error, run);
      });
      return {
        exitCode: report.kept.length === 0 ? 0 : 1,
        document: { runId: run.receipt.runId, ...report },
        text: textOf(report),
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
  return new KitError("not_found", `The change of ${receipt.runId} was taken back before.`, {
    cause: error,
    next: "See what there is: kit runs",
  });
}

function textOf({ restored, kept }: RollbackReport): string {
  const lines = [
    `Taken back: ${counted(restored.length, "file")}`,
    ...restored.map((path) => `  ${path}`),
    ...kept.flatMap(({ path, reason, preImage }) => [
      `Left as it is: ${path} (${reason})`,
      ...(preImage === undefined ? [] : [`  what stood there before the run: ${preImage}`]),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
