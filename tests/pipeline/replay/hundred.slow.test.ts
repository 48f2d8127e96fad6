import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { replayRun } from "../../../src/pipeline/index.ts";
import { readRun } from "../../../src/runs/index.ts";
import { play } from "../support.ts";
import { coderReplies, sceneOf, scoutReplies, type Variation } from "./scenes.ts";

const names = (replies: object, most: number): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...Object.keys(replies)), { minLength: 1, maxLength: most });

const variations: fc.Arbitrary<Variation> = fc.record({
  scout: names(scoutReplies, 3),
  coder: names(coderReplies, 6),
  repairs: fc.constantFrom("last" as const, "progress" as const, "off" as const),
  givesPack: fc.boolean(),
  keepFailed: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
});

test("a hundred recorded runs are decided again as they were, to the hash of the tree", async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(variations, async (variation) => {
      const { root, id, outcome } = await play(sceneOf(variation));
      outcomes.set(outcome.outcome, (outcomes.get(outcome.outcome) ?? 0) + 1);
      const run = await readRun(join(root, ".kit", "runs"), id);

      const replayed = await replayRun(run, run.receipt.kitVersion);

      expect(replayed).toMatchObject({ same: true, differences: [], damages: [] });
      expect(replayed).not.toHaveProperty("endsEarly");
    }),
    { numRuns: 100, seed: 7 },
  );
  expect([...outcomes.keys()].toSorted()).toEqual(
    expect.arrayContaining(["exhausted", "no_pack", "success"]),
  );
}, 900_000);
