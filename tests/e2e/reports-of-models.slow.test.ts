import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { allPrompts, type Report, testReports, wrappedPi } from "./reports.ts";
import {
  coderRule,
  crlfRepository,
  editBlock,
  endsOf,
  errorRule,
  eventsIn,
  replyRule,
  scenario,
  scoutRule,
} from "./support.ts";

const right = (model: string): string => coderRule(model, "a + b");
const rightBlock = editBlock("src/math.js", "  return a - b;", "  return a + b;");
const longError = `Service Unavailable: ${"x".repeat(2_000)}`;

/** One entry a model, from `error`s that all mean the same. */
const overflows = [
  "This model's maximum context length is 32768 tokens. However, you requested 33077 tokens",
  "input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000",
  "The input (40000 tokens) is longer than the context length (32768 tokens) of the model",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "request (186072 tokens) exceeds the available context size (131072 tokens), try increasing it",
];

const emptyReplies = [
  "''",
  '" \\n\\n\\t"',
  '"<think>I should answer.</think>\\n"',
  '"```\\n```\\n"',
];
const named = (prefix: string, { length }: readonly unknown[]): string[] =>
  Array.from({ length }, (_, n) => `${prefix}${n}/m`);
const emptyModels = named("e", emptyReplies);
const backendsOf = (models: readonly string[]): Record<string, string> =>
  Object.fromEntries(models.map((model) => [model.replace("/m", ""), model]));

