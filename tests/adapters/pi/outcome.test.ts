import { describe, expect, test } from "vitest";
import { featuresOf } from "../../../src/adapters/pi/arguments.ts";
import { EventReader } from "../../../src/adapters/pi/events.ts";
import { readOutcome, type FinishedCall } from "../../../src/adapters/pi/outcome.ts";
import { startupErrorTable } from "../../../src/adapters/pi/startup-errors.ts";
import type { Binding, CallResult } from "../../../src/contracts/index.ts";
import { callOf } from "../support.ts";

const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

/** An assistant's `message_end` as pi 1.6 prints it. */
function answer(text: string, more: object = {}): string {
  const message = {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "fake",
    model: "ok",
    usage: { ...zero, input: 11, output: 3, totalTokens: 14, cost: { total: 0 } },
    stopReason: "stop",
    ...more,
  };
  return JSON.stringify({ type: "message_end", message });
}

const settled = '{"type":"agent_settled","aborted":false}';

interface Run {
  readonly ended?: FinishedCall["process"]["ended"];
  readonly stderr?: string;
  readonly binding?: Partial<Binding>;
  readonly version?: readonly [number, number, number];
}

/** What the adapter makes of a pi that printed `lines` and ended that way. */
function outcome(lines: readonly string[], run: Run = {}): CallResult {
  const features = featuresOf(run.version ?? [1, 6, 0]);
  const { binding } = callOf("fake/ok", run.binding ? { binding: run.binding } : {}).candidate;
  const reader = new EventReader({
    wanted: binding,
    lastEvent: features.lastEvent,
    maxReplyBytes: 1000,
    lingerMs: 60_000,
    stop: () => undefined,
  });
  for (const line of lines) reader.onLine(Buffer.from(line));
  return readOutcome({
    facts: reader.finish(),
    process: {
      ended: run.ended ?? { by: "exit", code: 0 },
      stderr: run.stderr ?? "",
      leftBehind: [],
    },
    binding,
    features,
    maxReplyBytes: 1000,
    timeoutMs: 3000,
    idleTimeoutMs: 1000,
    now: 0,
  });
}

function failureOf(result: CallResult): string {
  return result.ok ? "ok" : `${result.failure.kind}: ${result.failure.message}`;
}

describe("a reply counts", () => {
  test("when the message ended with stop, pi said its last word, and exited 0", () => {
    expect(outcome([answer("hi"), settled])).toMatchObject({ ok: true, text: "hi" });
  });

  test("not by the exit code alone", () => {
    expect(failureOf(outcome(['{"type":"session","version":3}']))).toMatch(
      /^provider_unknown: pi called no model/,
    );
  });

  test("not when pi never said its last word", () => {
    expect(failureOf(outcome([answer("hi")]))).toBe(
      "provider_unknown: pi ended before it was done",
    );
  });

  test("not when pi then failed", () => {
    const run: Run = { ended: { by: "exit", code: 1 }, stderr: "boom" };

    expect(outcome([answer("hi"), settled], run)).toMatchObject({
      ok: false,
      failure: { kind: "provider_unknown", detail: "boom" },
    });
  });

  test("whatever words stand in it", () => {
    const text =
      "HTTP 429: rate limit, quota exceeded, 401 Unauthorized, timeout, ECONNRESET, author, overloaded";

    expect(outcome([answer(text), settled])).toMatchObject({ ok: true, text });
  });

  test("whatever pi says on stderr, which is kept beside it", () => {
    const result = outcome([answer("hi"), settled], {
      stderr: "warn: 429 rate limit, retrying\n警告\n",
    });

    expect(result).toMatchObject({
      ok: true,
      notes: ["pi said on stderr: warn: 429 rate limit, retrying\n警告"],
    });
  });

  test("with the last message, after failed attempts of pi's own", () => {
    const failed = answer("", { stopReason: "error", errorMessage: "503 overloaded" });

    expect(outcome([failed, answer("hi"), settled])).toMatchObject({
      ok: true,
      text: "hi",
      usage: { input: 22, output: 6 },
    });
  });

  test("when a banner stands before the events, and the banner is kept beside it", () => {
    const lines = ["Now using node v22.1.0 (npm v10)", "\u001b[2m", answer("hi"), settled];

    expect(outcome(lines)).toMatchObject({
      ok: true,
      text: "hi",
      notes: ["pi printed: Now using node v22.1.0 (npm v10)"],
    });
  });

  test.each(["deadline", "idle", "abort"] as const)(
    "when pi had said its last word and hung until its %s",
    (by) => {
      const result = outcome([answer("hi"), settled], { ended: { by } });

      expect(result).toMatchObject({ ok: true, notes: [expect.stringContaining("kit ended it")] });
    },
  );
});

