import type { CommandSummary, TestVerdict, VerdictTable } from "../contracts/index.ts";
import { counted, formatCount, formatDuration } from "../lib/figures.ts";
import { headAndTail, stripColour } from "../lib/text.ts";
import { html, type Html } from "./html.ts";
import { badge, folded, printed, table } from "./page.ts";

const mostMessageChars = 1_200;
const mostOutputChars = 6_000;

/** The table as the record holds it; undefined where it is missing or no such table. */
export function readVerdictTable(text: string | undefined): VerdictTable | undefined {
  try {
    const read = JSON.parse(text ?? "null") as VerdictTable | null;
    return read !== null && Array.isArray(read.tests) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The tests of a change one by one: those that fail or that the change has moved are shown, the
 * others wait to be opened.
 */
export function testsView(verdicts: VerdictTable, most: number): Html {
  const { tests, leftOut, passed, failed, skipped } = verdicts;
  const isAsBefore = ({ before, after }: TestVerdict): boolean =>
    before === after && after !== "failed";
  const moved = tests.filter((test) => !isAsBefore(test));
  const same = tests.filter(isAsBefore);
  const unlisted = leftOut + Math.max(0, moved.length - most) + Math.max(0, same.length - most);
  return html`<p>
      With the change ${counted(passed + failed + skipped, "test")}:
      ${[
        html`<span class="good">${formatCount(passed)} passed</span>`,
        failed > 0 && html`, <span class="bad">${formatCount(failed)} failed</span>`,
        skipped > 0 && `, ${formatCount(skipped)} skipped`,
      ]}.
    </p>
    ${moved.length > 0 && verdictRows("Tests that fail or that the change has moved", moved.slice(0, most))}
    ${same.length > 0 && folded(`${counted(same.length, "test")} as before`, verdictRows("Tests that are as they were before", same.slice(0, most)))}
    ${unlisted > 0 && html`<p class="left-out">${counted(unlisted, "more test")} not listed.</p>`}`;
}

function verdictRows(caption: string, tests: readonly TestVerdict[]): Html {
  const rows = tests.map((test) => [
    html`<span class="name">${test.id}</span>`,
    statusOf(test.before),
    statusOf(test.after),
    messageOf(test),
  ]);
  return table(
    caption,
    [{ title: "Test" }, { title: "Before", kind: "status" }, { title: "With it", kind: "status" }],
    rows,
    "verdicts",
  );
}

function messageOf({ message, after }: TestVerdict): Html | undefined {
  if (message === undefined || message.trim() === "") return undefined;
  const text = headAndTail(stripColour(message), mostMessageChars).trim();
  return after === "failed" ? printed(text) : folded("why it failed before", printed(text));
}

function statusOf(status: TestVerdict["after"]): Html {
  if (status === undefined) return html`<span class="quiet">not there</span>`;
  const tones = { passed: "good", failed: "bad", skipped: "quiet" } as const;
  return badge(tones[status], status);
}

/** Commands with how they ended, on one of the trees. */
export function commandRows(
  tree: string,
  commands: readonly CommandSummary[],
): (Html | string)[][] {
  return commands.map(({ command, ended, durationMs, reportedBy, reportFault }) => [
    html`<code>${command}</code>`,
    tree,
    badge(ended === "exit 0" ? "good" : "bad", ended),
    formatDuration(durationMs),
    reportedBy ??
      (reportFault === undefined ? "exit code alone" : `exit code alone: ${reportFault}`),
  ]);
}

/** What the commands printed, folded; undefined where the record has lost it. */
export function outputView(title: string, output: string | undefined): Html | undefined {
  if (output === undefined || output.trim() === "") return undefined;
  return folded(title, printed(headAndTail(stripColour(output), mostOutputChars)));
}
