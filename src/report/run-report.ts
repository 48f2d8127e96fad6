import { counted, formatCost, formatCount, formatDuration } from "../lib/figures.ts";
import { headAndTail } from "../lib/text.ts";
import { attemptsView, findingsView } from "./attempts-view.ts";
import { diffView, wholeDiff } from "./diff-view.ts";
import { html, type Html } from "./html.ts";
import { badge, facts, folded, page, printed, type Section, table, type Tone } from "./page.ts";
import {
  attemptName,
  eventsOf,
  modelText,
  type ReportedRun,
  type RunToReport,
} from "./reported-run.ts";
import { timeLine } from "./time-line.ts";
import { timeLineView } from "./time-line-view.ts";
import { commandRows, outputView, readVerdictTable, testsView } from "./tests-view.ts";

const mostTests = 60;
const mostPackChars = 20_000;
const mostTaskChars = 4_000;

/** The report of one run: a whole HTML document that needs nothing beside itself. */
export function renderRunReport(run: RunToReport): string {
  const { receipt } = run;
  const sections: (Section | undefined)[] = [
    section("change", "The change", changeView(run)),
    section("tests", "Tests", testsSection(run)),
    section("review", "Review", reviewView(run)),
    section("time-line", "Time line", timeLineView(timeLine(run.events))),
    section("attempts", "Attempts", attemptsView(run)),
    section("cost", "Cost", costView(receipt)),
    section("configuration", "Configuration", configurationView(run)),
    section("notes", "Notes", notesView(run)),
  ];
  return page({
    title: `${headAndTail(receipt.task.trim().split("\n", 1).join(""), 80)} · kit report`,
    kitVersion: receipt.kitVersion,
    header: headerView(run),
    sections: sections.filter((each) => each !== undefined),
    footer: footerView(receipt),
  });
}

function section(id: string, title: string, body: Html | undefined): Section | undefined {
  return body && { id, title, body };
}

function headerView({ receipt, headline, isRunning }: RunToReport): Html {
  const { outcome, task, error, totals, attempts, exitCode, startedAt, landed } = receipt;
  const tone: Tone =
    isRunning || outcome === "untested" ? "warning" : outcome === "success" ? "good" : "bad";
  const words = {
    good: "Green",
    warning: isRunning ? "Running" : "Untested",
    bad: "Not green",
    quiet: "",
  };
  const where = landed?.branch ?? landed?.commit?.slice(0, 12);
  return html`<p class="brand">kit <span class="quiet">run report</span></p>
    <p class="state">${badge(tone, words[tone])}</p>
    <h1>${isRunning ? "The run is still going on" : headline}</h1>
    <p class="task" dir="auto">${headAndTail(task.trim(), mostTaskChars)}</p>
    ${error?.next !== undefined && html`<p class="next"><strong>Next:</strong> ${error.next}</p>`}
    ${facts([
      ["Took", formatDuration(totals.durationMs)],
      [
        "Cost",
        totals.calls === 0 ? "no call was made" : formatCost(totals.costUsd, totals.costUnknown),
      ],
      ["Attempts", `${formatCount(attempts.length)}${receipt.escalated ? ", escalated" : ""}`],
      ["Changed", counted(receipt.changedFiles.length, "file")],
      ["Landed", where],
      [
        "Started",
        startedAt === null
          ? undefined
          : html`<time datetime="${startedAt}">${timeText(startedAt)}</time>`,
      ],
      ["Outcome", `${outcome.replaceAll("_", " ")}, exit ${exitCode}`],
    ])}`;
}

/** `2026-11-30 23:25 UTC` */
function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** The change that the run came to; of a failed one the attempts hold what was tried. */
function changeView({ receipt, objects }: RunToReport): Html {
  const { changedFiles, attempts, exitCode } = receipt;
  if (changedFiles.length === 0) return html`<p>The tree is as it was before the run.</p>`;
  const last = attempts.findLast(({ diff }) => diff !== undefined);
  const text = objects.get(last?.diff ?? "");
  const refused =
    exitCode !== 0 &&
    html`<p>
      ${badge("warning", "refused")} The tests did not accept it; it is in the tree because of
      <code>--keep-failed</code>.
    </p>`;
  if (last === undefined || text === undefined) {
    return html`${refused}
      <p>Its diff is not in the records any more. Changed:</p>
      <ul>
        ${changedFiles.slice(0, 100).map((path) => html`<li><code>${path}</code></li>`)}
      </ul>`;
  }
  return html`${refused}${diffView(text, wholeDiff, `attempts/coder-${last.attempt}/diff.patch`)}`;
}

