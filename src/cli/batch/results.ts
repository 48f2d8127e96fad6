import { open } from "node:fs/promises";
import * as z from "zod/mini";
import type { OutcomeKind } from "../../contracts/index.ts";
import { readTextIfExists } from "../../lib/files.ts";
import type { ChildRunEnd } from "../run/child.ts";
import type { BatchTask } from "./task-file.ts";

/** What a task came to; `usage`: kit refused it before there was a run. */
export type TaskOutcome = OutcomeKind | "usage";

const resultShape = z.object({
  v: z.literal(1),
  /** ISO time. */
  at: z.string(),
  hash: z.string(),
  id: z.string(),
  repo: z.string(),
  runId: z.nullable(z.string()),
  outcome: z.string(),
  exitCode: z.number(),
  changedFiles: z.array(z.string()),
  landed: z.nullable(
    z.object({
      to: z.string(),
      transaction: z.exactOptional(z.string()),
      branch: z.exactOptional(z.string()),
      commit: z.exactOptional(z.string()),
    }),
  ),
  costUsd: z.exactOptional(z.number()),
  costUnknown: z.number(),
  durationMs: z.number(),
  error: z.exactOptional(z.string()),
  /** The budget of the batch left it too little. */
  starved: z.exactOptional(z.literal(true)),
});

/** A line of the results. An absent cost is unknown where there were calls of unknown cost. */
export type TaskResult = z.infer<typeof resultShape>;

/** The results of earlier starts, and the place for those of this one. */
export interface Results {
  /** The last of each task, by hash. */
  readonly earlier: ReadonlyMap<string, TaskResult>;
  /** What earlier runs cost, as far as it is known, by run. */
  readonly costs: ReadonlyMap<string, number>;
  /** Returns once it is durable. */
  add(result: TaskResult): Promise<void>;
  close(): Promise<void>;
}

const startOver = { v: 1, startOver: true } as const;

/**
 * Opens the results beside a list of tasks. A last line that was torn by a crash, or one that is
 * none, is passed over: its task runs again.
 * @param fresh what stands there takes no part any more; it stays in the file
 * @throws the system's error where the file cannot be written
 */
export async function openResults(file: string, fresh: boolean): Promise<Results> {
  const text = (await readTextIfExists(file)) ?? "";
  const handle = await open(file, "a", 0o600);
  let queue = Promise.resolve();
  const write = async (before: Promise<void>, line: string): Promise<void> => {
    await before;
    await handle.appendFile(line);
    await handle.sync();
  };
  // One after the other: lines that are written at once may be torn.
  const append = (line: string): Promise<void> => (queue = write(queue, line));
  if (text !== "" && !text.endsWith("\n")) await append("\n");
  if (fresh && text !== "") await append(`${JSON.stringify(startOver)}\n`);
  const read = fresh ? [] : resultsIn(text);
  return {
    earlier: new Map(read.map((result) => [result.hash, result])),
    // A run that was gone on with says at its end what all of it cost.
    costs: new Map(read.map(({ runId, costUsd = 0 }) => [runId ?? "", costUsd])),
    add: (result) => append(`${JSON.stringify(result)}\n`),
    close: () => handle.close(),
  };
}

function resultsIn(text: string): readonly TaskResult[] {
  const lines = text.split("\n").map(parsed);
  const from = lines.findLastIndex((line) => isStartOver(line)) + 1;
  return lines.slice(from).flatMap((line) => {
    const read = resultShape.safeParse(line);
    return read.success ? [read.data] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isStartOver(line: unknown): boolean {
  return typeof line === "object" && line !== null && "startOver" in line;
}

/** Exits that another start would only repeat: green, not solved, no valid pack. */
const settledExits: readonly number[] = [0, 1, 4];

/**
 * Whether a task is over. One that nobody could be asked for, that the machine or the user
 * ended, that had too little left of the batch's budget, or whose files changed meanwhile, runs again.
 */
export function isSettled({ exitCode, outcome, starved }: TaskResult): boolean {
  return settledExits.includes(exitCode) && outcome !== "conflict" && starved !== true;
}

const outcomesOfExits: Readonly<Record<ChildRunEnd["exitCode"], TaskOutcome>> = {
  0: "success",
  1: "conflict",
  2: "usage",
  3: "no_model",
  4: "no_pack",
  5: "environment",
  130: "interrupted",
};

/** A run that has begun, until it says how it ended: a batch that is killed has no time to. */
export function begunResult(task: BatchTask, runId: string, at: Date): TaskResult {
  const { hash, id, repo } = task;
  return {
    v: 1,
    at: at.toISOString(),
    hash,
    id,
    repo,
    runId,
    outcome: "interrupted",
    exitCode: 130,
    changedFiles: [],
    landed: null,
    costUnknown: 0,
    durationMs: 0,
  };
}

const resumableExits: readonly number[] = [3, 5, 130];

/** The run that `kit resume` may go on with; undefined: it starts anew. */
export function resumableRun(result: TaskResult | undefined): string | undefined {
  if (result === undefined || !resumableExits.includes(result.exitCode)) return undefined;
  return result.runId ?? undefined;
}

/** What is known of a run's end beside its receipt. */
interface EndFacts {
  readonly at: Date;
  readonly durationMs: number;
  /** The budget of the batch bounded it. */
  readonly isCapped: boolean;
  /** The run it has begun with, where this try has not come to one. */
  readonly begun?: string | undefined;
}

/** What the end of a task's run says, as a line of the results. */
export function resultOf(
  task: BatchTask,
  { exitCode, receipt, error }: ChildRunEnd,
  { at, durationMs, isCapped, begun }: EndFacts,
): TaskResult {
  const said = error ?? receipt?.error?.message;
  return {
    v: 1,
    at: at.toISOString(),
    hash: task.hash,
    id: task.id,
    repo: task.repo,
    runId: receipt?.runId ?? begun ?? null,
    outcome:
      receipt === undefined || error !== undefined ? outcomesOfExits[exitCode] : receipt.outcome,
    exitCode,
    changedFiles: [...(receipt?.changedFiles ?? [])],
    landed: receipt?.landed ?? null,
    ...(receipt?.totals.costUsd !== undefined && { costUsd: receipt.totals.costUsd }),
    costUnknown: receipt?.totals.costUnknown ?? 0,
    durationMs: Math.round(durationMs),
    ...(said !== undefined && { error: said }),
    ...(isCapped && receipt?.error?.kind === "budget" && { starved: true as const }),
  };
}
