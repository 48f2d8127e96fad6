import { listRuns, type RunListed } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption, wholeNumber } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { alignColumns, formatCost } from "../views/format.ts";
import { printable } from "../views/printable.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { limit?: number }>({
  define(command) {
    addRepoOption(command).option("-n, --limit <count>", "the newest ones only", wholeNumber);
  },
  examples: [
    ["kit runs", "every run of this repository, newest first"],
    ["kit runs -n 5", "the last five"],
  ],
  async run({ repo, limit }, { io }) {
    const { runsFolder, running } = await openHistory(repo, io);
    const runs = (await listRuns(runsFolder)).slice(0, limit);
    const rows = alignColumns(runs.map((run) => runRow(run, running)));
    const text = rows.length === 0 ? 'No runs yet. Start one: kit run --task "…"' : rows.join("\n");
    return {
      exitCode: 0,
      document: { runs: runs.map((run) => runDocument(run, running)) },
      text: `${text}\n`,
    };
  },
});

function runRow(run: RunListed, running: string | undefined): string[] {
  if ("unreadable" in run) return [run.id, "unreadable", run.unreadable];
  const { outcome, attempts, totals, task } = run.receipt;
  const cost = totals.calls === 0 ? "" : formatCost(totals.costUsd, totals.costUnknown);
  const tried = `${attempts.length} tried`;
  return [
    run.id,
    run.id === running ? "running" : outcome,
    tried,
    cost,
    printable(task.trim().split("\n", 1).join("")),
  ];
}

function runDocument(run: RunListed, running: string | undefined): Record<string, unknown> {
  if ("unreadable" in run) {
    return { runId: run.id, runDir: run.folder, unreadable: run.unreadable };
  }
  const { startedAt, task, outcome, exitCode, escalated, attempts, changedFiles, totals } =
    run.receipt;
  return {
    runId: run.id,
    runDir: run.folder,
    running: run.id === running,
    startedAt,
    task,
    outcome,
    exitCode,
    escalated,
    attempts: attempts.length,
    changedFiles,
    durationMs: totals.durationMs,
    ...(totals.costUsd !== undefined && { costUsd: totals.costUsd }),
    costUnknown: totals.costUnknown,
  };
}
