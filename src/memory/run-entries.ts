import type { OutcomeKind } from "../contracts/index.ts";
import { redact } from "../lib/redaction.ts";
import { headAndTail } from "../lib/text.ts";
import type { JournalEntry } from "./journal-item.ts";

/** A finished run as its records tell it. */
export interface FinishedRun {
  readonly id: string;
  readonly task: string;
  readonly outcome: OutcomeKind;
  /** ISO time. */
  readonly finishedAt: string;
  /** Of the pack; absent where there was none. */
  readonly goal?: string;
  readonly changedFiles: readonly string[];
  /** The coder's attempts, in order. */
  readonly attempts: readonly FinishedAttempt[];
  /** Commit the tree stood on; absent without git. */
  readonly commit?: string;
  /** The test commands on the untouched tree. */
  readonly baseline?: readonly { readonly command: string; readonly green: boolean }[];
}

export interface FinishedAttempt {
  /** `strong (provider/model:thinking)` */
  readonly candidate: string;
  readonly ok: boolean;
  /** Name of the failure and its message. */
  readonly failure?: string;
  /** What the tests printed, most telling lines first. */
  readonly output?: string;
  /** Test commands that judged it and how they ended: `npm test: exit 1`. */
  readonly commands: readonly string[];
  /** `attempts/coder-1` in the run's folder. */
  readonly ref: string;
}

/** A run as one line of the journal. */
export interface JournaledRun {
  readonly v: 1;
  readonly id: string;
  readonly task: string;
  readonly outcome: string;
  readonly at: string;
  /** What the run came to, for an episode. */
  readonly episode: string;
  readonly entries: readonly JournalEntry[];
  readonly commit?: string;
  readonly baseline?: FinishedRun["baseline"];
}

const taskChars = 300;
const outputChars = 600;
const summaryChars = 1_200;

/** What a finished run leaves to later ones. @param earlier the journal so far, oldest first */
export function journaledRun(run: FinishedRun, earlier: readonly JournaledRun[]): JournaledRun {
  const { id, outcome, finishedAt, commit, baseline } = run;
  const task = brief(run.task, taskChars);
  return {
    v: 1,
    id,
    task,
    outcome,
    at: finishedAt,
    episode: brief(episodeOf(run, task), summaryChars),
    entries: [
      ...planOf(run, task),
      ...run.attempts.flatMap((attempt, index) => attemptEntries(run, attempt, index)),
      ...lessonOf(run, task),
      ...contradictionsOf(run, earlier),
    ],
    ...(commit !== undefined && { commit }),
    ...(baseline !== undefined && { baseline }),
  };
}

function episodeOf(run: FinishedRun, task: string): string {
  const { outcome, attempts, changedFiles } = run;
  const tried = attempts.map(
    ({ candidate, ok, failure }) => `${candidate}: ${ok ? "accepted" : (failure ?? "failed")}`,
  );
  const changed = outcome === "success" ? `changed ${changedFiles.join(", ")}` : "nothing kept";
  return `"${task}" ended as ${outcome}, ${changed}.${tried.length > 0 ? ` Tried: ${tried.join(" | ")}` : ""}`;
}

function planOf(run: FinishedRun, task: string): JournalEntry[] {
  if (run.goal === undefined) return [];
  return [
    entry(run, "plan", `Goal of "${task}": ${run.goal}`, "info", "scout", ["context-pack.md"]),
  ];
}

/** A failed attempt is an error; who came after it is a decision. */
function attemptEntries(run: FinishedRun, attempt: FinishedAttempt, index: number): JournalEntry[] {
  if (attempt.ok) return [];
  const { candidate, failure = "failed", output, commands, ref } = attempt;
  const number = `${index + 1}`;
  const said = output === undefined ? "" : `\n${headAndTail(output, outputChars)}`;
  const ended = commands.length === 0 ? "" : ` (${commands.join(", ")})`;
  const error = entry(run, `error-${number}`, `${failure}${ended}${said}`, "error", "coder", [ref]);
  const next = run.attempts[index + 1];
  if (next === undefined) return [error];
  const decided = `Went from ${candidate} to ${next.candidate}: ${failure}`;
  return [error, entry(run, `decision-${number}`, decided, "info", "coder", [ref, next.ref])];
}

/** Who failed, who succeeded, and what showed it. */
function lessonOf(run: FinishedRun, task: string): JournalEntry[] {
  const failed = run.attempts.findLast(({ ok }) => !ok);
  const passed = run.attempts.at(-1);
  if (run.outcome !== "success" || failed === undefined || passed?.ok !== true) return [];
  const shown = passed.commands.length > 0 ? ` (${passed.commands.join(", ")})` : "";
  const lesson = `"${task}": ${failed.failure ?? "failed"}; then ${passed.candidate} changed ${run.changedFiles.join(", ")}${shown}`;
  return [entry(run, "lesson", lesson, "info", "coder", [failed.ref, passed.ref])];
}

/**
 * Test commands that another run saw end otherwise on the same commit. Uncommitted edits may
 * explain it, so it is said as a question, not as a fault of the tests.
 */
function contradictionsOf(run: FinishedRun, earlier: readonly JournaledRun[]): JournalEntry[] {
  return (run.baseline ?? []).flatMap(({ command, green }, index) => {
    const other = earlier.findLast(
      (before) =>
        run.commit !== undefined &&
        before.commit === run.commit &&
        before.baseline?.some((each) => each.command === command && each.green !== green),
    );
    if (other === undefined) return [];
    const colour = (isGreen: boolean): string => (isGreen ? "green" : "red");
    const summary = `\`${command}\` was ${colour(!green)} in run ${other.id} and ${colour(green)} in run ${run.id}, on the same commit and without a change of kit's: a flaky test, or uncommitted edits`;
    const refs = [`run:${other.id}`];
    return [entry(run, `contradiction-${index + 1}`, summary, "warning", "baseline", refs)];
  });
}

/** @param name the category, with a number where a run has several */
function entry(
  run: FinishedRun,
  name: string,
  summary: string,
  severity: JournalEntry["severity"],
  stageId: string,
  refs: readonly string[],
): JournalEntry {
  return {
    id: `${run.id}-${name}`,
    category: name.replace(/-\d+$/, "") as JournalEntry["category"],
    summary: brief(summary, summaryChars),
    severity,
    evidence: [`run:${run.id}`, ...refs],
    stageId,
    createdAt: run.finishedAt,
  };
}

function brief(text: string, maxChars: number): string {
  return headAndTail(redact(text.replaceAll("\0", "\uFFFD").trim()), maxChars).trim();
}