describe("how pi ended is named", () => {
  test.each<[string, FinishedCall["process"]["ended"], string]>([
    [
      "kit's deadline",
      { by: "deadline" },
      "timeout: time-out after 3 s, 0 bytes of reply received",
    ],
    [
      "kit's idle limit",
      { by: "idle" },
      "timeout: time-out after 1 s of silence, 0 bytes of reply received",
    ],
    ["the user", { by: "abort" }, "interrupted: the call was stopped, 0 bytes of reply received"],
    [
      "a signal from outside",
      { by: "signal", signal: "SIGKILL" },
      "provider_unknown: pi was killed by SIGKILL from outside, 0 bytes of reply received",
    ],
    [
      "a signal pi answers to",
      { by: "exit", code: 143 },
      "provider_unknown: pi was killed by SIGTERM from outside, 0 bytes of reply received",
    ],
    ["a line that is too long", { by: "overflow" }, "reply_too_large: the reply is over 0 MiB"],
  ])("%s", (_, ended, expected) => {
    expect(failureOf(outcome(['{"type":"agent_start"}'], { ended }))).toBe(expected);
  });

  test("a signal after the answer but before pi's last word loses the answer", () => {
    const result = outcome([answer("hi")], { ended: { by: "signal", signal: "SIGKILL" } });

    expect(result).toMatchObject({
      ok: false,
      failure: { kind: "provider_unknown" },
      partialText: "hi",
    });
  });

  test("a program that cannot be started is the environment's fault, with the system's code", () => {
    const ended = { by: "spawn_error", code: "E2BIG", message: "spawn E2BIG" } as const;

    expect(outcome([], { ended })).toMatchObject({
      failure: { kind: "environment", detail: "E2BIG" },
    });
  });
});

describe("what pi says before it asked a model", () => {
  test.each(startupErrorTable)("$example", ({ example, kind }) => {
    const result = outcome([], { ended: { by: "exit", code: 1 }, stderr: example });

    expect(result).toMatchObject({ ok: false, failure: { kind } });
  });

  test("a provider's error that came as text is read, also with exit 0", () => {
    const stderr = "429 you have reached your weekly usage limit\n";

    expect(outcome([], { stderr })).toMatchObject({
      failure: { kind: "usage_limit", detail: stderr },
    });
  });

  test("with extensions, that one of them may have taken the prompt", () => {
    expect(failureOf(outcome([], { binding: { extensions: true } }))).toContain("an extension may");
  });
});

describe("whose answer it is", () => {
  test("a model that pi picked by a loose match is not taken, and its answer not waited for", () => {
    const start =
      '{"type":"message_start","message":{"role":"assistant","content":[],"provider":"fake","model":"ok-1mb"}}';

    expect(outcome([start], { ended: { by: "abort" } })).toMatchObject({
      failure: { kind: "wrong_model", asked: "fake/ok", answered: "fake/ok-1mb" },
    });
  });

  test("the case of a name is not told apart", () => {
    expect(outcome([answer("hi", { provider: "FAKE", model: "OK" }), settled]).ok).toBe(true);
  });
});

describe("what it cost", () => {
  const priced = answer("hi", {
    usage: { ...zero, input: 10, output: 1, totalTokens: 11, cost: { total: 0.5 } },
  });

  test("pi's own figure comes first", () => {
    const result = outcome([priced, settled], { binding: { price: { input: 1, output: 1 } } });

    expect(result.costUsd).toBe(0.5);
  });

  test("zero without a price is unknown, and zero by the user's price is zero", () => {
    expect(outcome([answer("hi"), settled])).not.toHaveProperty("costUsd");
    expect(
      outcome([answer("hi"), settled], { binding: { price: { input: 0, output: 0 } } }).costUsd,
    ).toBe(0);
  });

  test("a failed call's cost is kept", () => {
    const result = outcome([priced.replace('"stop"', '"length"'), settled]);

    expect(result).toMatchObject({
      ok: false,
      costUsd: 0.5,
      usage: { input: 10 },
      partialText: "hi",
    });
  });
});

describe("before pi 0.80.4", () => {
  const end = '{"type":"agent_end","messages":[]}';

  test("agent_end is its last word", () => {
    expect(outcome([answer("hi"), end], { version: [0, 73, 1] }).ok).toBe(true);
    expect(outcome([answer("hi"), end]).ok).toBe(false);
  });

  test("a reply without usage is said to be possibly cut", () => {
    const cut = answer("hi", { usage: { ...zero, cost: { total: 0 } } });

    const result = outcome([cut, end], { version: [0, 73, 1] });

    expect(result).toMatchObject({ ok: true, notes: [expect.stringContaining("may be cut")] });
    expect(result).not.toHaveProperty("usage");
  });
});
