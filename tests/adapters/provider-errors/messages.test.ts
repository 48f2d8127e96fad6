import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readOutcome, type FinishedCall } from "../../../src/adapters/pi/outcome.ts";
import { classifyProviderError } from "../../../src/adapters/provider-errors/classify.ts";
import type { ProviderReport } from "../../../src/adapters/provider-errors/read.ts";
import type { FailureKind } from "../../../src/contracts/index.ts";
import { knownMessages, macroF1, type KnownMessage } from "./messages.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const table = knownMessages("messages.txt");
const aside = knownMessages("kept-aside.txt");
const kindOf = (given: string | ProviderReport): FailureKind =>
  classifyProviderError(given, "some/model", now).kind;

describe("messages of providers", () => {
  test("there are at least 300 of them, of every kind a provider's failure has", () => {
    expect(table.length).toBeGreaterThanOrEqual(300);
    expect(new Set(table.map(({ kind }) => kind)).size).toBe(10);
  });

  test("each message of the table has its kind", () => {
    expect(table.filter(({ kind, text }) => kindOf(text) !== kind)).toEqual([]);
  });

  test("none of those kept aside is in the table, by which the rows were written", () => {
    const known = new Set(table.map(({ text }) => text));

    expect(aside.length).toBeGreaterThanOrEqual(200);
    expect(aside.filter(({ text }) => known.has(text))).toEqual([]);
  });

  test("those kept aside have their kind too, at a macro-F1 of 0.95", () => {
    const results = aside.map(({ kind, text }) => ({ kind, got: kindOf(text) }));

    expect(macroF1(results)).toBeGreaterThanOrEqual(0.95);
  });
});

test.each(["Error: ", "API Error (", '{"message":"', "retry in 1m ", "<html><title "])(
  "a megabyte of %j is read in no time",
  (piece) => {
    const began = performance.now();
    kindOf(piece.repeat(1_000_000 / piece.length));

    expect(performance.now() - began).toBeLessThan(2000);
  },
);

interface Sent {
  readonly kind: FailureKind;
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** The messages that came as a status and an object with a message. */
const sent: readonly Sent[] = table.flatMap(({ kind, text }) => {
  const found = /^(\d{3}):? (\{.*\})$/s.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) return [];
  const body = JSON.parse(found[2]) as Record<string, Record<string, unknown> | string>;
  const error = typeof body["error"] === "object" ? body["error"] : body;
  const message = error["message"] ?? error["error"] ?? error["detail"] ?? error["title"];
  if (typeof message !== "string" || error["metadata"] !== undefined) return [];
  return [{ kind, status: Number(found[1]), error, message }];
});

describe("the same error through another client", () => {
  const keepsAll: readonly (readonly [string, (error: Sent) => string | ProviderReport])[] = [
    ["an adapter's report", ({ status, error }) => ({ status, text: JSON.stringify({ error }) })],
    ["Claude Code", ({ status, error }) => `API Error: ${status} ${JSON.stringify({ error })}`],
    [
      "Codex",
      ({ status, error }) =>
        `unexpected status ${status} Words: ${JSON.stringify({ error })}, url: https://x.example/v1`,
    ],
  ];
  test.each(keepsAll)("%s, which keeps type and code, changes no kind", (_, wrap) => {
    expect(sent.filter((error) => kindOf(wrap(error)) !== error.kind)).toEqual([]);
  });

  const keepsWords: readonly (readonly [string, (error: Sent) => string])[] = [
    ["pi 0.73", ({ status, message }) => `${status} ${message}`],
    [
      "LiteLLM",
      ({ status, message }) =>
        `${status}: ${JSON.stringify({ message: `litellm.APIError: APIError: XException - ${message}`, type: null, code: String(status) })}`,
    ],
  ];
  test.each(keepsWords)(
    "%s, which keeps only the words, changes at most one in a hundred",
    (_, wrap) => {
      const changed = sent.filter((error) => kindOf(wrap(error)) !== error.kind);

      expect(changed.length).toBeLessThanOrEqual(sent.length / 100);
    },
  );
});

const alarming = ["timeout", "rate limit", "quota", "auth", "author", "429", "overloaded"] as const;
const words = fc
  .array(fc.oneof(fc.constantFrom(...alarming), fc.string()), { minLength: 1 })
  .map((some) => some.join(" "));

/** A call that pi finished, with one message of the model. */
function finished(message: Partial<FinishedCall["facts"]["messages"][number]>): FinishedCall {
  const name = { provider: "some", model: "model" };
  const last = {
    ...name,
    text: "",
    stopReason: "stop",
    hasReasoning: false,
    costUsd: 0,
    ...message,
  };
  return {
    facts: {
      messages: [last],
      asked: name,
      settled: true,
      replyBytes: last.text.length,
      noise: [],
      stopped: undefined,
    },
    process: { ended: { by: "exit", code: 0 }, stderr: "", leftBehind: [] },
    binding: { ...name, adapter: "pi", quotaPool: "some", editFormat: "auto", extensions: false },
    features: { seesCutStreams: true },
    maxReplyBytes: 1_000_000,
    timeoutMs: 1000,
    idleTimeoutMs: 1000,
    now,
  } as unknown as FinishedCall;
}

describe("words of an answer", () => {
  test("never make a good answer a failure", () => {
    fc.assert(
      fc.property(words, (text) => {
        fc.pre(/[a-z]/i.test(text));
        expect(readOutcome(finished({ text }))).toMatchObject({ ok: true });
      }),
      { numRuns: 200 },
    );
  });

  test("never change the kind of the error that came after them", () => {
    fc.assert(
      fc.property(
        words,
        fc.constantFrom<KnownMessage>(...table),
        (text, { text: errorMessage }) => {
          const kind = (said: string): unknown => {
            const result = readOutcome(finished({ text: said, stopReason: "error", errorMessage }));
            return result.ok ? "ok" : result.failure.kind;
          };

          expect(kind(text)).toBe(kind(""));
        },
      ),
      { numRuns: 200 },
    );
  });
});
