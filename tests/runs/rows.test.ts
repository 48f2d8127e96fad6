import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { continueRun, createRun, listRows } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";
import { escalatedRun, tickingClock } from "./support.ts";

const ids = ["20261130-191430-aaaa", "20261201-080000-bbbb", "20261202-080000-cccc"] as const;

/** A records folder with these runs, all with the same events. */
async function runsFolder(names: readonly string[] = ids): Promise<string> {
  const folder = join(temporaryFolder(), ".kit", "runs");
  for (const id of names) await addRun(folder, id);
  return folder;
}

async function addRun(folder: string, id: string): Promise<void> {
  const run = await createRun({ folder, id, clock: tickingClock() });
  for (const event of escalatedRun) await run.emit(event);
  await run.close();
}

/** The ids that the index itself holds. */
function indexed(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, "index.sqlite"));
  const rows = database.prepare("SELECT id FROM run ORDER BY id").all();
  database.close();
  return rows.map(({ id }) => id);
}

/** Writes into the index what no record says, to see where a list comes from. */
function mark(folder: string, id: string): void {
  const database = new DatabaseSync(join(folder, "index.sqlite"));
  database.prepare("UPDATE run SET task = 'from the index' WHERE id = ?").run(id);
  database.close();
}

test("a run is in the index once its record is closed, as its receipt says it", async () => {
  const folder = await runsFolder([ids[0]]);

  expect(indexed(folder)).toEqual([ids[0]]);
  expect((await listRows(folder)).rows).toEqual([
    {
      id: ids[0],
      folder: join(folder, ids[0]),
      task: "Mend add",
      outcome: "success",
      exitCode: 0,
      escalated: true,
      startedAt: "2026-11-30T19:14:30.000Z",
      attempts: 2,
      calls: 2,
      changedFiles: ["add.js"],
      durationMs: 11_000,
      costUsd: 0.1,
      costUnknown: 1,
    },
  ]);
});

test("rows come from the index, newest first, no more than asked for", async () => {
  const folder = await runsFolder();
  mark(folder, ids[2]);

  expect((await listRows(folder, 2)).rows).toMatchObject([
    { id: ids[2], task: "from the index" },
    { id: ids[1], task: "Mend add" },
  ]);
});

const damages: readonly (readonly [string, (file: string) => void])[] = [
  ["is missing", (file) => rmSync(file)],
  ["is no database", (file) => writeFileSync(file, "not a database, but long enough to be one\n")],
  ["was cut off", (file) => writeFileSync(file, Buffer.alloc(3000, "SQLite format 3\0"))],
  ["was written by a later kit", (file) => change(file, "PRAGMA user_version = 99")],
  ["is of an unknown earlier shape", (file) => change(file, "PRAGMA user_version = 0")],
  ["lacks its table", (file) => change(file, "DROP TABLE run")],
  ["has other columns", (file) => change(file, "ALTER TABLE run DROP COLUMN task")],
  ["holds nonsense", (file) => change(file, "UPDATE run SET changed_files = '{'")],
];

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test.each(damages)("an index that %s is made anew from the records", async (_, damage) => {
  const folder = await runsFolder();
  const before = await listRows(folder);
  damage(join(folder, "index.sqlite"));

  expect(await listRows(folder)).toEqual(before);
  expect(indexed(folder)).toEqual(ids);
});

test("what is in the place of the index is not followed, and the list is right without one", async () => {
  const folder = await runsFolder();
  const elsewhere = join(temporaryFolder(), "elsewhere");
  writeFileSync(elsewhere, "theirs");
  rmSync(join(folder, "index.sqlite"));
  symlinkSync(elsewhere, join(folder, "index.sqlite"));

  expect((await listRows(folder)).rows.map(({ id }) => id)).toEqual(ids.toReversed());
  rmSync(join(folder, "index.sqlite"));
  mkdirSync(join(folder, "index.sqlite"));
  expect((await listRows(folder)).rows.map(({ id }) => id)).toEqual(ids.toReversed());
});

test("a run that went on after its row was written is read again", async () => {
  const folder = await runsFolder([ids[0]]);
  await listRows(folder);
  const run = await continueRun({ folder, id: ids[0], clock: tickingClock() });
  await run.emit({ type: "run_finished", outcome: "stopped", exitCode: 1, changedFiles: [] });

  expect((await listRows(folder)).rows).toMatchObject([{ outcome: "stopped" }]);
  await run.close();
});

test("a run that never ended is kept in the index until its log grows", async () => {
  const folder = await runsFolder([ids[0]]);
  const run = await createRun({ folder, id: ids[1], clock: tickingClock() });
  for (const event of escalatedRun.slice(0, 4)) await run.emit(event);

  expect((await listRows(folder, 1)).rows).toMatchObject([{ outcome: "interrupted", attempts: 1 }]);
  mark(folder, ids[1]);
  expect((await listRows(folder, 1)).rows).toMatchObject([{ task: "from the index" }]);
  for (const event of escalatedRun.slice(3)) await run.emit(event);
  expect((await listRows(folder, 1)).rows).toMatchObject([{ outcome: "success", attempts: 2 }]);
  await run.close();
});

test("runs whose folders are gone leave the index, those that cannot be read never enter it", async () => {
  const folder = await runsFolder();
  rmSync(join(folder, ids[0]), { recursive: true });
  writeFileSync(join(folder, ids[1], "events.jsonl"), '{"v":2}\n');
  rmSync(join(folder, ids[1], "receipt.json"));

  expect((await listRows(folder)).rows).toMatchObject([
    { id: ids[2] },
    { id: ids[1], unreadable: "a newer kit wrote it" },
  ]);
  expect(indexed(folder)).toEqual([ids[1], ids[2]]);
});

test("a folder without runs gets no index", async () => {
  const folder = join(temporaryFolder(), ".kit", "runs");

  expect(await listRows(folder)).toEqual({ rows: [], total: 0 });
  expect(existsSync(folder)).toBe(false);
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be written is listed", async () => {
  const folder = await runsFolder();
  rmSync(join(folder, "index.sqlite"));
  chmodSync(folder, 0o500);

  expect((await listRows(folder)).rows).toHaveLength(3);
  chmodSync(folder, 0o700);
});
