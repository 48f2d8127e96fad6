import { availableParallelism } from "node:os";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { forEachAtOnce } from "../../../src/changes/transaction/concurrency.ts";
import { snapshot, temporaryFolder } from "../../support/repository.ts";
import { expectRecovered, runKilled, spread, twoStates } from "./crash.ts";
import { makeTree, planTwenty, recordStates } from "./twenty-files.ts";

describe("a process killed with SIGKILL", () => {
  test("at twenty points of applying twenty files leaves a tree that recovery makes all old or all new", async () => {
    const states = await twoStates();
    const { effects } = await runKilled("apply", makeTree(temporaryFolder()), 0);
    const ends: string[] = [];
    // Most effects only read; the change itself happens in the later half.
    const points = spread(Math.floor(effects / 3), effects, 20);
    await forEachAtOnce(points, availableParallelism(), async (killAt) => {
      const tree = makeTree(temporaryFolder());
      expect(await runKilled("apply", tree, killAt)).toMatchObject({ killed: true });
      ends.push(await expectRecovered(tree, states));
    });
    expect(new Set(ends)).toEqual(new Set(["old", "new"]));
  });

  test.each([
    ["of what was accepted", ["undoing"], "undone"],
    ["of what nobody had accepted", ["applied"], "rolled_back"],
  ] as const)("while undoing %s leaves what recovery finishes", async (_, states, ended) => {
    const tree = makeTree(temporaryFolder());
    const before = snapshot(tree.root);
    const transactions = openTransactions({ ...tree, newId: () => "t1" });
    const result = await transactions.apply(planTwenty());
    if (ended === "undone" && result.ok) await transactions.accept(result.applied);

    expect(await runKilled("undo", tree, "link:5")).toMatchObject({ killed: true });
    expect(recordStates(tree.stateDir)).toEqual(states);
    const { recovered } = await openTransactions(tree).recover();

    expect(recovered).toMatchObject([{ id: "t1", ended, report: { kept: [] } }]);
    expect(snapshot(tree.root)).toEqual(before);
    expect(recordStates(tree.stateDir)).toEqual([]);
  });

  test("then leaves alone what the user saved before the next command, and says so", async () => {
    const tree = makeTree(temporaryFolder());
    const before = snapshot(tree.root);
    expect(await runKilled("apply", tree, "link:9")).toMatchObject({ killed: true });
    expect(recordStates(tree.stateDir)).toEqual(["journal"]);
    writeFileSync(join(tree.root, "f0.txt"), "typed by the user\n");

    const { recovered } = await openTransactions(tree).recover();

    const [kept] = recovered[0]?.report.kept ?? [];
    expect(kept).toMatchObject({ path: "f0.txt", reason: "it was changed since" });
    expect(readFileSync(kept?.preImage ?? "", "utf8")).toContain("as the user left it");
    const now = snapshot(tree.root);
    expect(now.get("f0.txt")).toContain(Buffer.from("typed by the user\n").toString("base64"));
    now.delete("f0.txt");
    before.delete("f0.txt");
    expect(now).toEqual(before);
  });
});
