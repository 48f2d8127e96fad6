import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { type FileSystem, fileSystem } from "../../../src/changes/transaction/file-system.ts";
import { KitError } from "../../../src/contracts/index.ts";
import { snapshot, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { applied, planOf, site } from "./plans.ts";

describe("undoing", () => {
  test("brings every byte back, in another process and long after", async () => {
    const { root, stateDir, transactions } = site({
      "a.txt": "a\r\n",
      "b/c.txt": "c",
      "d.txt": "d",
    });
    chmodSync(join(root, "a.txt"), 0o751);
    const before = snapshot(root);
    const plan = planOf(root, {
      "a.txt": "A",
      "b/c.txt": null,
      "d.txt": "→ e/f/d.txt",
      "n/n.txt": "n",
    });
    const { id } = applied(await transactions.apply(plan));

    const report = await openTransactions({ root, stateDir }).undo(id);

    expect(report).toEqual({
      restored: ["a.txt", "b/c.txt", "d.txt", "e/f/d.txt", "n/n.txt"],
      kept: [],
    });
    expect(snapshot(root)).toEqual(before);
    expect(readdirSync(join(stateDir, "transactions"))).toEqual([]);
  });

  test("leaves each file alone that the user changed since, and keeps what stood there before", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    const plan = planOf(root, { "a.txt": "A", "b.txt": "B", "c.txt": "C", "new.txt": "n" });
    const { id } = applied(await transactions.apply(plan));
    writeFileSync(join(root, "a.txt"), "A and more");
    rmSync(join(root, "b.txt"));
    writeFileSync(join(root, "new.txt"), "n and more");

    const report = await transactions.undo(id);

    const keptAs = (path: string): string => join(stateDir, "kept", id, "before", path);
    expect(report).toEqual({
      restored: ["c.txt"],
      kept: [
        { path: "a.txt", preImage: keptAs("a.txt"), reason: "it was changed since" },
        { path: "b.txt", preImage: keptAs("b.txt"), reason: "it was removed since" },
        { path: "new.txt", reason: "it was changed since" },
      ],
    });
    expect(readFileSync(keptAs("a.txt"), "utf8")).toBe("a");
    expect(readFileSync(keptAs("b.txt"), "utf8")).toBe("b");
    expect(Object.fromEntries(snapshot(root))).toEqual({
      "a.txt": `file 644 ${Buffer.from("A and more").toString("base64")}`,
      "c.txt": `file 644 ${Buffer.from("c").toString("base64")}`,
      "new.txt": `file 644 ${Buffer.from("n and more").toString("base64")}`,
    });
  });

  test("may be repeated for files that were kept, once they hold kit's text again", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a", "b.txt": "b" });
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A", "b.txt": "B" })));
    writeFileSync(join(root, "a.txt"), "mine");
    expect((await transactions.undo(id)).kept).toHaveLength(1);
    writeFileSync(join(root, "a.txt"), "A");

    expect(await transactions.undo(id)).toEqual({ restored: ["a.txt", "b.txt"], kept: [] });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a");
    expect(readdirSync(join(stateDir, "transactions"))).toEqual([]);
  });

  test("a file that already holds its old text again is no obstacle", async () => {
    const { root, transactions } = site({ "a.txt": "a" });
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A", "n.txt": "n" })));
    writeFileSync(join(root, "a.txt"), "a");
    rmSync(join(root, "n.txt"));
    expect(await transactions.undo(id)).toEqual({ restored: ["a.txt", "n.txt"], kept: [] });
  });

  test("removes the folders that kit made, unless something of the user's is in them", async () => {
    const { root, transactions } = site({ "a.txt": "a" });
    const plan = planOf(root, { "made/one/x.txt": "x", "made/two/y.txt": "y" });
    const { id } = applied(await transactions.apply(plan));
    writeFileSync(join(root, "made/two/mine.txt"), "mine");

    await transactions.undo(id);

    expect([...snapshot(root).keys()]).toEqual(["a.txt", "made", "made/two", "made/two/mine.txt"]);
  });

  test("makes a folder again that is gone since a file of it was deleted", async () => {
    const { root, transactions } = site({ "deep/er/a.txt": "a", "b.txt": "b" });
    const before = snapshot(root);
    const { id } = applied(await transactions.apply(planOf(root, { "deep/er/a.txt": null })));
    rmSync(join(root, "deep"), { recursive: true });

    expect(await transactions.undo(id)).toEqual({ restored: ["deep/er/a.txt"], kept: [] });
    expect(snapshot(root)).toEqual(before);
  });

  test("follows no link that was put in a folder's place since", async () => {
    const { root, transactions } = site({ "repo/src/a.txt": "a", "outside/a.txt": "A" });
    const repo = join(root, "repo");
    const there = openTransactions({ root: repo, stateDir: temporaryFolder() });
    const { id } = applied(await there.apply(planOf(repo, { "src/a.txt": "A" })));
    renameSync(join(repo, "src"), join(repo, "mine"));
    symlinkSync("../outside", join(repo, "src"));

    const report = await there.undo(id);

    expect(report).toMatchObject({ restored: [], kept: [{ reason: "src was replaced" }] });
    expect(readFileSync(join(root, "outside/a.txt"), "utf8")).toBe("A");
    expect(readFileSync(join(repo, "mine/a.txt"), "utf8")).toBe("A");
    await expect(transactions.recover()).resolves.toEqual({ recovered: [], unsettled: [] });
  });

  test("leaves a folder or a link alone that stands where kit's file stood", async () => {
    const { root, transactions } = site({ "a.txt": "a", "b.txt": "b" });
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A", "b.txt": "B" })));
    for (const name of ["a.txt", "b.txt"]) rmSync(join(root, name));
    mkdirSync(join(root, "a.txt"));
    symlinkSync("elsewhere", join(root, "b.txt"));
    const before = snapshot(root);

    const report = await transactions.undo(id);

    expect(report.kept.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(snapshot(root)).toEqual(before);
  });

  test("works in a tree that was moved as a whole", async () => {
    const outer = temporaryFolder();
    writeFiles(outer, { "old/a.txt": "a", "old/.git/HEAD": "x" });
    const place = (name: string) => ({
      root: join(outer, name),
      stateDir: join(outer, name, ".git/kit"),
    });
    const plan = planOf(join(outer, "old"), { "a.txt": "A" });
    const { id } = applied(await openTransactions(place("old")).apply(plan));
    renameSync(join(outer, "old"), join(outer, "moved"));

    await openTransactions(place("moved")).undo(id);

    expect(readFileSync(join(outer, "moved/a.txt"), "utf8")).toBe("a");
  });

  test.for(["nothing", "", "../../etc", "a/b", "x".repeat(65)])(
    "an id that names no transaction is an error: %s",
    async (id) => {
      const { transactions } = site({});
      await expect(transactions.undo(id)).rejects.toMatchObject({
        name: "KitError",
        kind: "not_found",
      });
    },
  );

  test("a record that this kit cannot read is an error with the file's name, and nothing is touched", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a" });
    writeFiles(stateDir, { "transactions/t1/applied.json": '{"version": 2}' });
    await expect(transactions.undo("t1")).rejects.toThrow(KitError);
    await expect(transactions.undo("t1")).rejects.toThrow(/transactions\/t1\/applied\.json/);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a");
    const { unsettled } = await transactions.recover();
    expect(unsettled).toMatchObject([
      { id: "t1", reason: expect.stringContaining("not a transaction") },
    ]);
  });

  test("keeps the mode that the user gave a file meanwhile", async () => {
    const { root, transactions } = site({ "a.sh": "a" });
    const change = applied(await transactions.apply(planOf(root, { "a.sh": "A" })));
    chmodSync(join(root, "a.sh"), 0o755);

    expect(await transactions.rollback(change)).toEqual({ restored: ["a.sh"], kept: [] });

    expect(readFileSync(join(root, "a.sh"), "utf8")).toBe("a");
    expect(statSync(join(root, "a.sh")).mode & 0o7777).toBe(0o755);
  });

  test("a record of another user's is not acted on", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a" });
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A" })));
    const foreign: FileSystem = {
      ...fileSystem,
      async lstat(file) {
        const stat = await fileSystem.lstat(file);
        return file.endsWith("applied.json") ? { ...stat, uid: stat.uid + 1 } : stat;
      },
    };

    const report = await openTransactions({ root, stateDir, fileSystem: foreign }).recover();

    expect(report.unsettled).toMatchObject([
      { id, reason: expect.stringContaining("belongs to another user") as string },
    ]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("A");
  });

  test("damaged pre-images are never written into the tree", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a" });
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A" })));
    writeFileSync(join(stateDir, "transactions", id, "pre-images"), "x");
    await expect(transactions.undo(id)).rejects.toThrow("damaged");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("A");
  });
});

