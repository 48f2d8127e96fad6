import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  budgetOf,
  isOverBudget,
  measurePack,
  profileTokens,
  prunePack,
} from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { hostileVersion2 } from "./hostile.ts";
import { pack } from "./support.ts";

const item = (id: string, authority: string) => ({
  id,
  kind: "evidence",
  authority,
  summary: "x".repeat(80),
  source: "s",
});

const rich = pack({
  version: 2,
  relevantFiles: [{ path: "src/math.js", reason: "r".repeat(80) }],
  contextItems: [
    item("p", "policy"),
    item("h1", "hypothesis"),
    item("h2", "hypothesis"),
    item("e", "evidence"),
  ],
  relevantSnippets: [
    { path: "short", content: "s".repeat(80) },
    { path: "long", lines: "1-2", content: `${"l".repeat(40)}\n`.repeat(10) },
  ],
  progress: ["p".repeat(80)],
  decisions: [{ choice: "d".repeat(80), because: "b" }],
  observedErrors: ["e".repeat(80)],
  previousAttempts: [{ summary: "a".repeat(80) }],
});

test("a profile's figure is allowed, one more is over", () => {
  expect(profileTokens).toEqual({ simple: 500, complex: 1_500, handoff: 2_000, coder: 6_000 });
  expect([isOverBudget(2_000, 2_000), isOverBudget(2_001, 2_000)]).toEqual([false, true]);
});

test("the budget is the pack's own, else its profile's, else the coder's", () => {
  expect(budgetOf(pack({ budget: { profile: "simple", maxTokens: 7 } }))).toBe(7);
  expect(budgetOf(pack({ budget: { profile: "simple" } }))).toBe(500);
  expect(budgetOf(pack())).toBe(6_000);
});

test("files beside the pack count", () => {
  expect(measurePack(pack(), ["x ".repeat(100), "日本"])).toBe(measurePack(pack()) + 102);
});

describe("pruning", () => {
  test("goes in one order, a warning for every cut", () => {
    const { cuts, isOver } = prunePack(rich, { maxTokens: 1 });

    expect(isOver).toBe(true);
    expect(cuts).toEqual([
      "context item h2 left out",
      "context item h1 left out",
      "context item e left out",
      "context item p left out",
      "snippet of long cut to lines 1-2",
      "snippet of long (lines 1-2) left out",
      "snippet of short left out",
      `progress left out: ${"p".repeat(60)}`,
      `decision left out: ${"d".repeat(60)}`,
      "reason of src/math.js left out",
    ]);
  });

  test("stops as soon as the pack fits", () => {
    const size = measurePack(rich);

    const once = prunePack(rich, { maxTokens: size - 1 });
    const untouched = prunePack(rich, { maxTokens: size });

    expect(once.cuts).toEqual(["context item h2 left out"]);
    expect(once.pack.contextItems?.map(({ id }) => id)).toEqual(["p", "h1", "e"]);
    expect(untouched).toEqual({ pack: rich, cuts: [], tokens: size, isOver: false });
  });

  test("counts the files in the same prompt", () => {
    const size = measurePack(rich);

    expect(prunePack(rich, { maxTokens: size, fileTokens: 10 }).tokens).toBeLessThanOrEqual(size);
  });

  test("fits any pack or keeps only what may never be cut", () => {
    const kept = [
      "task",
      "goal",
      "constraints",
      "successCriteria",
      "previousAttempts",
      "observedErrors",
      "testCommands",
      "repoRules",
      "scope",
    ] as const satisfies (keyof ContextPack)[];
    fc.assert(
      fc.property(hostileVersion2, fc.integer({ min: 1, max: 400 }), (whole, maxTokens) => {
        const pruned = prunePack(whole, { maxTokens });

        expect(pruned.isOver).toBe(measurePack(pruned.pack) > maxTokens);
        for (const key of kept) expect(pruned.pack[key]).toEqual(whole[key]);
        expect(pruned.pack.relevantFiles.map(({ path }) => path)).toEqual(
          whole.relevantFiles.map(({ path }) => path),
        );
        if (pruned.isOver) {
          const { contextItems, relevantSnippets, progress, decisions } = pruned.pack;
          expect([contextItems, relevantSnippets, progress, decisions]).toEqual([
            undefined,
            undefined,
            undefined,
            undefined,
          ]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
