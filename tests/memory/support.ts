import type { MemoryItem } from "../../src/memory/index.ts";
import type { FinishedRun } from "../../src/memory/index.ts";

/** A sound item of project `p`. */
export function item(id: string, more: Partial<MemoryItem> = {}): MemoryItem {
  return {
    id,
    kind: "knowledge",
    project: "p",
    summary: "s",
    provenance: { sourceType: "workflow", sourceRef: `journal:${id}` },
    authority: "evidence",
    confidence: "probable",
    ...more,
  };
}

/** A run whose first coder failed and whose second one mended `src/cart.js`. */
export function escalatedRun(id: string, more: Partial<FinishedRun> = {}): FinishedRun {
  return {
    id,
    task: "Totals are wrong when a cart is empty",
    outcome: "success",
    finishedAt: "2026-11-30T20:00:00.000Z",
    goal: "cartTotal([]) returns 0",
    changedFiles: ["src/cart.js"],
    attempts: [
      {
        candidate: "cheap (acme/small)",
        ok: false,
        failure: "tests_failed: 1 test is red",
        output: "AssertionError: NaN !== 0\n  at test/cart.test.js:7",
        commands: ["npm test: exit 1"],
        ref: "attempts/coder-1",
      },
      {
        candidate: "strong (acme/large)",
        ok: true,
        commands: ["npm test: exit 0"],
        ref: "attempts/coder-2",
      },
    ],
    commit: "c1",
    baseline: [{ command: "npm test", green: false }],
    ...more,
  };
}
