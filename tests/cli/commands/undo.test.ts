import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { createRun } from "../../../src/runs/index.ts";
import { applied, planOf } from "../../changes/transaction/plans.ts";
import { repository } from "../../support/repository.ts";
import { escalatedRun, tickingClock } from "../../runs/support.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const old = "one\ntwo\nthree\nfour\n";
const ofKit = "ONE\ntwo\nthree\nfour\n";

/**
 * A repository with a run whose change to `a.txt` stands: accepted, as `kill -9` leaves it, or left by
 * a kit that ended by itself and could not take it back.
 */
async function withChange(state: "accepted" | "killed" | "left" = "accepted"): Promise<string> {
  const cwd = repository({ "a.txt": old });
  const transactions = openTransactions({ root: cwd, stateDir: join(cwd, ".git", "kit") });
  const change = applied(await transactions.apply(planOf(cwd, { "a.txt": ofKit })));
  if (state === "accepted") await transactions.accept(change);
  else if (state === "killed") writeFileSync(join(cwd, ".git", "kit", "lock.holder"), "{}");
  const id = "20261130-191430-8xi0";
  const run = await createRun({ folder: join(cwd, ".kit", "runs"), id, clock: tickingClock() });
  await run.emit(...(escalatedRun.slice(0, 1) as [(typeof escalatedRun)[number]]));
  await run.emit({ type: "applied", attempt: 1, transaction: change.id });
  await run.close();
  return cwd;
}

test("a file that was changed since is left, and the way out is named", async () => {
  const cwd = await withChange();
  writeFileSync(join(cwd, "a.txt"), `${ofKit}five\n`);

  const { exitCode, stdout } = await runKit(["undo"], { cwd });

  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^Taken back: 0 files\nLeft as it is: a\.txt \(it was changed since\)\n/);
  expect(stdout).toMatch(/next: .*: kit undo --merge\n$/);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(`${ofKit}five\n`);
});

test("undo --merge takes kit's lines out and keeps the user's", async () => {
  const cwd = await withChange();
  writeFileSync(join(cwd, "a.txt"), `${ofKit}five\n`);

  const { exitCode, document } = await documentOf("undo", ["undo", "--merge"], { cwd });

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    restored: [],
    kept: [],
    merged: [{ path: "a.txt", conflicts: 0 }],
  });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(`${old}five\n`);
  expect((await runKit(["undo", "--merge"], { cwd })).stderr).toContain("was taken back before");
});

test("undo --merge marks what overlaps, and ends with 1", async () => {
  const cwd = await withChange();
  writeFileSync(join(cwd, "a.txt"), ofKit.replace("ONE", "1"));

  const { exitCode, stdout } = await runKit(["undo", "--merge"], { cwd });

  expect(exitCode).toBe(1);
  expect(stdout).toContain("Merged, with 1 place for you to decide: a.txt\n");
  expect(stdout).toMatch(/next: look for <<<<<<< in the files named above\n$/);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toContain("<<<<<<< as it was until now\n1\n");
});

test("undo --merge on an untouched change is plain undo", async () => {
  const cwd = await withChange();

  const { exitCode, stdout } = await runKit(["undo", "--merge"], { cwd });

  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Taken back: 1 file\n  a.txt\n" });
});

test.each([["runs"], ["show"], ["doctor", "--offline", "--fix"], ["test", "--test", "true"]])(
  "after kill -9, kit %s says which file stays as the user has it, and what takes kit's lines out",
  async (...argv) => {
    const cwd = await withChange("killed");
    writeFileSync(join(cwd, "a.txt"), `${ofKit}five\n`);

    const { stdout, stderr } = await runKit(argv, { cwd });

    const said = /kit was stopped half-way; its change was not rolled back\. (.*)\n/.exec(
      stderr + stdout,
    )?.[1];
    expect(said).toMatch(/^Left to you: a\.txt \(it was changed since; as it was before: \//);
    expect(readFileSync(/before: ([^)]+)\)/.exec(said ?? "")?.[1] ?? "", "utf8")).toBe(old);
    const next = /next: .*: kit (undo .*)$/.exec(said ?? "")?.[1]?.split(" ") ?? [];
    expect(next).toEqual(["undo", "20261130-191430-8xi0", "--merge"]);
    expect((await runKit(next, { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(`${old}five\n`);
  },
);

test.each([["runs"], ["show"], ["stats"]])(
  "kit %s takes back what a kit that ended by itself had to leave, on a full disk, say",
  async (...argv) => {
    const cwd = await withChange("left");

    await runKit(argv, { cwd });

    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(old);
  },
);

test("a recovery that found everything as before does not say that it rolled anything back", async () => {
  const cwd = await withChange("killed");
  writeFileSync(join(cwd, "a.txt"), old);

  expect((await runKit(["runs"], { cwd })).stderr).toBe(
    "kit was stopped half-way; nothing of its change stood in the tree.\n",
  );
});

test("undo after kill -9 takes the change back and ends with 0", async () => {
  const cwd = await withChange("killed");

  expect(await runKit(["undo"], { cwd })).toEqual({
    exitCode: 0,
    stdout: "Taken back: 1 file\n  a.txt\n",
    stderr: "kit was stopped half-way; its change was rolled back.\n",
  });
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(old);
});
