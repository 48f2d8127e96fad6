import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/views/format.ts";
import { runSummaryLines } from "../../../src/cli/views/run-summary.ts";
import type { CandidateName, Event } from "../../../src/contracts/index.ts";
import { receiptOf } from "../../../src/runs/index.ts";
import { escalatedRun, recorded } from "../../runs/support.ts";

function summary(events: readonly Event[]): string[] {
  return runSummaryLines(receiptOf(recorded(events), "/repo/.kit/runs/x"), createPaint(false));
}

test("a review says who looked, and that nobody did", () => {
  const reviewedBy = (answered: readonly CandidateName[]): Event[] => [
    ...withoutEnd,
    { type: "review_finding", attempt: 2, severity: "minor", file: "add.js", line: 1, text: "x" },
    { type: "reviewed", attempt: 2, asked: 2, answered, passed: answered.length > 0 },
    ...escalatedRun.slice(-1),
  ];
  const critic = { backend: "deep", adapter: "pi", provider: "acme", model: "critic" };

  expect(summary(reviewedBy([critic]))).toContain(
    "  reviewed by acme/critic, of 2 asked: no severe fault found, 1 minor finding",
  );
  expect(summary(reviewedBy([]))).toContain("! not reviewed: no reviewer answered");
});

const withoutEnd = escalatedRun.slice(0, -1);

test("a success shows evidence, cost, records and how to take it back", () => {
  expect(summary(escalatedRun)).toEqual([
    "",
    "✓ The tests are green (red before, green now), after an escalation",
    "  2 attempts · 11 s · at least $0.1000 (1 call of unknown cost)",
    "  add.js",
    "  records: /repo/.kit/runs/x",
    "next: look at it with git diff; take it back with: kit undo 20261130-191430-8xi0",
  ]);
});

test.each<[string, Event, string, string]>([
  [
    "an untested change says so",
    { type: "run_finished", outcome: "untested", exitCode: 0, changedFiles: [] },
    "! Applied, untested: no test has judged this change",
    "next: look at it with git diff; take it back with: kit undo 20261130-191430-8xi0",
  ],
  [
    "a candidate that was not asked any more is named",
    {
      type: "run_finished",
      outcome: "exhausted",
      exitCode: 1,
      changedFiles: [],
      nextCandidate: "strong (acme/large)",
    },
    "✗ No candidate turned the tests green",
    "next: strong (acme/large) was not asked; raise --max-attempts to ask it too",
  ],
  [
    "an error brings its own next step",
    {
      type: "run_finished",
      outcome: "environment",
      exitCode: 5,
      changedFiles: [],
      error: { kind: "environment", message: "cargo is not installed", next: "install Rust" },
    },
    "✗ The environment is broken: cargo is not installed",
    "next: install Rust",
  ],
  [
    "without any reply the way to bind a model is shown",
    { type: "run_finished", outcome: "no_model", exitCode: 3, changedFiles: [] },
    "✗ No model ever replied",
    "next: bind a model: kit init; what is bound: kit models",
  ],
])("%s", (_title, end, first, last) => {
  const lines = summary([...withoutEnd, end]);

  expect(lines[1]?.split(" · ")[0]).toBe(first);
  expect(lines.at(-1)).toBe(last);
});
