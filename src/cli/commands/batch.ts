import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { type BatchEnd, runBatch, stateOf } from "../batch/run-batch.ts";
import { readTasks } from "../batch/task-file.ts";
import { defineCommand } from "../command.ts";
import { addModelOption, dollars, wholeNumber } from "../options.ts";
import {
  alignColumns,
  createPaint,
  formatCost,
  formatDuration,
  type Paint,
} from "../views/format.ts";
import { printable } from "../views/printable.ts";

interface BatchFlags {
  readonly jobs: number;
  readonly budgetUsd?: number;
  readonly results?: string;
  readonly fresh?: true;
  readonly model?: readonly string[];
}

/** Each is a process of its own with its tests; more would only wait for each other. */
const mostAtOnce = 32;

export const command = defineCommand<BatchFlags>({
  define(command) {
    addModelOption(command.argument("<file>", "tasks as YAML, JSON or JSON Lines"))
      .addOption(new Option("--jobs <count>", "so many at once").argParser(atOnce).default(2))
      .option("--budget-usd <amount>", "dollars of all tasks together", dollars)
      .option("--results <file>", "where the results are kept (default: FILE.results.jsonl)")
      .option("--fresh", "runs all of them again, whatever the results say");
  },
  examples: [
    ["kit batch tasks.yaml", "each task in a tree of its own, two at once; again: goes on"],
    ["kit batch tasks.jsonl --jobs 4 --budget-usd 5 --json", "bounded, for scripts"],
  ],
  async run(flags, context) {
    const { io, args } = context;
    const path = String(args[0]);
    const tasks = await readTasks(path, io);
    const end = await runBatch(
      {
        tasks,
        resultsFile: resolve(io.cwd, flags.results ?? `${path}.results.jsonl`),
        fresh: flags.fresh === true,
        atOnce: flags.jobs,
        ...(flags.budgetUsd !== undefined && { budgetUsd: flags.budgetUsd }),
        flags: (flags.model ?? []).map((binding) => `--model=${binding}`),
      },
      context,
    );
    return {
      exitCode: end.exitCode,
      document: documentOf(end),
      text: textOf(end, path, createPaint(io.stdout.colour)),
    };
  },
});

function atOnce(value: string): number {
  const count = wholeNumber(value);
  if (count > mostAtOnce) throw new InvalidArgumentError(`${mostAtOnce} at most`);
  return count;
}

function documentOf({ tasks, exitCode, spentUsd }: BatchEnd): Record<string, unknown> {
  return {
    exitCode,
    tasks: tasks.map(({ task, result, isEarlier, unstarted }) => {
      if (result === undefined) {
        const { id, repo } = task;
        const nothing = { runId: null, exitCode: null, changedFiles: [], landed: null };
        const error = unstarted ?? "not started";
        return {
          id,
          repo,
          outcome: "not_started",
          ...nothing,
          earlier: false,
          costUnknown: 0,
          durationMs: 0,
          error,
        };
      }
      const { v: _version, at: _at, hash: _hash, starved: _starved, ...rest } = result;
      return { ...rest, earlier: isEarlier };
    }),
    totals: { ...countsOf(tasks), spentUsd: Number(spentUsd.toFixed(9)), ...costUnknownOf(tasks) },
  };
}

function countsOf(
  tasks: BatchEnd["tasks"],
): Record<"tasks" | "green" | "notGreen" | "notStarted", number> {
  const started = tasks.flatMap(({ result }) => result ?? []);
  const green = started.filter(({ exitCode }) => exitCode === 0).length;
  return {
    tasks: tasks.length,
    green,
    notGreen: started.length - green,
    notStarted: tasks.length - started.length,
  };
}

function costUnknownOf(tasks: BatchEnd["tasks"]): { readonly costUnknown: number } {
  const unknown = tasks.map(({ result }) => result?.costUnknown ?? 0);
  return { costUnknown: unknown.reduce((sum, calls) => sum + calls, 0) };
}

function textOf({ tasks, spentUsd, exitCode }: BatchEnd, path: string, paint: Paint): string {
  const rows = alignColumns(
    tasks.map(({ task, result, isEarlier, unstarted = "" }) => {
      if (result === undefined) return ["-", task.id, "not started", "", "", unstarted];
      const { costUsd, costUnknown, durationMs, error = "", runId } = result;
      const wasAsked = costUsd !== undefined || costUnknown > 0;
      return [
        result.exitCode === 0 ? "✓" : "✗",
        task.id,
        stateOf(result),
        isEarlier ? "earlier" : formatDuration(durationMs),
        wasAsked ? formatCost(costUsd, costUnknown) : "",
        result.exitCode === 0 ? (runId ?? "") : error.slice(0, 200),
      ].map(printable);
    }),
  );
  const painted = rows.map((row, index) => {
    const result = tasks[index]?.result;
    return paint(result === undefined ? "quiet" : result.exitCode === 0 ? "good" : "bad", row);
  });
  const { green, tasks: all } = countsOf(tasks);
  const cost = formatCost(spentUsd, costUnknownOf(tasks).costUnknown);
  const next =
    exitCode === 0 ? "look at them: kit runs" : `go on with what is not over: kit batch ${path}`;
  return `${[...painted, "", `${green} of ${all} green · ${cost}`, `next: ${next}`].join("\n")}\n`;
}
