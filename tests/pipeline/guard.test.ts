import { describe, expect, test } from "vitest";
import type { Adapter, CallResult } from "../../src/contracts/index.ts";
import { createCaller } from "../../src/pipeline/calls.ts";
import { openMemoryLedger } from "../../src/routing/index.ts";
import { candidate, fileBlock, mathPack, play } from "./support.ts";

describe("a prompt that a candidate has answered", () => {
  /** Sends one prompt twice; the first time the adapter gives `first`. */
  async function sendTwice(first: CallResult): Promise<readonly string[]> {
    const good: CallResult = { ok: true, text: "reply", servedBy: "p1/a" };
    const results = [first, good];
    const adapter: Adapter = {
      name: "scripted",
      check: () => Promise.resolve({ program: "scripted", version: "1" }),
      models: () => Promise.resolve([]),
      call: () => Promise.resolve(results.shift() ?? good),
    };
    const caller = createCaller({
      adapters: new Map([["scripted", adapter]]),
      ledger: await openMemoryLedger(Date.now),
      limits: {
        maxAttempts: 3,
        maxCalls: 12,
        callTimeoutMs: 1_000,
        callIdleTimeoutMs: 1_000,
        retryWaitMs: 1,
        gateTimeoutMs: 1,
        baselineWaitMs: 1,
      },
      clock: { now: Date.now, sleep: () => Promise.resolve() },
      signal: new AbortController().signal,
      record: {
        id: "run",
        folder: "",
        emit: () => Promise.resolve(),
        object: () => "",
        observe: (_key, look) => look(),
        step: (_key, _hash, effect) => effect(),
        recall: () => Promise.resolve(undefined),
        before: [],
      },
    });
    const turn = {
      step: "coder",
      attempt: 1,
      candidate: candidate("p1/a"),
      systemPrompt: "You are the coder.",
      prompt: "Mend it.",
      othersWait: false,
    } as const;
    const sent = [await caller.send(turn), await caller.send(turn)];
    return sent.map((result) => (result.ok ? "ok" : result.failure.kind));
  }

  test("is never sent to it again", async () => {
    expect(await sendTwice({ ok: true, text: "usable", servedBy: "p1/a" })).toEqual([
      "ok",
      "repeat",
    ]);
  });

  test("without usable text may be sent once more", async () => {
    const empty = { kind: "empty_reply", message: "" } as const;
    expect(await sendTwice({ ok: false, failure: empty })).toEqual(["empty_reply", "ok"]);
  });
});

test("what was tried grows by a bounded entry an attempt, in order, with the last error in full", async () => {
  const names = ["p1/a", "p2/b", "p3/c", "p4/d", "p5/e"];
  const { calls, outcome } = await play({
    files: {
      "src/math.js": "export const add = (a, b) => a - b;\n",
      "check.sh":
        'grep -q \'a + b\' src/math.js && exit 0\nfor i in $(seq 3000); do echo "noise $i .............................."; done\necho "AssertionError: NEEDLE $(tail -1 src/math.js)"\nexit 1\n',
    },
    pack: mathPack,
    coder: names.map((name) => candidate(name)),
    limits: { maxAttempts: 5 },
    answer: ({ candidate: name }) =>
      fileBlock("src/math.js", name === "p5/e" ? "a + b\n" : `tried by ${name}\n`),
  });
  expect(outcome.outcome).toBe("success");
  const prompts = calls.map(({ prompt }) => prompt);
  expect(new Set(prompts).size).toBe(5);
  expect((prompts[4]?.length ?? 0) - (prompts[0]?.length ?? 0)).toBeLessThan(100_000);
  expect(prompts[1]).toContain("NEEDLE tried by p1/a");
  const told = [...(prompts[4] ?? "").matchAll(/coder on (\S+) .*?tests_failed/g)];
  expect(told.map(([, name]) => name)).toEqual(names.slice(0, 4));
});
