import { join } from "node:path";
import { checkPackFile } from "../context-pack/index.ts";
import type { CandidateName, RecordedEvent } from "../contracts/index.ts";
import { GitError, type Git } from "../lib/git.ts";
import {
  appendToJournal,
  type FinishedRun,
  journaledRun,
  type JournaledRun,
  readJournal,
} from "../memory/index.ts";
import type { AttemptReceipt, RunRead } from "../runs/index.ts";
import { failureLine } from "./failure-table.ts";

/** Where the journal of a repository is. @param runsFolder absolute `.kit/runs` */
export function journalFile(runsFolder: string): string {
  return join(runsFolder, "journal.jsonl");
}

/**
 * Writes what a finished run has to tell to later ones into the journal. A run in which no model
 * replied has nothing to tell. @returns the line written
 */
export async function journalRun(
  runsFolder: string,
  run: RunRead,
  git: Git | undefined,
): Promise<JournaledRun | undefined> {
  if (!run.receipt.attempts.some(({ replies }) => replies.length > 0)) return undefined;
  const file = journalFile(runsFolder);
  const { runs } = await readJournal(file);
  const line = journaledRun(await finishedRun(run, git), runs);
  await appendToJournal(file, line);
  return line;
}

async function finishedRun(run: RunRead, git: Git | undefined): Promise<FinishedRun> {
  const { receipt, events } = run;
  const goal = await goalOf(run);
  const commit = await commitOf(git);
  const baseline = events.findLast((event) => event.type === "baseline");
  return {
    id: receipt.runId,
    task: receipt.task,
    outcome: receipt.outcome,
    finishedAt: receipt.finishedAt ?? receipt.startedAt ?? "",
    changedFiles: receipt.changedFiles,
    attempts: receipt.attempts
      .filter(({ step }) => step === "coder")
      .map((attempt) => finishedAttempt(attempt, events)),
    ...(goal !== undefined && { goal }),
    ...(commit !== undefined && { commit }),
    ...(baseline !== undefined && {
      baseline: baseline.commands.map(({ command, ended }) => ({
        command,
        green: ended === "exit 0",
      })),
    }),
  };
}

function finishedAttempt(
  { attempt, candidate, ok, failure }: AttemptReceipt,
  events: readonly RecordedEvent[],
): FinishedRun["attempts"][number] {
  const verdict = events.findLast((event) => event.type === "verdict" && event.attempt === attempt);
  const commands = verdict?.type === "verdict" ? verdict.commands : [];
  return {
    candidate: labelOf(candidate),
    ok,
    commands: commands.map(({ command, ended }) => `${command}: ${ended}`),
    ref: `attempts/coder-${attempt}`,
    ...(failure && { failure: failureLine(failure) }),
    ...(failure?.kind === "tests_failed" && { output: failure.digest }),
  };
}

function labelOf({ backend, provider, model, thinking }: CandidateName): string {
  return `${backend} (${provider}/${model}${thinking === undefined ? "" : `:${thinking}`})`;
}

/** Of the last pack of the run, where it can still be read. */
async function goalOf({ events, object }: RunRead): Promise<string | undefined> {
  const ready = events.findLast((event) => event.type === "pack_ready");
  if (ready === undefined) return undefined;
  const bytes = await object(ready.pack).catch(() => undefined);
  const read = bytes && checkPackFile("pack.md", bytes.toString("utf8"));
  return read?.ok === true ? read.pack.goal : undefined;
}

async function commitOf(git: Git | undefined): Promise<string | undefined> {
  try {
    const printed = await git?.run(["rev-parse", "--verify", "--quiet", "HEAD"]);
    return printed?.toString("utf8").trim();
  } catch (error) {
    // A repository without a commit yet.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
