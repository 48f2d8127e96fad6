import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ExitCode, KitError } from "../../contracts/index.ts";
import { acquireLock } from "../../lib/lock.ts";
import { sha256 } from "../../lib/text.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import type { CommandContext } from "../command.ts";
import { type ChildRunRequest, runChild } from "../run/child.ts";
import { counted, formatCost } from "../views/format.ts";
import { createRunTable } from "../views/run-table.ts";
import {
  begunResult,
  isSettled,
  openResults,
  resultOf,
  resumableRun,
  type TaskResult,
} from "./results.ts";
import { runJobs } from "./schedule.ts";
import type { BatchTask } from "./task-file.ts";

export interface BatchRequest {
  readonly tasks: readonly BatchTask[];
  /** Absolute. */
  readonly resultsFile: string;
  readonly fresh: boolean;
  readonly atOnce: number;
  readonly budgetUsd?: number;
  /** For every run: `--model=…`. */
  readonly flags: readonly string[];
}

/** How one task stands at the end. */
export interface TaskEnd {
  readonly task: BatchTask;
  /** From an earlier start. */
  readonly isEarlier: boolean;
  /** Absent: it was not started. */
  readonly result?: TaskResult;
  /** Why it was not started. */
  readonly unstarted?: string;
}

export interface BatchEnd {
  readonly exitCode: ExitCode;
  /** In the order of the file. */
  readonly tasks: readonly TaskEnd[];
  /** What this start and the earlier ones cost, as far as it is known. */
  readonly spentUsd: number;
}

/**
 * Runs the tasks that are not over yet, each as an isolated run of its own.
 * @throws KitError `conflict` while another kit works on the same results
 */
export async function runBatch(
  request: BatchRequest,
  { io, signal }: CommandContext,
): Promise<BatchEnd> {
  const { tasks, resultsFile, fresh, atOnce, budgetUsd } = request;
  const release = await lockResults(resultsFile, io.env);
  const results = await openResults(resultsFile, fresh).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const earlier = new Map([...results.earlier].filter(([, result]) => isSettled(result)));
  const open = tasks.filter(({ hash }) => !earlier.has(hash));
  const ended = new Map<BatchTask, TaskResult>();
  const table = createRunTable(
    io.stderr,
    io.clock,
    tasks.map(({ id }) => id),
    () => `${ended.size} of ${open.length} done`,
  );
  if (open.length < tasks.length) {
    table.say(
      `${counted(tasks.length - open.length, "task")} of ${tasks.length} done before; all over again: --fresh`,
      "quiet",
    );
  }
  try {
    const unstarted = await runJobs({
      jobs: open,
      atOnce,
      ...(budgetUsd !== undefined && {
        budget: { usd: budgetUsd, spentUsd: sumOf(results.costs) },
      }),
      signal,
      async run(task, meter, capUsd) {
        const startedAt = performance.now();
        table.start(task.id);
        const begun = resumableRun(results.earlier.get(task.hash));
        const follow = async (args: ChildRunRequest["args"], words?: string) => {
          const writing: Promise<void>[] = [];
          const end = await runChild({
            args,
            ...(words !== undefined && { task: words }),
            cwd: task.repo,
            env: io.env,
            signal,
            onEvent(event) {
              if (event.type === "run_started" && event.runId !== begun) {
                writing.push(results.add(begunResult(task, event.runId, io.clock())));
              }
              if (event.type === "call_finished") meter.spend(event.costUsd ?? 0);
              table.see(task.id, event);
            },
          });
          await Promise.all(writing);
          return end;
        };
        const goneOn = begun && (await follow(["resume", begun, `--repo=${task.repo}`]));
        // Refused: it is over, or its record is gone.
        const isGoneOn = goneOn && (goneOn.receipt !== undefined || goneOn.exitCode > 2);
        const cap = capUsd === undefined ? [] : [`--budget-usd=${capUsd.toFixed(9)}`];
        const flags = [`--repo=${task.repo}`, ...task.flags, ...request.flags, ...cap];
        const end = isGoneOn ? goneOn : await follow(["run", ...flags], task.task);
        const isCapped = capUsd !== undefined && capUsd < (task.budgetUsd ?? Infinity);
        const facts = {
          at: io.clock(),
          durationMs: performance.now() - startedAt,
          isCapped,
          begun,
        };
        const result = resultOf(task, end, facts);
        await results.add(result);
        ended.set(task, result);
        table.end(task.id, {
          ...result,
          costUsd: result.costUsd,
          state: stateOf(result),
          tone: result.exitCode === 0 ? "good" : "bad",
        });
        return result.starved === true ? "starved" : "ended";
      },
    });
    const why = unstarted && reasonOf(unstarted.because, budgetUsd);
    if (unstarted && why)
      table.say(`${counted(unstarted.jobs.length, "task")} not started: ${why}`, "warning");
    const ends = tasks.map((task): TaskEnd => {
      const before = earlier.get(task.hash);
      const result = ended.get(task) ?? before;
      return {
        task,
        isEarlier: before !== undefined,
        ...(result && { result }),
        ...(result === undefined && why !== undefined && { unstarted: why }),
      };
    });
    const costs = new Map(results.costs);
    for (const { runId, costUsd = 0 } of ended.values()) costs.set(runId ?? "", costUsd);
    return {
      exitCode: signal.aborted ? 130 : exitCodeOf(ends),
      tasks: ends,
      spentUsd: sumOf(costs),
    };
  } finally {
    table.stop();
    await results.close();
    await release();
  }
}

async function lockResults(
  file: string,
  env: CommandContext["io"]["env"],
): Promise<() => Promise<void>> {
  const folder = join(userStateFolder(env), "batch");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(join(folder, `${sha256(file).slice(0, 32)}.lock`), {
    holder: "kit batch",
  });
  if ("heldBy" in lock) {
    throw new KitError("conflict", `Another kit batch works on ${file}.`, {
      next: "Wait for it, or give this one results of its own: --results FILE",
    });
  }
  return () => lock.release();
}

function sumOf(costs: ReadonlyMap<string, number>): number {
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0);
}

function reasonOf(because: "budget" | "interrupted", budgetUsd: number | undefined): string {
  if (because === "interrupted") return "interrupted";
  return `the budget of ${formatCost(budgetUsd, 0)} is used up`;
}

/** How a task ended, in a word or two. */
export function stateOf({ outcome, exitCode, landed }: TaskResult): string {
  if (exitCode !== 0) return outcome.replaceAll("_", " ");
  const where = landed?.branch ?? landed?.commit?.slice(0, 12);
  return where === undefined ? "green" : `green on ${where}`;
}

/** Ends that every task may share, and that then say it best; other mixtures are a no. */
const sharedExits: readonly ExitCode[] = [2, 3, 5];

function exitCodeOf(ends: readonly TaskEnd[]): ExitCode {
  if (ends.every(({ result }) => result?.exitCode === 0)) return 0;
  return sharedExits.find((code) => ends.every(({ result }) => result?.exitCode === code)) ?? 1;
}
