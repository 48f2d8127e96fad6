import { describe, expect, test } from "vitest";
import type { CallResult, Candidate, Failure } from "../../src/contracts/index.ts";
import { openMemoryLedger } from "../../src/routing/index.ts";
import {
  candidate,
  fileBlock,
  fixedMath,
  mathPack,
  play,
  type Played,
  redRepository,
  type Scene,
} from "./support.ts";

const a = candidate("p1/a");
const b = candidate("p2/b");
const c = candidate("p3/c");
const right = fileBlock("src/math.js", fixedMath);
const failed = (failure: Failure): CallResult => ({ ok: false, failure });
const spent = failed({ kind: "usage_limit", message: "spent" });
const minute = 60_000;

function run(scene: Omit<Scene, "pack">): Promise<Played> {
  return play({ pack: mathPack, ...scene });
}

function asked({ calls }: Played): string[] {
  return calls.map((call) => call.candidate);
}

function skipped({ events }: Played): unknown[] {
  return events.filter((event) => event.type === "candidate_skipped");
}

/** A ledger in which another run has met a limit of each of these. */
async function ledgerAfter(limits: readonly (readonly [Candidate, Failure])[]) {
  const ledger = await openMemoryLedger(() => Date.now());
  for (const [each, failure] of limits) {
    const admission = ledger.reserve(each, minute);
    if (admission.kind === "go") admission.flight.finish(failed(failure));
  }
  return ledger;
}

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe("an account that another run found spent", () => {
  test("is left until its reset, and the report says until when", async () => {
    const resetAt = inMs(30 * minute);
    const ledger = await ledgerAfter([[a, { kind: "usage_limit", message: "", resetAt }]]);
    const played = await run({ ledger, coder: [a, b], answer: () => right });
    expect(asked(played)).toEqual(["p2/b"]);
    expect(skipped(played)).toMatchObject([
      { candidate: { model: "a" }, reason: "quota pool p1/a is spent", until: resetAt },
    ]);
  });

  test("for less than a minute is waited for", async () => {
    const clock = { at: Date.now() };
    const ledger = await openMemoryLedger(() => clock.at);
    const admission = ledger.reserve(a, minute);
    const short: Failure = { kind: "rate_limit", message: "", retryAfterMs: 8_000 };
    if (admission.kind === "go") admission.flight.finish(failed(short));
    const waits = {
      ...ledger,
      reserve: (...given: Parameters<typeof ledger.reserve>) => {
        const result = ledger.reserve(...given);
        clock.at += 4_000;
        return result;
      },
    };
    const played = await run({ ledger: waits, coder: [a, b], answer: () => right });
    expect(asked(played)).toEqual(["p1/a"]);
    expect(played.waitedMs).toBeGreaterThan(0);
  });

  test("with all the others ends the run at once, with exit 3, and says when each returns", async () => {
    const first = inMs(20 * minute);
    const ledger = await ledgerAfter([
      [a, { kind: "usage_limit", message: "", resetAt: inMs(90 * minute) }],
      [b, { kind: "usage_limit", message: "", resetAt: first }],
    ]);
    const played = await run({ ledger, coder: [a, b], answer: () => right });
    expect(asked(played)).toEqual([]);
    expect(played.outcome).toMatchObject({
      outcome: "no_model",
      exitCode: 3,
      failure: { kind: "usage_limit", resetAt: first },
    });
    expect(played.outcome.failure?.message).toMatch(/p1\/a .*until .*; p2\/b .*until /);
    expect(played.events.at(-1)).toMatchObject({
      error: { next: expect.stringContaining("kit run --wait") as string },
    });
  });
});

describe("accounts that are all spent", () => {
  const afterAnHour: Scene["answer"] = ({ candidate: name, nth }) =>
    name === "p1/a" && nth === 1 ? spent : name === "p2/b" ? spent : right;

  test("are waited for where that was asked, and the first to return is asked again", async () => {
    const played = await run({
      coder: [a, b],
      limits: { waitMs: 2 * 60 * minute },
      answer: afterAnHour,
    });
    expect(asked(played)).toEqual(["p1/a", "p2/b", "p1/a"]);
    expect(played.outcome.outcome).toBe("success");
    expect(played.waitedMs).toBeGreaterThan(59 * minute);
  });

  test("are not waited for longer than was asked", async () => {
    const played = await run({
      coder: [a, b],
      limits: { waitMs: 30 * minute },
      answer: afterAnHour,
    });
    expect(asked(played)).toEqual(["p1/a", "p2/b"]);
    expect(played.outcome).toMatchObject({ outcome: "exhausted", exitCode: 3 });
    expect(played.waitedMs).toBe(0);
  });
});

