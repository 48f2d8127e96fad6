import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { fileSystem } from "../../../src/changes/transaction/file-system.ts";
import { repoPath } from "../../../src/contracts/index.ts";
import { snapshot } from "../../support/repository.ts";
import { applied, planOf, site } from "./plans.ts";

const isRoot = process.getuid?.() === 0;

describe("a plan that fits", () => {
  test("is carried out file by file, whatever the kind", async () => {
    const { root, transactions } = site({
      "a.txt": "a",
      "b.txt": "b",
      "c/d.txt": "d",
      "e.txt": "e",
    });

    applied(
      await transactions.apply(
        planOf(root, {
          "a.txt": "A",
          "b.txt": null,
          "c/d.txt": "→ c/moved/d.txt",
          "new/deep/f.txt": "f",
          "empty.txt": "",
        }),
      ),
    );

    expect(Object.fromEntries(snapshot(root))).toEqual({
      "a.txt": "file 644 QQ==",
      c: "folder 755",
      "c/moved": "folder 755",
      "c/moved/d.txt": "file 644 ZA==",
      "e.txt": "file 644 ZQ==",
      "empty.txt": "file 644 ",
      new: "folder 755",
      "new/deep": "folder 755",
      "new/deep/f.txt": "file 644 Zg==",
    });
  });

  test("may move files in a circle and put a new one where one was", async () => {
    const { root, transactions } = site({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    const before = snapshot(root);
    const moves = planOf(root, { "a.txt": "→ b.txt", "b.txt": "→ a.txt", "c.txt": "→ d.txt" });
    const create = {
      kind: "create",
      path: repoPath("c.txt"),
      after: Buffer.from("C"),
      mode: 0o644,
    };

    const result = await transactions.apply({
      ...moves,
      operations: [...moves.operations, create as never],
    });

    const texts = ["a.txt", "b.txt", "c.txt", "d.txt"].map((n) =>
      readFileSync(join(root, n), "utf8"),
    );
    expect(texts).toEqual(["b", "a", "C", "c"]);
    await transactions.rollback(applied(result));
    expect(snapshot(root)).toEqual(before);
  });

  test("keeps the permission bits of changed and moved files, set-id bits included", async () => {
    const { root, transactions } = site({ "run.sh": "old", "math.js": "old", tool: "old", m: "m" });
    const modes = { "run.sh": 0o755, "math.js": 0o640, tool: 0o4755, m: 0o600 };
    for (const [name, mode] of Object.entries(modes)) chmodSync(join(root, name), mode);

    const plan = planOf(root, { "run.sh": "new", "math.js": "new", tool: "new", m: "→ n" });
    const result = await transactions.apply(plan);

    const modesOf = (...names: string[]): number[] =>
      names.map((name) => lstatSync(join(root, name)).mode & 0o7777);
    expect(modesOf("run.sh", "math.js", "tool", "n")).toEqual([0o755, 0o640, 0o4755, 0o600]);
    await transactions.rollback(applied(result));
    expect(modesOf("run.sh", "math.js", "tool", "m")).toEqual([0o755, 0o640, 0o4755, 0o600]);
  });

  test.runIf(isRoot)("keeps the owner of changed files where kit may set it", async () => {
    const { root, transactions } = site({ "a.txt": "a" });
    chownSync(join(root, "a.txt"), 12345, 54321);

    const result = await transactions.apply(planOf(root, { "a.txt": "A" }));

    expect(statSync(join(root, "a.txt"))).toMatchObject({ uid: 12345, gid: 54321 });
    await transactions.rollback(applied(result));
    expect(statSync(join(root, "a.txt"))).toMatchObject({ uid: 12345, gid: 54321 });
  });

  test("gives new files the permission bits that the user's umask leaves", async () => {
    const { root, transactions } = site({});
    const plan = planOf(root, { "new.txt": "x" });
    const umask = process.umask(0o027);
    try {
      applied(await transactions.apply(plan));
    } finally {
      process.umask(umask);
    }
    expect(lstatSync(join(root, "new.txt")).mode & 0o777).toBe(0o640);
  });

  test("leaves the times of all other files alone", async () => {
    const { root, transactions } = site({ "a.txt": "a", "b.txt": "b", "c/d.txt": "d" });
    const others = ["b.txt", "c/d.txt"].map((name) => join(root, name));
    for (const file of others) utimesSync(file, 1_000_000, 1_000_000);
    const timesOf = (): bigint[] =>
      others.flatMap((file) => {
        const { mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
        return [mtimeNs, ctimeNs];
      });
    const before = timesOf();

    const result = await transactions.apply(planOf(root, { "a.txt": "A", "c/new.txt": "n" }));
    await transactions.rollback(applied(result));

    expect(timesOf()).toEqual(before);
  });

  test("is recorded where only the user can read it, and leaves nothing else behind", async () => {
    const { root, stateDir, transactions } = site({ "secret.txt": "old secret" });

    const { id } = applied(await transactions.apply(planOf(root, { "secret.txt": "new" })));

    const folder = join(stateDir, "transactions", id);
    expect(readdirSync(folder).toSorted()).toEqual(["applied.json", "pre-images", "room"]);
    expect(readFileSync(join(folder, "pre-images"), "utf8")).toMatch(/^old secretnew/);
    for (const path of ["transactions", `transactions/${id}`]) {
      expect(lstatSync(join(stateDir, path)).mode & 0o777).toBe(0o700);
    }
    expect(lstatSync(join(folder, "pre-images")).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(folder, "applied.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(["secret.txt"]);
  });

  test("does not mind that a file was touched without being changed", async () => {
    const { root, transactions } = site({ "a.txt": "a" });
    const plan = planOf(root, { "a.txt": "A" });
    utimesSync(join(root, "a.txt"), 1, 1);
    expect(await transactions.apply(plan)).toMatchObject({ ok: true });
  });

  test("is carried out and taken back where the system shows no opened descriptors as files", async () => {
    const { root, stateDir } = site({ "src/a.txt": "a", "b.txt": "b" });
    const before = snapshot(root);
    const byName = { ...fileSystem, descriptorFolder: undefined };
    const transactions = openTransactions({ root, stateDir, fileSystem: byName });

    const plan = planOf(root, { "src/a.txt": "A", "b.txt": null, "new/c.txt": "c" });
    const result = applied(await transactions.apply(plan));

    expect([...snapshot(root).keys()]).toEqual(["new", "new/c.txt", "src", "src/a.txt"]);
    await transactions.rollback(result);
    expect(snapshot(root)).toEqual(before);
  });

  test("keeps a change of permission bits that the user made meanwhile", async () => {
    const { root, transactions } = site({ "a.sh": "a" });
    const plan = planOf(root, { "a.sh": "A" });
    chmodSync(join(root, "a.sh"), 0o755);
    applied(await transactions.apply(plan));
    expect(lstatSync(join(root, "a.sh")).mode & 0o777).toBe(0o755);
  });
});