describe("discarding", () => {
  test("forgets an applied transaction, its pre-images and what was kept of it", async () => {
    const { root, stateDir, transactions } = site({ "deep/a.txt": "a", "b.txt": "b" });
    const plan = planOf(root, { "deep/a.txt": "A", "b.txt": "B" });
    const { id } = applied(await transactions.apply(plan));
    writeFileSync(join(root, "deep/a.txt"), "mine");
    await transactions.undo(id);

    await transactions.discard(id);

    expect(readdirSync(join(stateDir, "transactions"))).toEqual([]);
    expect(existsSync(join(stateDir, "kept", id))).toBe(false);
    await expect(transactions.undo(id)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("does nothing for an id that is unknown, and refuses one that is unfinished", async () => {
    const { stateDir, transactions } = site({});
    await expect(transactions.discard("unknown")).resolves.toBeUndefined();
    writeFiles(stateDir, { "transactions/t1/journal.json": "{}" });
    await expect(transactions.discard("t1")).rejects.toMatchObject({ kind: "conflict" });
  });
});

test("recovering where there is nothing to do writes nothing at all", async () => {
  const root = temporaryFolder();
  const transactions = openTransactions({ root, stateDir: join(root, ".git/kit") });
  expect(await transactions.recover()).toEqual({ recovered: [], unsettled: [] });
  expect(snapshot(root, [])).toEqual(new Map());
});

describe("a change that was applied and not yet accepted", () => {
  test("is taken back by recovery: its process died before anybody judged it", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a" });
    const before = snapshot(root);
    const { id } = applied(await transactions.apply(planOf(root, { "a.txt": "A", "n.txt": "n" })));

    const report = await openTransactions({ root, stateDir }).recover();

    expect(report).toEqual({
      recovered: [
        {
          id,
          ended: "rolled_back",
          stood: true,
          report: { restored: ["a.txt", "n.txt"], kept: [] },
        },
      ],
      unsettled: [],
    });
    expect(snapshot(root)).toEqual(before);
  });

  test("stays once it is accepted, and can still be undone", async () => {
    const { root, stateDir, transactions } = site({ "a.txt": "a" });
    const result = applied(await transactions.apply(planOf(root, { "a.txt": "A" })));
    await transactions.accept(result);
    await transactions.accept(result);
    const later = openTransactions({ root, stateDir });

    expect(await later.recover()).toEqual({ recovered: [], unsettled: [] });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("A");
    expect(await later.undo(result.id)).toEqual({ restored: ["a.txt"], kept: [] });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a");
  });

  test("goes before the one it was built upon", async () => {
    const { root, stateDir } = site({ "a.txt": "0" });
    for (const [id, text] of Object.entries({ z1: "1", a2: "2", m3: "3" })) {
      const transactions = openTransactions({ root, stateDir, newId: () => id });
      applied(await transactions.apply(planOf(root, { "a.txt": text })));
    }

    const { recovered } = await openTransactions({ root, stateDir }).recover();

    expect(recovered.map(({ id }) => id)).toEqual(["m3", "a2", "z1"]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("0");
  });
});