describe("a model that another run could not reach a moment ago", () => {
  test("is asked after the others, not left out", async () => {
    const ledger = await openMemoryLedger(() => Date.now());
    const other = await openMemoryLedger(() => Date.now());
    other.note(a, { kind: "overloaded", message: "503" });
    const soft = {
      ...ledger,
      askedLast: (each: Candidate) =>
        each === a
          ? {
              scope: "candidate" as const,
              name: "a",
              failure: "overloaded" as const,
              until: Date.now() + minute,
              told: false,
            }
          : undefined,
    };
    const played = await run({
      ledger: soft,
      coder: [a, b],
      answer: ({ candidate: name }) => (name === "p1/a" ? right : spent),
    });
    expect(asked(played)).toEqual(["p2/b", "p1/a"]);
  });
});

describe("a ladder", () => {
  const ladder = {
    name: "code",
    routes: [
      { capability: "deep-code", candidates: [a, b], skipped: [] },
      { capability: "deepest-code", candidates: [c], skipped: [] },
    ],
  };
  const wrong = ({ candidate: name }: { candidate: string }): string =>
    fileBlock("src/math.js", `// ${name}\n`);

  test("is climbed when the route has nobody left, rung by rung, and each climb is recorded", async () => {
    const played = await run({
      coder: [a],
      ladder,
      answer: (call) => (call.candidate === "p3/c" ? right : wrong(call)),
    });
    expect(asked(played)).toEqual(["p1/a", "p2/b", "p3/c"]);
    expect(played.outcome.outcome).toBe("success");
    expect(played.events.filter((event) => event.type === "climbed")).toMatchObject([
      { ladder: "code", from: "strong-code", to: "deep-code" },
      { from: "deep-code", to: "deepest-code" },
    ]);
    const capabilities = played.events.flatMap((event) =>
      event.type === "attempt_started" ? [event.capability] : [],
    );
    expect(capabilities).toEqual(["strong-code", "deep-code", "deepest-code"]);
  });

  test("is not climbed by an agent that names none, nor after a success", async () => {
    const without = await run({ coder: [a], answer: wrong });
    const green = await run({ coder: [a], ladder, answer: () => right });
    expect([without, green].flatMap(({ events }) => events.map(({ type }) => type))).not.toContain(
      "climbed",
    );
  });

  test("counts its attempts with those of the route", async () => {
    const played = await run({ coder: [a], ladder, limits: { maxAttempts: 2 }, answer: wrong });
    expect(asked(played)).toEqual(["p1/a", "p2/b"]);
    expect(played.outcome.nextCandidate?.backend).toBe("p3/c");
  });
});

describe("a prompt over the window", () => {
  const pack = {
    ...mathPack,
    relevantSnippets: [{ path: "src/math.js", content: "// a line of the file\n".repeat(400) }],
  };

  test("is trimmed for the same candidate where no larger window is left, once", async () => {
    const overflow = failed({ kind: "context_overflow", message: "too long" });
    const played = await play({
      pack,
      coder: [candidate("p1/a", { contextWindow: 50_000 })],
      answer: ({ nth }) => (nth === 1 ? overflow : right),
    });
    expect(played.outcome.outcome).toBe("success");
    const [first, second] = played.calls.map(({ prompt }) => prompt.length);
    expect(second).toBeLessThan((first ?? 0) * 0.7);
    const stubborn = await play({ pack, coder: [a], answer: () => overflow });
    expect(asked(stubborn)).toEqual(["p1/a", "p1/a"]);
  });
});

describe("edits that never fit", () => {
  const long = `${redRepository["src/math.js"]}${"// padding\n".repeat(300)}`;
  const mended = fileBlock("src/math.js", long.replace("a - b", "a + b"));
  const misfit =
    "=== EDIT: src/math.js ===\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n=== END ===\n";
  const files = { ...redRepository, "src/math.js": long };

  test("are asked for once more, then as whole files, then the next candidate is asked", async () => {
    const saved = await run({
      files,
      coder: [a],
      answer: ({ nth }) =>
        nth < 3 ? misfit : fileBlock("src/math.js", long.replace("a - b", "a + b")),
    });
    expect(saved.outcome.outcome).toBe("success");
    expect(
      saved.calls.map(({ prompt }) => /src\/math\.js: (as EDIT|whole)/.exec(prompt)?.[1]),
    ).toEqual(["as EDIT", "as EDIT", "whole"]);
    const lost = await run({
      files,
      coder: [a, b],
      answer: ({ candidate: name }) => (name === "p1/a" ? misfit : mended),
    });
    expect(asked(lost)).toEqual(["p1/a", "p1/a", "p1/a", "p2/b"]);
  });
});

