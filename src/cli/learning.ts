import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Failure, failureKinds } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import type { RecordedAttempt } from "../routing/index.ts";
import { listRuns, type Receipt, type RunListed } from "../runs/index.ts";

/** What earlier runs recorded, newest run first. */
export interface RecordedRuns {
  readonly attempts: readonly RecordedAttempt[];
  readonly runs: number;
  /** Runs and files that cannot be read, with the reason. */
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
}

/** More runs than this say nothing new of models that change every few months. */
const mostRuns = 1000;

/** The attempts of a repository's runs. @param runsFolder absolute `.kit/runs`; need not exist */
export async function recordedRuns(runsFolder: string): Promise<RecordedRuns> {
  return learnedFrom(await listRuns(runsFolder));
}

/** The same of runs that were listed already. */
export function learnedFrom(runs: readonly RunListed[]): RecordedRuns {
  const listed = runs.slice(0, mostRuns);
  return {
    attempts: listed.flatMap((run) => ("receipt" in run ? attemptsOf(run.receipt) : [])),
    runs: listed.filter((run) => "receipt" in run).length,
    unreadable: listed.flatMap((run) =>
      "unreadable" in run ? [{ name: run.id, reason: run.unreadable }] : [],
    ),
  };
}

/**
 * The attempts of receipts that somebody put into a folder: `*.json` files in it, or a `.kit/runs`
 * with a folder a run.
 * @throws what the file system says of a folder that cannot be read
 */
export async function receiptsIn(folder: string): Promise<RecordedRuns> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isDirectory() || (entry.isFile() && entry.name.endsWith(".json")))
    .map((entry) => (entry.isDirectory() ? join(entry.name, "receipt.json") : entry.name))
    .toSorted();
  const read = await Promise.all(files.map((name) => readReceipt(folder, name)));
  const receipts = read.filter((one) => one !== undefined);
  return {
    attempts: receipts.flatMap((one) => ("attempts" in one ? one.attempts : [])),
    runs: receipts.filter((one) => "attempts" in one).length,
    unreadable: receipts.flatMap((one) => ("reason" in one ? [one] : [])),
  };
}

const number = z.optional(z.number());
const text = z.string();

/** The part of a receipt that is learned from; older and hand-made ones may lack the rest. */
const learnedShape = z.object({
  runId: z.optional(text),
  attempts: z.array(
    z.object({
      step: z.enum(["scout", "coder", "review"]),
      capability: text,
      candidate: z.object({
        backend: z._default(text, ""),
        adapter: z._default(text, "pi"),
        provider: text,
        model: text,
        thinking: z.optional(text),
      }),
      editFormat: z.optional(z.enum(["whole", "edit", "auto"])),
      ok: z.boolean(),
      failure: z.optional(z.object({ kind: z.enum(failureKinds), message: z._default(text, "") })),
      usage: z.optional(z.object({ input: number, output: number })),
      costUsd: number,
      costUnknown: number,
      durationMs: number,
    }),
  ),
});

type ReadReceipt =
  | { readonly attempts: readonly RecordedAttempt[] }
  | { readonly name: string; readonly reason: string }
  | undefined;

/** `undefined` for a folder that holds no receipt. A receipt without an id is named by its file. */
async function readReceipt(folder: string, name: string): Promise<ReadReceipt> {
  try {
    const read = learnedShape.safeParse(JSON.parse(await readFile(join(folder, name), "utf8")));
    if (!read.success) return { name, reason: "it is no receipt of kit" };
    const { runId = name, attempts } = read.data;
    return { attempts: attempts.map((attempt) => recordedAttempt(runId, attempt)) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { name, reason: error instanceof Error ? error.message : String(error) };
  }
}

function recordedAttempt(
  runId: string,
  read: z.infer<typeof learnedShape>["attempts"][number],
): RecordedAttempt {
  const { step, capability, ok, candidate, editFormat, failure, usage, costUsd } = read;
  const { thinking, ...name } = candidate;
  const { input, output } = usage ?? {};
  return {
    runId,
    step,
    capability,
    candidate: { ...name, ...(thinking !== undefined && { thinking }) },
    ok,
    ...(editFormat !== undefined && { editFormat }),
    ...(failure && { failure: failure as Failure }),
    ...(usage && {
      usage: { ...(input !== undefined && { input }), ...(output !== undefined && { output }) },
    }),
    ...(costUsd !== undefined && { costUsd }),
    costUnknown: read.costUnknown ?? (costUsd === undefined ? 1 : 0),
    durationMs: read.durationMs ?? 0,
  };
}

function attemptsOf({ runId, attempts }: Receipt): RecordedAttempt[] {
  return attempts.map((attempt) => ({ runId, ...attempt }));
}