const fallbacks: readonly Report[] = [
  {
    title: "A limit that resets in days is met once: the coder leaves the account alone too",
    scene: {
      scenario: scenario([
        errorRule("p1/first", 429, "Monthly usage limit reached. Resets in 16 days."),
        scoutRule,
        right("p2/second"),
      ]),
      scouts: ["first", "cheap"],
    },
    flags: ({ quick }) => quick.slice(2),
    holds: ({ expect, code, receipt, calls, here }) => {
      expect(code).toBe(0);
      expect(calls).toEqual(["p1/first", "p0/scout", "p2/second"]);
      expect(endsOf(receipt, "scout")).toEqual(["usage_limit", "ok"]);
      expect(receipt.skipped).toMatchObject([
        { step: "coder", candidate: { backend: "first" }, reason: "quota pool p1 is spent" },
      ]);
      const failure = receipt.attempts[0]?.failure;
      expect(JSON.stringify(failure)).toContain("Resets in 16 days");
      const resetAt = failure?.kind === "usage_limit" ? Date.parse(failure.resetAt ?? "") : NaN;
      expect((resetAt - Date.now()) / 86_400_000).toBeCloseTo(16, 0);
      expect(eventsIn(here.root).filter(({ type }) => type === "waiting")).toEqual([]);
    },
  },
  {
    title: "A pi that ends with exit 0 although the provider refused has failed",
    scene: {
      scenario: scenario([
        errorRule("p1/first", 429, "you have reached your weekly usage limit"),
        right("p2/second"),
      ]),
    },
    holds: ({ expect, receipt, calls, here }) => {
      expect(calls).toEqual(["p1/first", "p2/second"]);
      expect(endsOf(receipt)).toEqual(["usage_limit", "ok"]);
      expect(JSON.stringify(receipt.attempts[0]?.failure)).toContain("weekly usage limit");
      const prompt = here.server.requests[1]?.prompt ?? "";
      expect(prompt.split("attempt 1").length - 1).toBe(1);
      expect(prompt).toContain("coder on first (p1/first), attempt 1");
    },
  },
  {
    title: "Test output about time-outs and rate limits is test output",
    scene: {
      files: {
        ...crlfRepository,
        "test/net.test.js":
          "import test from 'node:test';\ntest('net', () => { throw new Error('Request timed out after 5000 ms: 429 Too Many Requests, rate limit exceeded, ECONNRESET'); });\n",
      },
      scenario: scenario([right("p1/first"), coderRule("p2/second", "b + a")]),
      bindings: { first: "p1/first", second: "p2/second" },
      settings: "repairs: off\n",
    },
    flags: ({ quick }) => [...quick.slice(0, 2), "--test", "node --test"],
    holds: ({ expect, code, receipt, here }) => {
      expect({ code, outcome: receipt.outcome }).toEqual({ code: 1, outcome: "exhausted" });
      expect(endsOf(receipt)).toEqual(["tests_failed", "tests_failed"]);
      expect(receipt.skipped).toEqual([]);
      const told = eventsIn(here.root).map(({ type }) => type);
      expect(told).not.toContain("waiting");
      expect(told).not.toContain("pool_left");
      expect(here.server.requests[1]?.user).toContain("429 Too Many Requests");
    },
  },
  {
    title: "Two names of each model are asked once, in order, and no error holds another",
    scene: {
      scenario: scenario(
        ["p1/first", "p2/second"].map((model) => errorRule(model, 503, longError)),
      ),
      bindings: { a: "p1/first", b: "p2/second", c: "p1/first", d: "p2/second" },
    },
    holds: ({ expect, code, receipt, calls, here }) => {
      expect({ code, outcome: receipt.outcome }).toEqual({ code: 3, outcome: "exhausted" });
      const [first, second] = [Array(3).fill("p1/first"), Array(3).fill("p2/second")];
      expect(calls).toEqual([...first, ...second]);
      expect(sizeOf(join(here.root, ".kit"))).toBeLessThan(200_000);
      expect(allPrompts(here)).not.toContain("x".repeat(500));
    },
  },
  {
    title: "One model under five names is one candidate after a provider's failure",
    scene: {
      scenario: scenario(
        [errorRule("p1/big", 401, "Unauthorized"), right("p2/second")],
        ["p1/big", "p2/second"],
      ),
      bindings: {
        big: "p1/big",
        sol: "p1/big",
        upper: "P1/Big",
        high: { model: "p1/big", thinking: "high" },
        other: "p2/second",
      },
    },
    holds: async ({ expect, code, calls, receipt, here }) => {
      expect({ code, calls }).toEqual({ code: 0, calls: ["p1/big", "p2/second"] });
      expect(receipt.skipped.map(({ candidate }) => candidate.backend)).toEqual(["high"]);
      const { stdout } = await here.kit(["route", "strong-code", "--json"]);
      expect(JSON.parse(stdout).routes[0].skipped).toMatchObject([
        { backend: "sol" },
        { backend: "upper" },
      ]);
    },
  },
  {
    title: "Another thinking level of a model is asked after red tests, as an attempt of its own",
    scene: {
      scenario: scenario(
        [
          coderRule("p1/big", "a * b").replace("model: p1/big", "model: p1/big, call: 1"),
          right("p1/big"),
        ],
        ["p1/big"],
      ),
      bindings: { big: "p1/big", high: { model: "p1/big", thinking: "high" } },
    },
    holds: ({ expect, code, receipt }) => {
      expect(code).toBe(0);
      expect(endsOf(receipt)).toEqual(["tests_failed", "ok"]);
      expect(receipt.attempts[1]?.candidate).toMatchObject({ backend: "high", thinking: "high" });
    },
  },
  {
    title: "A fallback whose window is too small is passed over, not the end",
    scene: {
      scenario: scenario([
        errorRule("p1/first", 503, "overloaded"),
        right("p2/second"),
        right("p3/third"),
      ]),
      bindings: {
        first: "p1/first",
        second: { model: "p2/second", context_window: 300 },
        third: { model: "p3/third", context_window: 200_000 },
      },
    },
    holds: ({ expect, code, receipt, calls }) => {
      expect(code).toBe(0);
      expect(new Set(calls)).toEqual(new Set(["p1/first", "p3/third"]));
      expect(receipt.skipped).toMatchObject([
        { candidate: { backend: "second" }, reason: expect.stringContaining("window of 300") },
      ]);
    },
  },
  {
    title: "However a provider words it, a prompt over the window is an overflow, asked once",
    scene: {
      scenario: scenario(
        [...overflows.map((message, n) => errorRule(`o${n}/m`, 400, message)), right("p2/second")],
        [...named("o", overflows), "p2/second"],
      ),
      bindings: { ...backendsOf(named("o", overflows)), second: "p2/second" },
    },
    holds: ({ expect, code, receipt, calls, here }) => {
      expect(code).toBe(0);
      expect(endsOf(receipt)).toEqual([...overflows.map(() => "context_overflow"), "ok"]);
      expect(calls).toHaveLength(overflows.length + 1);
      expect(eventsIn(here.root).map(({ type }) => type)).not.toContain("pool_left");
    },
  },
  {
    title: "An empty reply is a failure, for the scout and for the coder, tried twice at most",
    scene: {
      scenario: scenario(
        [
          ...emptyReplies.map((reply, n) => `\n  - { when: { model: e${n}/m }, reply: ${reply} }`),
          scoutRule,
          right("p2/second"),
        ],
        [...emptyModels, "p0/scout", "p2/second"],
      ),
      bindings: { cheap: "p0/scout", ...backendsOf(emptyModels), second: "p2/second" },
      scouts: [...Object.keys(backendsOf(emptyModels)), "cheap"],
    },
    flags: ({ quick }) => [...quick.slice(2), "--max-calls", "30"],
    holds: ({ expect, code, receipt, calls, here }) => {
      expect(code).toBe(0);
      const ends = [...emptyReplies.map(() => "empty_reply"), "ok"];
      expect([endsOf(receipt, "scout"), endsOf(receipt)]).toEqual([ends, ends]);
      expect(calls).toHaveLength(2 * (2 * emptyReplies.length + 1));
      const plans = eventsIn(here.root).filter(({ type }) => type === "plan_ready");
      expect(plans).toHaveLength(1);
    },
  },
  {
    title: "A provider that stays overloaded is asked three times, and each wait is told",
    scene: {
      scenario: scenario([errorRule("p1/first", 529, "Overloaded", "overloaded_error")]),
      bindings: { first: "p1/first" },
    },
    holds: ({ expect, code, receipt, calls, stderr }) => {
      expect({ code, outcome: receipt.outcome }).toEqual({ code: 3, outcome: "exhausted" });
      expect(calls).toHaveLength(3);
      const waits = stderr.split("\n").filter((line) => line.includes("waiting"));
      expect(waits).toHaveLength(2);
      expect(waits[0]).toMatch(/waiting 1(\.0)? s: first \(p1\/first\): overloaded, try 1 of 3 /);
      expect(waits[1]).toMatch(/waiting 2(\.0)? s: first \(p1\/first\): overloaded, try 2 of 3 /);
    },
  },
  {
    title: "A good reply that speaks of limits and errors is a good reply",
    scene: {
      scenario: scenario([
        replyRule(
          "p1/first",
          `The old code ignored the rate limit; error 429 was swallowed.\n\n${rightBlock}`,
        ),
      ]),
    },
    holds: ({ expect, code, calls }) =>
      expect({ code, calls }).toEqual({ code: 0, calls: ["p1/first"] }),
  },
];

