import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { forEachAtOnce } from "../../../src/changes/transaction/concurrency.ts";
import { temporaryFolder } from "../../support/repository.ts";
import { expectRecovered, runKilled, spread, twoStates } from "./crash.ts";
import { makeTree, planTwenty } from "./twenty-files.ts";

test("killed at three hundred points of applying twenty files, the tree is all old or all new", async () => {
  const states = await twoStates();
  const { effects } = await runKilled("apply", makeTree(temporaryFolder()), 0);
  const points = spread(1, effects, 300);
  expect(new Set(points).size).toBe(300);
  const ends: string[] = [];
  await forEachAtOnce(points, availableParallelism(), async (killAt) => {
    const tree = makeTree(temporaryFolder());
    await runKilled("apply", tree, killAt);
    ends.push(await expectRecovered(tree, states));
  });
  expect(new Set(ends)).toEqual(new Set(["old", "new"]));
});

test("killed again at sixty points of recovering, and of undoing, the next recovery finishes", async () => {
  const states = await twoStates();
  const ends: string[] = [];
  await forEachAtOnce(spread(1, 260, 60), availableParallelism(), async (killAt) => {
    const tree = makeTree(temporaryFolder());
    await runKilled("apply", tree, "link:17");
    await runKilled("recover", tree, killAt);
    ends.push(await expectRecovered(tree, states));
  });
  await forEachAtOnce(spread(1, 400, 60), availableParallelism(), async (killAt) => {
    const tree = makeTree(temporaryFolder());
    const transactions = openTransactions({ ...tree, newId: () => "t1" });
    const result = await transactions.apply(planTwenty());
    if (killAt % 2 === 0 && result.ok) await transactions.accept(result.applied);
    await runKilled("undo", tree, killAt);
    ends.push(await expectRecovered(tree, states));
  });
  expect(ends).toHaveLength(120);
});
