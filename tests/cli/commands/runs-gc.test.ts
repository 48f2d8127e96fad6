import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { createRun, listRows } from "../../../src/runs/index.ts";
import { applied, planOf } from "../../changes/transaction/plans.ts";
import { git, repository } from "../../support/repository.ts";
import { escalatedRun, tickingClock } from "../../runs/support.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const ids = ["20240101-000000-aaaa", "20240102-000000-bbbb", "20240103-000000-cccc"] as const;

/** A repository with three old runs; each changed a file of its own, which is not committed. */
async function withRuns(): Promise<{ readonly cwd: string; readonly changes: readonly string[] }> {
  const cwd = repository({ "0.txt": "old\n", "1.txt": "old\n", "2.txt": "old\n" });
  const changes: string[] = [];
  for (const [nth, id] of ids.entries()) {
    const transactions = openTransactions({ root: cwd, stateDir: join(cwd, ".git", "kit") });
    const change = applied(await transactions.apply(planOf(cwd, { [`${nth}.txt`]: "new\n" })));
    await transactions.accept(change);
    changes.push(change.id);
    const run = await createRun({ folder: join(cwd, ".kit", "runs"), id, clock: tickingClock() });
    await run.emit({ type: "applied", attempt: 1, transaction: change.id });
    for (const event of escalatedRun) await run.emit(event);
    await run.close();
  }
  return { cwd, changes };
}

const removedIds = (document: Record<string, unknown>, key = "removed"): unknown[] =>
  (document[key] as { id: string }[]).map(({ id }) => id);

test("runs whose change stands uncommitted stay; committed ones go with their old contents", async () => {
  const { cwd, changes } = await withRuns();
  git(cwd, "add", "0.txt");
  git(cwd, "commit", "-q", "-m", "keep it");

  const { document } = await documentOf("runs-gc", ["runs", "gc", "--keep", "1"], { cwd });

  expect(removedIds(document)).toEqual([ids[0]]);
  expect(document["kept"]).toEqual([
    { id: ids[1], reason: "its change stands and is not committed: undo needs it" },
  ]);
  expect(document["transactions"]).toEqual([changes[0]]);
  expect(existsSync(join(cwd, ".kit", "runs", ids[0]))).toBe(false);
  expect(readdirSync(join(cwd, ".git", "kit", "transactions"))).toHaveLength(2);
  const { rows } = await listRows(join(cwd, ".kit", "runs"));
  expect(rows.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect((await runKit(["undo", "bbbb"], { cwd })).exitCode).toBe(0);
  expect(readFileSync(join(cwd, "1.txt"), "utf8")).toBe("old\n");
});

test("a change that the user wrote over holds nothing up", async () => {
  const { cwd } = await withRuns();
  writeFileSync(join(cwd, "0.txt"), "mine\n");

  const { document } = await documentOf("runs-gc", ["runs", "gc", "--older-than", "30d"], { cwd });

  expect(removedIds(document)).toEqual([ids[0]]);
  expect(readFileSync(join(cwd, "0.txt"), "utf8")).toBe("mine\n");
});

test("--dry-run says what --force removes, and removes nothing", async () => {
  const { cwd } = await withRuns();
  const argv = ["runs", "gc", "--keep", "1", "--force"];

  const dry = await documentOf("runs-gc", [...argv, "--dry-run"], { cwd });
  expect(readdirSync(join(cwd, ".git", "kit", "transactions"))).toHaveLength(3);
  const real = await documentOf("runs-gc", argv, { cwd });

  expect(removedIds(dry.document)).toEqual([ids[0], ids[1]]);
  expect(real.document).toEqual({ ...dry.document, dryRun: false });
  expect(readdirSync(join(cwd, ".git", "kit", "transactions"))).toHaveLength(1);
  expect(readFileSync(join(cwd, "0.txt"), "utf8")).toBe("new\n");
});

test("a run without an ending may be going on, and stays by force too", async () => {
  const cwd = repository({});
  const folder = join(cwd, ".kit", "runs");
  const run = await createRun({ folder, id: ids[0], clock: tickingClock() });
  await run.emit({ type: "note", level: "info", message: "x" });
  const argv = ["runs", "gc", "--older-than", "1d", "--force"];

  const { document } = await documentOf("runs-gc", argv, { cwd });

  expect(removedIds(document)).toEqual([]);
  expect(removedIds(document, "kept")).toEqual([ids[0]]);
  utimesSync(join(folder, ids[0], "events.jsonl"), 1, 1);
  expect(removedIds((await documentOf("runs-gc", argv, { cwd })).document)).toEqual([ids[0]]);
  await run.close().catch(() => undefined);
});

test("without limits no run goes, but what crashes left does", async () => {
  const { cwd } = await withRuns();
  const folder = join(cwd, ".kit", "runs");
  const left = join(folder, ids[0], ".kit-0123456789abcdef.tmp");
  writeFileSync(left, "torn");
  utimesSync(left, 1, 1);
  writeFileSync(join(folder, ".kit-0123456789abcdef.tmp"), "under way");

  const { document } = await documentOf("runs-gc", ["runs", "gc"], { cwd });

  expect(document).toMatchObject({ removed: [], kept: [], transactions: [], leftovers: [left] });
  expect(existsSync(join(folder, ".kit-0123456789abcdef.tmp"))).toBe(true);
});

test.each(["0", "x"])("--keep %s is refused", async (keep) => {
  const { exitCode } = await runKit(["runs", "gc", "--keep", keep], { cwd: repository({}) });

  expect(exitCode).toBe(2);
});