describe("repairs", () => {
  const counted = "node check.js";
  const files = {
    "src/math.js": "export const add = 0;\nexport const sub = 0;\n",
    "check.js":
      "const fs = require('fs'); const s = fs.readFileSync('src/math.js', 'utf8'); const n = (s.match(/= 0/g) ?? []).length;\nconsole.log(`Tests:       ${n} failed, ${2 - n} passed, 2 total`); process.exit(n ? 1 : 0);\n",
  };
  const half = fileBlock("src/math.js", "export const add = 1;\nexport const sub = 0;\n");
  const whole = fileBlock("src/math.js", "export const add = 1;\nexport const sub = 1;\n");

  test("with progress are for whoever left fewer tests red, the last one or not", async () => {
    const played = await run({
      files,
      test: counted,
      coder: [a, b],
      options: { repairs: "progress" },
      answer: ({ candidate: name, nth }) => (name === "p1/a" && nth === 2 ? whole : half),
    });
    expect(asked(played)).toEqual(["p1/a", "p1/a"]);
    expect(played.outcome.outcome).toBe("success");
  });

  test("with progress are not for the last one that left as many red", async () => {
    const same = fileBlock("src/math.js", "export const add = 0; //\nexport const sub = 0;\n");
    const played = await run({
      files,
      test: counted,
      coder: [a],
      options: { repairs: "progress" },
      answer: () => same,
    });
    expect(asked(played)).toEqual(["p1/a"]);
  });
});

describe("budgets", () => {
  const priced = { price: { input: 1, output: 2 }, contextWindow: 4_000 };
  const [cheap, dear] = [
    candidate("p1/a", priced),
    candidate("p2/b", { ...priced, price: { input: 100, output: 500 } }),
  ];
  const wrong: Scene["answer"] = ({ candidate: name }) => ({
    ok: true,
    text: fileBlock("src/math.js", `// ${name}\n`),
    servedBy: name,
    usage: { input: 900, output: 100 },
    costUsd: 0.0011,
  });

  test("in dollars end the run before the call that would go over", async () => {
    const played = await run({
      coder: [cheap, dear],
      limits: { budgetUsd: 0.05 },
      answer: wrong,
    });
    expect(asked(played)).toEqual(["p1/a"]);
    expect(played.outcome).toMatchObject({
      outcome: "stopped",
      exitCode: 1,
      failure: { kind: "budget", message: expect.stringMatching(/\$0\.0011 spent/) as string },
    });
  });

  test("in tokens count a reply that is of no use", async () => {
    const played = await run({
      coder: [cheap, dear],
      limits: { budgetTokens: 3_000 },
      answer: () => ({
        ok: true,
        text: "prose",
        servedBy: "p1/a",
        usage: { input: 2_000, output: 500 },
      }),
    });
    expect(asked(played)).toEqual(["p1/a"]);
    expect(played.outcome.failure).toMatchObject({ kind: "budget" });
  });

  test("in tokens count what nobody reported by what is likely, and a refused call not at all", async () => {
    const played = await run({
      coder: [cheap, dear],
      limits: { budgetTokens: 2_500 },
      answer: ({ candidate: name }) =>
        name === "p1/a" ? failed({ kind: "auth", message: "401" }) : right,
    });
    expect(asked(played)).toEqual(["p1/a", "p2/b"]);
    const unreported = await run({
      coder: [cheap, dear],
      limits: { budgetTokens: 2_500 },
      answer: () => fileBlock("src/math.js", "//\n"),
    });
    expect(asked(unreported)).toEqual(["p1/a"]);
  });

  test("in time of a step end the run, too", async () => {
    const played = await run({
      coder: [cheap, dear],
      limits: { stepTimeoutMs: 5_000 },
      answer: ({ candidate: name }) =>
        name === "p1/a"
          ? failed({ kind: "rate_limit", message: "slow down", retryAfterMs: 6_000 })
          : right,
    });
    expect(asked(played)).toEqual(["p1/a"]);
    expect(played.outcome.failure).toMatchObject({
      kind: "deadline",
      message: expect.stringContaining("--step-timeout") as string,
    });
  });
});
