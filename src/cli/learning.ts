import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../lib/files.ts";
import type { RecordedAttempt } from "../routing/index.ts";
import { listRuns, type Receipt, receiptSchema } from "../runs/index.ts";

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
  const listed = (await listRuns(runsFolder)).slice(0, mostRuns);
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
    attempts: receipts.flatMap((one) => ("receipt" in one ? attemptsOf(one.receipt) : [])),
    runs: receipts.filter((one) => "receipt" in one).length,
    unreadable: receipts.flatMap((one) => ("reason" in one ? [one] : [])),
  };
}

type ReadReceipt =
  | { readonly receipt: Receipt }
  | { readonly name: string; readonly reason: string }
  | undefined;

/** `undefined` for a folder that holds no receipt. */
async function readReceipt(folder: string, name: string): Promise<ReadReceipt> {
  try {
    const parsed = receiptSchema.safeParse(JSON.parse(await readFile(join(folder, name), "utf8")));
    return parsed.success ? { receipt: parsed.data } : { name, reason: "it is no receipt of kit" };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { name, reason: error instanceof Error ? error.message : String(error) };
  }
}

function attemptsOf({ runId, attempts }: Receipt): RecordedAttempt[] {
  return attempts.map((attempt) => ({ runId, ...attempt }));
}