function testsSection({ receipt, events, objects }: RunToReport): Html {
  const { baseline, change } = receipt.gate;
  const verdict = eventsOf(events, "verdict").at(-1);
  const before = eventsOf(events, "baseline").at(-1);
  const tests = readVerdictTable(objects.get(verdict?.tests ?? ""));
  const rows = [
    ...commandRows("before", baseline?.commands ?? []),
    ...(change
      ? commandRows(
          `with ${attemptName({ step: "coder", attempt: change.attempt })}`,
          change.commands,
        )
      : []),
  ];
  return html`${change ? html`<p>${badge(change.accepted ? "good" : "bad", change.kind.replaceAll("_", " "))} ${change.summary}</p>` : html`<p>No change was tested.</p>`}
  ${tests && testsView(tests, mostTests)}
  ${
    rows.length > 0 &&
    html`<h3>Commands</h3>
      ${table(
        "Test commands and how they ended",
        [
          { title: "Command" },
          { title: "Tree" },
          { title: "Ended" },
          { title: "Took", isFigure: true },
          { title: "Tests told by", kind: "wide" },
        ],
        rows,
        "stacked",
      )}`
  }
  ${baseline !== null && baseline.withheld.length > 0 && html`<p class="quiet">Withheld from the tests: ${baseline.withheld.join(", ")}</p>`}
  ${before && outputView("What the tests printed before the change", objects.get(before.output))}
  ${verdict && outputView("What they printed with it", objects.get(verdict.output))}`;
}

function reviewView({ receipt, events }: RunToReport): Html | undefined {
  const { review } = receipt;
  if (review === null) return undefined;
  const { asked, answered, passed } = review;
  const names = answered.map(modelText).join(", ");
  const findings = eventsOf(events, "review_finding");
  const said =
    answered.length === 0
      ? html`<p>${badge("warning", "not reviewed")} No reviewer answered.</p>`
      : html`<p>
          ${badge(passed ? "good" : "bad", passed ? "no severe fault found" : "blocked")} by
          ${names}${answered.length < asked && `, of ${asked} that were asked for`}.
        </p>`;
  return html`${said}${findings.length > 0 && findingsView(findings)}`;
}

function costView({ attempts, totals }: ReportedRun): Html {
  const tokens = (count: number | undefined): string =>
    count === undefined ? "?" : formatCount(count);
  const rows = attempts.map((attempt) => [
    html`${attemptName(attempt)} <span class="quiet">${attempt.candidate.backend}</span>`,
    formatCount(attempt.calls),
    tokens(attempt.usage?.input),
    tokens(attempt.usage?.output),
    formatCost(attempt.costUsd, attempt.costUnknown),
  ]);
  const sum = [
    html`<strong>In all</strong>`,
    formatCount(totals.calls),
    tokens(totals.usage?.input),
    tokens(totals.usage?.output),
    html`<strong>${formatCost(totals.costUsd, totals.costUnknown)}</strong>`,
  ];
  return html`${table(
      "Calls, tokens and cost of each attempt",
      [
        { title: "Attempt" },
        ...["Calls", "In", "Out", "Cost"].map((title) => ({ title, isFigure: true })),
      ],
      [...rows, sum],
      "sums",
    )}
    <p class="quiet">
      Tokens as the providers counted them; kit's own time was ${formatDuration(totals.kitOwnMs)}.
    </p>`;
}

function configurationView({ receipt, events, objects }: RunToReport): Html {
  const { testCommands, skipped, settings } = receipt;
  const pack = eventsOf(events, "pack_ready").at(-1);
  const packText = objects.get(pack?.pack ?? "");
  return html`${
      testCommands.length > 0 &&
      html`<h3>Test commands</h3>
        ${table(
          "Test commands, who named them, and whether they ran",
          [{ title: "Command" }, { title: "Named by" }, { title: "Runs" }],
          testCommands.map(({ command, source, runs }) => [
            html`<code>${command}</code>`,
            source,
            runs ? "yes" : "no: not allowed",
          ]),
        )}`
    }
    ${
      skipped.length > 0 &&
      html`<h3>Skipped models</h3>
        ${table(
          "Models that were not asked, and why",
          [{ title: "Model" }, { title: "For" }, { title: "Why" }],
          skipped
            .slice(0, 100)
            .map(({ candidate, step, reason, until }) => [
              html`${candidate.backend} <span class="quiet name">${modelText(candidate)}</span>`,
              step,
              until === undefined ? reason : `${reason} until ${until}`,
            ]),
        )}`
    }
    <h3>Settings</h3>
    ${table(
      "Settings of the run",
      [{ title: "Setting" }, { title: "Value" }],
      Object.entries(settings)
        .slice(0, 100)
        .map(([name, value]) => [
          html`<code>${name}</code>`,
          html`<span class="name">${settingText(value)}</span>`,
        ]),
      "settings",
    )}
    ${
      packText !== undefined &&
      html`<h3>Context Pack</h3>
        ${folded("What the coder was handed", printed(headAndTail(packText, mostPackChars)))}`
    }`;
}

function settingText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text === "" || text === "[]" ? "none" : headAndTail(text, 500);
}

function notesView({ receipt, unread }: RunToReport): Html | undefined {
  const notes = [
    ...(unread > 0 ? [`${counted(unread, "line")} of the log could not be read`] : []),
    ...receipt.notes.slice(0, 100),
  ];
  if (notes.length === 0) return undefined;
  return html`<ul>
    ${notes.map((note) => html`<li>${headAndTail(note, 1_000)}</li>`)}
  </ul>`;
}

function footerView({ runId, runDir, root, kitVersion }: ReportedRun): Html {
  return html`${facts([
    ["Run", runId],
    ["Repository", html`<span class="name">${root}</span>`],
    ["Records", html`<span class="name">${runDir}</span>`],
    ["Written by", `kit ${kitVersion}`],
  ])}`;
}
