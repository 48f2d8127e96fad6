import { expect, test } from "vitest";
import { progressLine, readEvent, summarise } from "../../../adapters/pi/extension/telling.ts";
import type { RecordedEvent } from "../../../src/contracts/index.ts";

// What the extension tells; that pi loads and runs it: tests/e2e/pi-extension.slow.test.ts.

const candidate = { backend: "strong", adapter: "pi", provider: "acme", model: "large" };
const receipt = {
  schemaVersion: 1,
  outcome: "success",
  runId: "r1",
  changedFiles: ["src/a.js"],
  gate: { change: { summary: "red before, green now" } },
};

test.each<[Record<string, unknown>, string | undefined]>([
  [{ type: "attempt_started", step: "coder", attempt: 2, candidate }, "coder 2: acme/large"],
  [{ type: "call_finished", step: "coder", ok: true }, undefined],
  [
    { type: "call_finished", step: "coder", ok: false, failure: { message: "signed out" } },
    "coder: signed out",
  ],
  [{ type: "baseline", green: false }, "tests before the change: red"],
  [{ type: "pack_ready", files: 3 }, "Context Pack: 3 file(s)"],
  [{ type: "verdict", summary: "1 of 2 red" }, "tests: 1 of 2 red"],
  [{ type: "waiting", ms: 9_600, reason: "a limit" }, "waiting 10 s: a limit"],
  [{ type: "rolled_back" }, "the change was undone"],
  [{ type: "note", level: "info", message: "x" }, undefined],
  [{ type: "note", level: "warning", message: "x" }, "x"],
  [{ type: "effect_finished" }, undefined],
  [{ type: "of a later version" }, undefined],
])("of the event %j it tells %j", (event, told) => {
  expect(progressLine(event as unknown as RecordedEvent)).toBe(told);
});

test.each(["", "no JSON", "[1]", '{"type":1}', "null"])("the line %j is no event", (line) => {
  expect(readEvent(line)).toBeUndefined();
});

test("a green run says what it changed and how to take it back", () => {
  const { ok, text, details } = summarise(JSON.stringify(receipt), "", 0);

  expect(ok).toBe(true);
  expect(text).toBe(
    "kit: success\nTests: red before, green now\nChanged: src/a.js\nTake it back: kit undo r1",
  );
  expect(details).toEqual({
    exitCode: 0,
    outcome: "success",
    runId: "r1",
    changedFiles: ["src/a.js"],
  });
});

test("a run that failed says why, and the next step", () => {
  const error = { kind: "usage_limit", message: "the account is spent", next: "wait" };
  const document = {
    ...receipt,
    outcome: "no_model",
    changedFiles: [],
    gate: { change: null },
    error,
  };

  const { ok, text } = summarise(JSON.stringify(document), "", 3);

  expect(ok).toBe(false);
  expect(text).toBe(
    "kit: no_model: the account is spent\nChanged: nothing\nNext: wait\nMore: kit show r1",
  );
});

test("a kit that refuses to start says so with its own next step", () => {
  const document = { schemaVersion: 1, error: { kind: "usage", message: "No task.", next: null } };

  expect(summarise(JSON.stringify(document), "", 2)).toMatchObject({
    ok: false,
    text: "kit did not start: No task.",
  });
});

test("a kit without a document is told by its end, and what a terminal acts on is taken out", () => {
  expect(summarise("", "boom\u001b[31m\u202e", 5).text).toBe("kit ended with exit 5.\nboom [31m ");
  expect(summarise("{", "", null).text).toMatch(/^kit was ended by a signal/);
  expect(summarise("", "x".repeat(9_000), 1).text.length).toBeLessThan(4_100);
});
