import { listRows, type RowListed } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption, wholeNumber } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { alignColumns, counted, formatCost } from "../views/format.ts";
import { printable } from "../views/printable.ts";

/** Runs that a screen has room for. */
const shown = 50;

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { limit?: number }>({
  define(command) {
    addRepoOption(command).option(
      "-n, --limit <count>",
      `the newest ones only (default: ${shown}, and all with --json)`,
      wholeNumber,
    );
  },
  examples: [
    ["kit runs", "the newest runs of this repository"],
    ["kit runs -n 5", "the last five"],
    ["kit runs --json", "all of them, for a program"],
  ],
  async run({ repo, limit }, { io, json }) {
    const { runsFolder, running } = await openHistory(repo, io);
    const { rows, total } = await listRows(runsFolder, limit ?? (json ? undefined : shown));
    return {
      exitCode: 0,
      document: { runs: rows.map((run) => runDocument(run, running)) },
      text: `${textOf(rows, total, running)}\n`,
    };
  },
});

function textOf(rows: readonly RowListed[], total: number, running: string | undefined): string {
  if (rows.length === 0) return 'No runs yet. Start one: kit run --task "…"';
  const earlier = total - rows.length;
  return [
    ...alignColumns(rows.map((run) => runRow(run, running))),
    ...(earlier === 0 ? [] : [`… and ${counted(earlier, "earlier run")}: kit runs -n ${total}`]),
  ].join("\n");
}

function runRow(run: RowListed, running: string | undefined): string[] {
  if ("unreadable" in run) return [run.id, "unreadable", run.unreadable];
  const { outcome, attempts, calls, costUsd, costUnknown, task } = run;
  const cost = calls === 0 ? "" : formatCost(costUsd, costUnknown);
  const tried = `${attempts} tried`;
  return [
    run.id,
    run.id === running ? "running" : outcome,
    tried,
    cost,
    printable(task.trim().split("\n", 1).join("")),
  ];
}

function runDocument(run: RowListed, running: string | undefined): Record<string, unknown> {
  if ("unreadable" in run) {
    return { runId: run.id, runDir: run.folder, unreadable: run.unreadable };
  }
  const { id, folder, calls: _, ...rest } = run;
  return { runId: id, runDir: folder, running: id === running, ...rest };
}
