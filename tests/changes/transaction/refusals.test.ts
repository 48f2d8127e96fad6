import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { renameSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { fileSystem, type FileSystem } from "../../../src/changes/transaction/file-system.ts";
import { repoPath } from "../../../src/contracts/index.ts";
import { acquireLock } from "../../../src/lib/lock.ts";
import { snapshot, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { hindrances } from "./hindrances.ts";
import { planOf, refused, site } from "./plans.ts";

describe("nothing at all is changed where there is", () => {
  test.for(Object.entries(hindrances))("%s", async ([, { wish, put, kind, says }]) => {
    const outer = temporaryFolder();
    const root = join(outer, "repo");
    writeFiles(outer, { "repo/src/a.js": "a", "repo/other.js": "o", "outside/victim.txt": "v" });
    const plan = planOf(root, { "other.js": "O", ...wish, "zzz/new.txt": "new" });
    put(root);
    onTestFinished(() => makeRemovable(join(root, "src")));
    const before = snapshot(outer);

    const transactions = openTransactions({ root, stateDir: temporaryFolder() });
    const failure = refused(await transactions.apply(plan));

    expect(failure).toMatchObject({ kind, message: `${says} Nothing was changed.` });
    expect(snapshot(outer)).toEqual(before);
  });
});

test("a folder that was moved away and replaced is found out where addresses go by name", async () => {
  const outer = temporaryFolder();
  const root = join(outer, "repo");
  writeFiles(outer, { "repo/src/a.js": "a", "outside/a.js": "a" });
  const before = snapshot(join(outer, "outside"));
  let opened = 0;
  const byName: FileSystem = {
    ...fileSystem,
    descriptorFolder: undefined,
    open: async (file, flags, mode) => {
      const result = await fileSystem.open(file, flags, mode);
      if (file.endsWith("/src") && (opened += 1) === 2) {
        renameSync(join(root, "src"), join(root, "mine"));
        symlinkSync("../outside", join(root, "src"));
      }
      return result;
    },
  };

  const transactions = openTransactions({ root, stateDir: temporaryFolder(), fileSystem: byName });
  const failure = refused(await transactions.apply(planOf(root, { "src/a.js": "A" })));

  expect(failure).toMatchObject({ kind: "conflict" });
  expect(failure.message).toContain("was moved or replaced meanwhile");
  expect(snapshot(join(outer, "outside"))).toEqual(before);
  expect(readFileSync(join(root, "mine/a.js"), "utf8")).toBe("a");
});

test("a file too large to be held in memory is not changed", async () => {
  const { root, transactions } = site({ "big.bin": "" });
  const plan = planOf(root, { "big.bin": "x" });
  truncateSync(join(root, "big.bin"), 300 * 1024 * 1024);
  expect(refused(await transactions.apply(plan)).message).toContain(
    "big.bin is larger than 256 MiB.",
  );
});

function makeRemovable(folder: string): void {
  if (existsSync(folder) && lstatSync(folder).isDirectory()) chmodSync(folder, 0o755);
}

describe("a conflict", () => {
  test("keeps both versions: the user's in its place, kit's in the folder that it names", async () => {
    const { root, stateDir, transactions } = site({ "src/a.js": "a", "b.js": "b" });
    const plan = planOf(root, { "src/a.js": "kit's a", "b.js": "kit's b" });
    writeFileSync(join(root, "src/a.js"), "typed by the user");

    const failure = refused(await transactions.apply(plan));

    expect(readFileSync(join(root, "src/a.js"), "utf8")).toBe("typed by the user");
    const keptIn = "keptIn" in failure ? (failure.keptIn ?? "") : "";
    expect(keptIn.startsWith(join(stateDir, "kept"))).toBe(true);
    expect(readFileSync(join(keptIn, "kit/src/a.js"), "utf8")).toBe("kit's a");
    expect(readFileSync(join(keptIn, "kit/b.js"), "utf8")).toBe("kit's b");
    expect(lstatSync(join(keptIn, "kit/src/a.js")).mode & 0o777).toBe(0o600);
  });

  test("names every file that was changed", async () => {
    const { root, transactions } = site({ "a.js": "a", "b.js": "b", "c.js": "c" });
    const plan = planOf(root, { "a.js": "A", "b.js": "B", "c.js": "C" });
    for (const name of ["a.js", "c.js"]) writeFileSync(join(root, name), "mine");
    expect(refused(await transactions.apply(plan))).toMatchObject({
      kind: "conflict",
      paths: ["a.js", "c.js"],
    });
  });
});

describe("whatever a plan says", () => {
  test.for([".git/config", ".GIT/hooks/pre-commit", "sub/.git", ".kit/kit.yaml", "git~1/x"])(
    "%s is not written",
    async (path) => {
      const { root, transactions } = site({ "a.js": "a" });
      const plan = planOf(root, { "a.js": "A", [path]: "x" });
      expect(refused(await transactions.apply(plan))).toMatchObject({
        kind: "out_of_scope",
        paths: [path],
      });
      expect(snapshot(root)).toEqual(new Map([["a.js", "file 644 YQ=="]]));
    },
  );

  test("two operations on one path are a bug of the planner, found before anything is written", async () => {
    const { root, transactions } = site({ "a.js": "a" });
    const { operations } = planOf(root, { "a.js": "A" });
    const plan = { operations: [...operations, ...operations], hash: "twice" };
    await expect(transactions.apply(plan)).rejects.toThrow("The plan changes a.js twice.");
    expect(readFileSync(join(root, "a.js"), "utf8")).toBe("a");
  });
});

describe("two kits in one tree", () => {
  test("the second is told who is at work and changes nothing", async () => {
    const { root, stateDir, transactions } = site({ "a.js": "a" });
    const lock = await acquireLock(join(stateDir, "transactions.lock"), { holder: "other" });
    try {
      const failure = refused(await transactions.apply(planOf(root, { "a.js": "A" })));
      expect(failure).toMatchObject({ kind: "conflict", paths: [] });
      expect(failure.message).toContain(`process ${process.pid}`);
    } finally {
      if ("release" in lock) await lock.release();
    }
    expect(readFileSync(join(root, "a.js"), "utf8")).toBe("a");
  });

  test("the second does not recover what the first is doing", async () => {
    const { root, stateDir, transactions } = site({ "a.js": "a" });
    writeFiles(stateDir, { "transactions/t1/pre-images.draft": "half" });
    const lock = await acquireLock(join(stateDir, "transactions.lock"), { holder: "other" });
    try {
      expect(await transactions.recover()).toEqual({ recovered: [], unsettled: [] });
      expect(existsSync(join(stateDir, "transactions/t1/pre-images.draft"))).toBe(true);
    } finally {
      if ("release" in lock) await lock.release();
    }
    await transactions.recover();
    expect(existsSync(join(stateDir, "transactions/t1"))).toBe(false);
    expect(readFileSync(join(root, "a.js"), "utf8")).toBe("a");
  });
});

test("a named pipe without a writer is refused at once", async () => {
  const { root, transactions } = site({});
  const plan = planOf(root, { pipe: "x" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  const failure = refused(await transactions.apply(plan));
  expect(failure.message).toContain("pipe is no file; kit was to create it.");
});

test("a name too long for the disk is refused in words", async () => {
  const { root, transactions } = site({});
  const path = repoPath("x".repeat(300));
  const plan = { operations: [{ kind: "create", path, after: Buffer.from("x"), mode: 0o644 }] };
  const failure = refused(await transactions.apply({ ...plan, hash: "long" } as never));
  expect(failure.message).toContain("the name is too long for this file system (ENAMETOOLONG)");
  expect(snapshot(root)).toEqual(new Map());
});
