import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePack, renderPack, shrinkPack } from "../../src/context-pack/index.ts";
import { hostileVersion2 } from "./hostile.ts";
import { pack } from "./support.ts";

const progress = Array.from({ length: 40 }, (_, nth) => `step ${nth} of the long way is done`);

test("a pack that fits is told what kit computes", () => {
  const { pack: shrunk, ...result } = shrinkPack(pack({ budget: { maxTokens: 2_000 }, progress }));

  expect(result).toMatchObject({ cuts: [], isOver: false });
  expect(shrunk).toMatchObject({ completeness: "minimal", tokenEstimate: result.tokens });
  expect(shrunk.warnings).toBeUndefined();
});

test("warnings stand in the pack where there is room, else one speaks for all", () => {
  const snippet = { path: "src/math.js", content: "const one = 1;\n".repeat(200) };
  const roomy = shrinkPack(pack({ budget: { maxTokens: 400 }, relevantSnippets: [snippet] }));
  const narrow = shrinkPack(pack({ budget: { maxTokens: 300 }, progress }));

  expect(roomy.pack.warnings).toEqual(["snippet of src/math.js left out"]);
  expect(narrow.pack.warnings).toEqual([
    `${narrow.cuts.length} part(s) left out to fit 300 tokens`,
  ]);
  expect(narrow.pack.progress?.length).toBeGreaterThan(10);
  for (const { tokens, isOver } of [roomy, narrow]) {
    expect(isOver).toBe(false);
    expect(tokens).toBeLessThanOrEqual(400);
  }
});

test("what may never be cut stays, also where that is too much", () => {
  const full = pack({ budget: { maxTokens: 20 }, progress: ["half done"] });

  const { isOver, cuts, pack: shrunk } = shrinkPack(full);

  expect({ isOver, cuts }).toEqual({ isOver: true, cuts: ["progress left out: half done"] });
  expect(shrunk).toMatchObject({
    task: full.task,
    goal: full.goal,
    relevantFiles: full.relevantFiles,
  });
});

test("whatever the pack, it ends within the budget or says that it cannot, and can be read", () => {
  fc.assert(
    fc.property(hostileVersion2, fc.integer({ min: 1, max: 600 }), (full, maxTokens) => {
      const shrunk = shrinkPack({ ...full, budget: { maxTokens } });

      expect(shrunk.isOver).toBe(shrunk.tokens > maxTokens);
      expect(parsePack(renderPack(shrunk.pack), { mode: "strict" }).ok).toBe(true);
    }),
    { numRuns: 150 },
  );
});