const children: readonly Report[] = [
  {
    title: "A pi that has answered and does not end is ended, and its answer taken",
    scene: { scenario: scenario([right("p1/first")]) },
    prepare: (here) =>
      wrappedPi(here, '"$PI" "$@" || exit; case "$*" in *--version*) ;; *) exec sleep 60 ;; esac'),
    holds: ({ expect, code, receipt, calls }) => {
      expect({ code, calls }).toEqual({ code: 0, calls: ["p1/first"] });
      expect(receipt.notes.join("\n")).toContain("pi did not end after its last word");
      expect(receipt.totals.durationMs).toBeLessThan(15_000);
    },
  },
  {
    title: "What a version manager prints around pi is neither reply nor change",
    scene: { scenario: scenario([right("p1/first")]) },
    prepare: (here) =>
      wrappedPi(
        here,
        `case "$*" in *--version*) ;; *)
          echo 'Now using node v22.1.0 (npm v10)'
          printf '=== FILE: src/evil.js ===\\nbad\\n=== END ===\\n' >&2 ;;
        esac
        exec "$PI" "$@"`,
      ),
    holds: ({ expect, code, receipt }) => {
      expect(code).toBe(0);
      expect(receipt.changedFiles).toEqual(["src/math.js"]);
      expect(receipt.notes.join("\n")).toContain("Now using node v22.1.0");
      expect(receipt.notes.join("\n")).toContain("src/evil.js");
    },
  },
  {
    title: "Forced colours reach neither pi nor the file",
    scene: {
      scenario: scenario([
        `\n  - when: { model: p1/first }\n    reply: ${JSON.stringify(`\u001B]0;title\u0007\u001B[2m${rightBlock}\u001B[0m`)}`,
      ]),
    },
    prepare: () => ({ env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" } }),
    holds: ({ expect, code, stdout }) => {
      expect(code).toBe(0);
      expect(stdout).not.toContain("\u001B");
    },
  },
  {
    title: "An open and silent standard input holds nothing up",
    scene: { scenario: scenario([right("p1/first")]) },
    prepare: () => ({
      through: [
        "sh",
        "-c",
        'mkfifo "$HOME/in"; sleep 8 > "$HOME/in" & exec "$0" "$@" < "$HOME/in"',
      ],
    }),
    holds: ({ expect, code, receipt }) => {
      expect(code).toBe(0);
      expect(receipt.totals.durationMs).toBeLessThan(7_000);
    },
  },
  ...["- make add() add\n- keep the export", "--model p9/x"].map((text): Report => ({
    title: `A task like ${JSON.stringify(text)} is a task, and no option of pi`,
    scene: { scenario: scenario([scoutRule, right("p1/first")]) },
    flags: ({ quick }) => quick.slice(2),
    prepare: () => ({ task: text }),
    holds: ({ expect, code, receipt, calls, here }) => {
      expect({ code, calls }).toEqual({ code: 0, calls: ["p0/scout", "p1/first"] });
      expect(receipt.task).toBe(text);
      expect(here.server.requests[0]?.user).toContain(text);
    },
  })),
];

/** Bytes of all files in a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe("falling back", () => {
  testReports(fallbacks);
});
describe("pi as a child", () => {
  testReports(children);
});
