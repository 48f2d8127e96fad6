import { expect, test } from "vitest";
import { createRunNarrator, type Detail } from "../../../src/cli/views/run-narrator.ts";
import { createPaint } from "../../../src/cli/views/format.ts";
import type { Event } from "../../../src/contracts/index.ts";
import { candidate, escalatedRun, recorded } from "../../runs/support.ts";

function told(events: readonly Event[], detail: Detail = "normal"): string[] {
  const tell = createRunNarrator(createPaint(false), detail);
  return recorded(events).flatMap((event) => tell(event).lines);
}

test("an escalated run reads from the task to the green gate", () => {
  expect(told(escalatedRun)).toEqual([
    "Mend add",
    "kit 0.1.0 · run 20261130-191430-8xi0",
    "coder 1: cheap (acme/small) · for strong-code",
    "  replied · 2.0 s · 900 → 100 tokens · $0.1000",
    "✗ coder 1: tests_failed: 1 test failed → on to the next",
    "coder 2: strong (acme/large) · for strong-code",
    "  replied · 3.0 s · cost unknown",
    "✓ gate: the red test is green · 0.3 s",
  ]);
});

test.each<[string, Event, string[]]>([
  [
    "test commands come with their source, and those that do not run with the reason",
    {
      type: "test_commands",
      commands: [
        { command: "npm test", source: "package.json", runs: true },
        { command: "make check", source: "the scout", runs: false },
      ],
    },
    [
      "tests: npm test (package.json)",
      "not run: make check (the scout): only you can allow it, with --test",
    ],
  ],
  [
    "a red baseline names the commands and what was withheld",
    {
      type: "baseline",
      green: false,
      commands: [{ command: "npm test", ended: "exit 1", durationMs: 1234 }],
      withheld: ["NPM_TOKEN"],
      output: "hash",
    },
    ["✗ baseline: red · npm test: exit 1 · 1.2 s", "  withheld from the tests: NPM_TOKEN"],
  ],
  [
    "a green baseline is one line",
    { type: "baseline", green: true, commands: [], withheld: ["NPM_TOKEN"], output: "hash" },
    ["✓ baseline: green · 0.0 s"],
  ],
  [
    "a plan is a diff stat in columns",
    {
      type: "plan_ready",
      attempt: 1,
      diff: "hash",
      planHash: "hash",
      changes: [
        { kind: "edit", path: "src/add.js", added: 1, removed: 1 },
        { kind: "rename", path: "a.js", to: "b.js", added: 0, removed: 0 },
      ],
    },
    ["  edit    src/add.js   +1 −1", "  rename  a.js → b.js  +0 −0"],
  ],
  [
    "what the user changed meanwhile is said when kit takes its writes back",
    { type: "rolled_back", attempt: 1, restored: ["a.js"], kept: ["b.js"] },
    ["  undone: 1 file", "! b.js changed meanwhile and was left to you"],
  ],
  [
    "a skipped candidate comes with the reason",
    { type: "candidate_skipped", step: "coder", candidate, reason: "quota pool acct is spent" },
    ["coder: cheap (acme/small) skipped: quota pool acct is spent"],
  ],
  [
    "an account that is left alone says until when",
    { type: "pool_left", pool: "acct", until: "2026-12-01T00:00:00Z" },
    ['  the account "acct" is left alone until 2026-12-01T00:00:00Z'],
  ],
  [
    "a failed call names the failure",
    {
      type: "call_finished",
      step: "coder",
      attempt: 1,
      call: 1,
      ok: false,
      failure: { kind: "auth", message: "signed out of acme" },
      durationMs: 400,
    },
    ["  auth: signed out of acme · 0.4 s · cost unknown"],
  ],
])("%s", (_title, event, lines) => {
  expect(told([event])).toEqual(lines);
});

test("what the gate or the call has just said is not said again", () => {
  const verdict: Event = {
    type: "verdict",
    attempt: 1,
    kind: "unchanged_red",
    accepted: false,
    evidence: "none",
    summary: "still red",
    commands: [],
    output: "hash",
  };
  const end: Event = {
    type: "attempt_finished",
    step: "coder",
    attempt: 1,
    ok: false,
    failure: { kind: "tests_failed", message: "still red", digest: "" },
    move: "from another version",
    durationMs: 1,
  };

  expect(told([verdict, end])).toEqual([
    "✗ gate: still red · 0.0 s",
    "✗ coder 1: tests_failed → from another version",
  ]);
});

test("quiet tells warnings alone", () => {
  const events: readonly Event[] = [
    ...escalatedRun,
    { type: "note", level: "warning", message: "beware" },
  ];

  expect(told(events, "quiet")).toEqual(["! beware"]);
});

test("verbose adds prompts, children and the report of the pack", () => {
  const events: readonly Event[] = [
    { type: "call_started", step: "scout", attempt: 1, call: 1, prompt: "p", promptTokens: 1200 },
    { type: "process_finished", process: "7", label: "pi", durationMs: 2000 },
    { type: "pack_ready", pack: "h", files: 1, tokens: 830, report: ["goal: taken from the task"] },
  ];

  expect(told(events)).toEqual(["✓ Context Pack: 1 file, about 830 tokens"]);
  expect(told(events, "verbose")).toEqual([
    "  call 1: prompt of about 1,200 tokens",
    "  pi · 2.0 s",
    "✓ Context Pack: 1 file, about 830 tokens",
    "  goal: taken from the task",
  ]);
});

test("while a model is asked, the moving line says which", () => {
  const tell = createRunNarrator(createPaint(false), "normal");
  const activities = recorded(escalatedRun).map((event) => tell(event).activity);

  expect(activities.filter((activity) => activity !== undefined)).toEqual([
    "coding",
    "coder: waiting for cheap (acme/small)",
    null,
    null,
    "coder: waiting for strong (acme/large)",
    null,
    null,
    null,
  ]);
});

test("control characters of a model's text never reach the terminal", () => {
  const lines = told([
    { type: "note", level: "info", message: "\u001B]0;owned\u0007 \u202Egnp.exe\tx" },
  ]);

  expect(lines).toEqual(["�]0;owned� �gnp.exe  x"]);
});
