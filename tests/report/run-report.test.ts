import { describe, expect, test } from "vitest";
import type { Event, VerdictTable } from "../../src/contracts/index.ts";
import { objectsOf, renderRunReport } from "../../src/report/index.ts";
import { escalatedRun } from "../runs/support.ts";
import { attack, attacked, runToReport, runWithDiff } from "./support.ts";

const verdicts: VerdictTable = {
  tests: [
    { id: "math › subtracts", before: "passed", after: "failed", message: "2 !== 3" },
    { id: "math › adds", before: "failed", after: "passed", message: "it was 3" },
    { id: "math › doubles", before: "passed", after: "passed" },
  ],
  leftOut: 7,
  passed: 9,
  failed: 1,
  skipped: 0,
};

describe("the report of a run", () => {
  test("opens with the outcome and tells attempts, verdicts, cost and configuration", () => {
    const page = renderRunReport(runToReport());

    expect(page).toMatch(/^<!DOCTYPE html>\n/);
    const headings = [...page.matchAll(/<h([123])[^>]*>\s*([^<]*?)\s*</g)].map(
      ([, level, text]) => `${level} ${text}`,
    );
    expect(headings).toEqual([
      "1 The tests are green",
      "2 The change",
      "2 Tests",
      "3 Commands",
      "2 Time line",
      "2 Attempts",
      "3 coder 1",
      "3 coder 2",
      "2 Cost",
      "2 Configuration",
      "3 Settings",
    ]);
    for (const text of [
      "Mend add",
      "acme/small",
      "1 test failed",
      "on: next_or_repair",
      "the red test is green",
      "at least $0.1000 (1 call of unknown cost)",
      "maxCalls",
      "/repo/.kit/runs/20261130-191430-8xi0",
    ]) {
      expect(page).toContain(text);
    }
    expect(page.length).toBeLessThan(40_000);
  });

  test("loads nothing, runs nothing, and says so to the browser", () => {
    const page = renderRunReport(runToReport());

    expect(page).toContain("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;");
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\bon\w+=|url\(|@import|https?:/i);
  });

  test("whatever a model or a repository says is text", () => {
    const events = escalatedRun.map(attacked);
    const diff = `--- a/x\n+++ b/${attack}\n@@ -0,0 +1 @@\n+${attack}\n`;
    const given = { headline: attack, moveText: () => attack };

    for (const page of [
      renderRunReport(runToReport({ events, over: given })),
      renderRunReport(runWithDiff(diff, given)),
    ]) {
      expect(page).toContain(
        "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;⟨U+202E⟩␀",
      );
      expect(page).not.toMatch(/<script|<img|<\/script|[\0\u001b\u202e]/);
    }
  });

  test("shows the tests of the verdict one by one, the failing ones first", () => {
    const events = escalatedRun.map((event): Event =>
      event.type === "verdict" ? { ...event, tests: "t2" } : event,
    );

    const page = renderRunReport(
      runToReport({ events, objects: { t2: JSON.stringify(verdicts) } }),
    );

    const [red, mended, same] = ["subtracts", "adds", "doubles"].map((name) =>
      page.indexOf(`math › ${name}`),
    );
    expect([red, mended, same].toSorted((one = 0, other = 0) => one - other)).toEqual([
      red,
      mended,
      same,
    ]);
    expect(page).toContain("2 !== 3");
    expect(page).toContain("7 more tests not listed.");
    expect(objectsOf(runToReport({ events }).events)).toEqual(["o2", "t2"]);
  });

  test("a diff of five megabytes is bounded, and what is left out is named", () => {
    const lines = Array.from({ length: 70_000 }, (_, index) => `+${index} ${"y".repeat(70)}`);
    const diff = `--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,70000 @@\n${lines.join("\n")}\n`;
    expect(diff.length).toBeGreaterThan(5_000_000);

    const page = renderRunReport(runWithDiff(diff));

    expect(page.length).toBeLessThan(300_000);
    expect(page).toContain("69,401 lines left out here.");
    expect(page).toContain("attempts/coder-2/diff.patch");
  });

  test("a run that goes on, one that was cut off and one whose objects are gone can be shown", () => {
    expect(renderRunReport(runToReport({ over: { isRunning: true } }))).toContain("still going on");
    expect(
      renderRunReport(runToReport({ events: escalatedRun.slice(0, 4), over: { unread: 2 } })),
    ).toContain("2 lines of the log could not be read");
    expect(renderRunReport(runToReport())).toContain("Its diff is not in the records any more.");
  });

  test("a damaged table of verdicts is passed over", () => {
    const events = escalatedRun.map((event): Event =>
      event.type === "verdict" ? { ...event, tests: "t2" } : event,
    );
    for (const t2 of ["{", "null", "[]", '{"tests":3}']) {
      expect(renderRunReport(runToReport({ events, objects: { t2 } }))).toContain(
        "the red test is green",
      );
    }
  });
});
