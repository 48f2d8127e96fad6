import { counted, formatCost, formatCount, formatDuration } from "../lib/figures.ts";
import { headAndTail, stripColour } from "../lib/text.ts";
import { diffView, refusedDiff } from "./diff-view.ts";
import { html, type Html } from "./html.ts";
import { badge, facts, folded, printed } from "./page.ts";
import {
  attemptName,
  eventsOf,
  modelText,
  type ReportedAttempt,
  type RunToReport,
} from "./reported-run.ts";
import { outputView, readVerdictTable, testsView } from "./tests-view.ts";

const mostDetailChars = 3_000;
const mostTests = 25;
const mostFindings = 30;

/** Each attempt in its order: who was asked, what it cost, what came of it and what followed. */
export function attemptsView(run: RunToReport): Html {
  const { attempts } = run.receipt;
  if (attempts.length === 0) return html`<p>No model was asked.</p>`;
  return html`${attempts.map((attempt) => attemptView(attempt, run))}`;
}

function attemptView(attempt: ReportedAttempt, run: RunToReport): Html {
  const { ok, failure, candidate, capability, agent, editFormat, step } = attempt;
  const state = ok
    ? badge("good", goodWord(attempt))
    : badge("bad", failure?.kind.replaceAll("_", " ") ?? "not finished");
  const id = `attempt-${step}-${attempt.attempt}`;
  return html`<article class="attempt ${ok ? "good" : "bad"}" aria-labelledby="${id}">
    <h3 id="${id}">
      ${attemptName(attempt)} <span class="quiet">${candidate.backend}</span> ${state}
    </h3>
    <p class="asked">
      <span class="name">${modelText(candidate)}</span> for
      ${capability}${agent !== step && `, as ${agent}`}
    </p>
    ${facts([
      ["Calls", formatCount(attempt.calls)],
      ["Tokens", tokensText(attempt)],
      ["Cost", formatCost(attempt.costUsd, attempt.costUnknown)],
      ["Took", formatDuration(attempt.durationMs)],
      ["Edits", editFormat],
    ])}
    ${step === "coder" && verdictView(attempt, run)} ${!ok && failureView(attempt, run)}
    ${step === "coder" && changeOf(attempt, run)}
  </article>`;
}

function goodWord({ step }: ReportedAttempt): string {
  return { scout: "gave a Context Pack", coder: "green", review: "reviewed" }[step];
}

function tokensText({ usage }: ReportedAttempt): string {
  if (usage === undefined) return "unknown";
  const side = (tokens: number | undefined): string =>
    tokens === undefined ? "?" : formatCount(tokens);
  return `${side(usage.input)} in, ${side(usage.output)} out`;
}

/** Why it did not succeed, unless its verdict has said so, and what followed. */
function failureView({ attempt, failure, move }: ReportedAttempt, run: RunToReport): Html {
  if (failure === undefined) return html`<p>Its end is not in the record.</p>`;
  const detail = failure.detail ?? ("digest" in failure ? failure.digest : undefined);
  const text = detail === undefined ? "" : headAndTail(stripColour(detail), mostDetailChars).trim();
  const isSaid = verdictOf(attempt, run)?.summary === failure.message;
  return html`<p class="failure">
      ${!isSaid && html`${failure.message} `}${
        move !== undefined && html`<span class="move">→ ${run.moveText(move)}</span>`
      }
    </p>
    ${text !== "" && folded("More of what was found", printed(text))}`;
}

/** What the tests said of an attempt's change: in full where they refused it. */
function verdictView({ attempt, ok }: ReportedAttempt, run: RunToReport): Html | undefined {
  const verdict = verdictOf(attempt, run);
  if (verdict === undefined) return undefined;
  const tests = readVerdictTable(run.objects.get(verdict.tests ?? ""));
  const kind = badge(verdict.accepted ? "good" : "bad", verdict.kind.replaceAll("_", " "));
  return html`<p>${kind} ${verdict.summary}</p>
    ${
      !ok &&
      (tests
        ? testsView(tests, mostTests)
        : outputView("What the tests printed", run.objects.get(verdict.output)))
    }`;
}

function verdictOf(attempt: number, { events }: RunToReport) {
  return eventsOf(events, "verdict").findLast((each) => each.attempt === attempt);
}

/** The change of an attempt, where it was refused, and what reviewers found in it. */
function changeOf({ attempt, ok, diff }: ReportedAttempt, { events, objects }: RunToReport): Html {
  if (ok) return html`<p>Its change and its tests stand <a href="#change">above</a>.</p>`;
  const findings = eventsOf(events, "review_finding").filter((each) => each.attempt === attempt);
  const text = objects.get(diff ?? "");
  const name = `attempts/coder-${attempt}/diff.patch`;
  return html`${findings.length > 0 && findingsView(findings)}
  ${text !== undefined && folded("The change, which was refused", diffView(text, refusedDiff, name))}`;
}

/** What reviewers found, the severe first. */
export function findingsView(
  findings: readonly {
    readonly severity: string;
    readonly file?: string;
    readonly line?: number;
    readonly text: string;
  }[],
): Html {
  const isSevere = ({ severity }: { severity: string }): boolean => severity === "severe";
  const ordered = [...findings.filter(isSevere), ...findings.filter((each) => !isSevere(each))];
  const left = ordered.length - mostFindings;
  return html`<ul class="findings">
      ${ordered.slice(0, mostFindings).map(({ severity, file, line, text }) => {
        const place = [file, line].filter((part) => part !== undefined).join(":");
        return html`<li>
          ${badge(severity === "severe" ? "bad" : "warning", severity)}
          ${place !== "" && html`<code>${place}</code> `}${headAndTail(text, 2_000)}
        </li>`;
      })}
    </ul>
    ${left > 0 && html`<p class="left-out">${counted(left, "more finding")} left out.</p>`}`;
}
