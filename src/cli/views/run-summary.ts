import type { OutcomeKind } from "../../contracts/index.ts";
import type { Receipt } from "../../runs/index.ts";
import { changeRow } from "./change-row.ts";
import { alignColumns, counted, formatCost, formatDuration, type Paint } from "./format.ts";
import { printable, printableDeep } from "./printable.ts";

/** The end of a run for people, from its receipt; the next step is the last line. */
export function runSummaryLines(receipt: Receipt, paint: Paint): string[] {
  return [...recordedRunLines(receipt, paint), `next: ${printable(nextStep(receipt))}`];
}

/** The end of a run told later: what it left may be gone by now, so there is no next step. */
export function recordedRunLines(receipt: Receipt, paint: Paint): string[] {
  return [
    "",
    ...outcomeLines(receipt, paint),
    paint("quiet", printable(`  records: ${receipt.runDir}`)),
  ];
}

/** What a run came to, and the diff stat of what it left. */
export function outcomeLines(given: Receipt, paint: Paint): string[] {
  const receipt = printableDeep(given);
  const { outcome, totals, changedFiles } = receipt;
  const tone = outcome === "success" ? "good" : outcome === "untested" ? "warning" : "bad";
  const mark = outcome === "success" ? "✓" : outcome === "untested" ? "!" : "✗";
  const facts = [
    counted(receipt.attempts.length, "attempt"),
    formatDuration(totals.durationMs),
    ...(totals.calls === 0 ? [] : [formatCost(totals.costUsd, totals.costUnknown)]),
  ];
  return [
    paint(tone, `${mark} ${headline(receipt)}`),
    `  ${facts.join(" · ")}`,
    ...reviewLines(receipt, paint),
    ...(changedFiles.length === 0 || receipt.exitCode === 0
      ? []
      : [paint("warning", "! the refused change is in the tree: --keep-failed")]),
    ...(changedFiles.length === 0 ? [] : changeLines(receipt)),
  ];
}

/** What a review has shown of the change that stands. */
function reviewLines({ review, exitCode }: Receipt, paint: Paint): string[] {
  if (review === null || exitCode !== 0) return [];
  const { asked, answered, findings } = review;
  if (answered.length === 0) return [paint("warning", "! not reviewed: no reviewer answered")];
  const names = answered.map(({ provider, model }) => `${provider}/${model}`).join(", ");
  const few = answered.length < asked ? `, of ${asked} asked` : "";
  const minor = findings.length === 0 ? "" : `, ${counted(findings.length, "minor finding")}`;
  return [`  reviewed by ${names}${few}: no severe fault found${minor}`];
}

const outcomeTexts: Readonly<Record<OutcomeKind, string>> = {
  success: "The tests are green",
  untested: "Applied, untested: no test has judged this change",
  exhausted: "No candidate turned the tests green",
  no_model: "No model ever replied",
  no_pack: "The scout never gave a valid Context Pack",
  conflict: "The tree changed while kit was working",
  environment: "The environment is broken",
  stopped: "Stopped before an answer",
  interrupted: "Interrupted",
};

/** What a run came to, in one line. */
export function headline({ outcome, exitCode, gate, escalated, error }: Receipt): string {
  if (outcome !== "success") {
    const text = outcomeTexts[exitCode === 3 ? "no_model" : outcome];
    if (!error || error.message === outcome) return text;
    const joint = outcome === "exhausted" ? "; the last one: " : ": ";
    return `${text}${joint}${error.message.replace(/\.$/, "")}`;
  }
  const evidence = {
    fixed: "red before, green now",
    "new tests": "with new tests",
    none: "they were green before; nothing shows that the change does what was asked",
  };
  const shown = gate.evidence === null ? "" : ` (${evidence[gate.evidence]})`;
  return `${outcomeTexts.success}${shown}${escalated ? ", after an escalation" : ""}`;
}

/** The diff stat of the change that stands; names alone where its plan is not in the log. */
function changeLines({ attempts, changedFiles }: Receipt): string[] {
  const changes = attempts.findLast(({ changes }) => changes !== undefined)?.changes;
  const rows = changes ? changes.map(changeRow) : changedFiles.map((path) => [path]);
  return alignColumns(rows, "  ");
}

function lookAtIt({ landed, runId }: Receipt): string {
  if (landed?.commit === undefined)
    return `look at it with git diff; take it back with: kit undo ${runId}`;
  const back = landed.branch === undefined ? `git revert` : `git branch -D ${landed.branch}`;
  const undo = landed.branch === undefined ? `${back} ${landed.commit.slice(0, 12)}` : back;
  return `look at it with git show ${landed.branch ?? landed.commit.slice(0, 12)}; take it back with: ${undo}`;
}

/** One step, the one most likely wanted. */
function nextStep(receipt: Receipt): string {
  const { outcome, error, nextCandidate, runId, exitCode } = receipt;
  if (error?.next !== undefined) return error.next;
  if (exitCode === 0) return lookAtIt(receipt);
  if (outcome === "interrupted") return `go on with it: kit resume ${runId}`;
  if (outcome === "no_model") return "bind a model: kit init; what is bound: kit models";
  if (nextCandidate !== undefined) {
    return `${nextCandidate} was not asked; raise --max-attempts to ask it too`;
  }
  return `see what was tried: kit show ${runId}`;
}
