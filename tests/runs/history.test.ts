import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Event, TestTally } from "../../src/contracts/index.ts";
import { createRun, listRuns, readRun } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";
import { escalatedRun, tickingClock } from "./support.ts";

/** A records folder with a run for each id, all with the same events. */
async function runsFolder(
  ids: readonly string[],
  events: readonly Event[] = escalatedRun,
): Promise<string> {
  const folder = join(temporaryFolder(), "runs");
  for (const id of ids) {
    const run = await createRun({ folder, id, clock: tickingClock() });
    for (const event of events) {
      await run.emit(event.type === "run_started" ? { ...event, runId: id } : event);
    }
    await run.close();
  }
  return folder;
}

const [older, newer] = ["20261130-191430-aaaa", "20261201-080000-bbbb"] as const;

test("a repository without records has no runs", async () => {
  const folder = join(temporaryFolder(), "runs");

  expect(await listRuns(folder)).toEqual([]);
  await expect(readRun(folder)).rejects.toMatchObject({
    kind: "not_found",
    message: "There are no runs here yet.",
  });
});

test("runs are listed newest first, foreign folders and files passed over", async () => {
  const folder = await runsFolder([older, newer]);
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "20261130-191430-file"), "not a folder");

  const listed = await listRuns(folder);

  expect(listed.map(({ id }) => id)).toEqual([newer, older]);
});

test.each([
  [undefined, newer],
  [older, older],
  ["20261130", older],
  ["bbbb", newer],
])("the run asked for as %j is %s", async (asked, id) => {
  const folder = await runsFolder([older, newer]);

  expect((await readRun(folder, asked)).id).toBe(id);
});

test.each([
  ["2026", '"2026" is the start of 2 runs: 20261130-191430-aaaa, 20261201-080000-bbbb.'],
  ["1999", 'No run is named "1999".'],
])("%j names no single run", async (asked, message) => {
  const folder = await runsFolder([older, newer]);

  await expect(readRun(folder, asked)).rejects.toMatchObject({ kind: "not_found", message });
});

test("without an id, a run that was killed before its first event is passed over", async () => {
  const folder = await runsFolder([older, newer]);
  writeFileSync(join(folder, newer, "events.jsonl"), '{"v":1,"ty');

  expect((await readRun(folder)).id).toBe(older);
  await expect(readRun(folder, newer)).rejects.toMatchObject({
    kind: "not_found",
    message: `The run ${newer} cannot be read: its event log is empty.`,
  });
});

test("without an id, a damaged newest run is not passed over: its change may stand", async () => {
  const folder = await runsFolder([older, newer]);
  writeFileSync(join(folder, newer, "events.jsonl"), "damaged\n");

  await expect(readRun(folder)).rejects.toMatchObject({
    message: `The run ${newer} cannot be read: its event log is damaged.`,
  });
});

test("where no run began, the newest one is named", async () => {
  const folder = await runsFolder([older, newer]);
  for (const id of [older, newer]) writeFileSync(join(folder, id, "events.jsonl"), "");

  await expect(readRun(folder)).rejects.toMatchObject({ message: expect.stringContaining(newer) });
});

test("a run without its last event and receipt was interrupted", async () => {
  const folder = await runsFolder([older], escalatedRun.slice(0, -1));
  rmSync(join(folder, older, "receipt.json"));

  const [listed] = await listRuns(folder);

  expect(listed).toMatchObject({ receipt: { outcome: "interrupted", exitCode: 130 } });
});

test("a torn last line never happened; damaged lines and those of a newer kit are counted", async () => {
  const folder = await runsFolder([older]);
  const file = join(folder, older, "events.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const middle = [
    "garbage \u0000",
    "null",
    '{"v":1,"seq":9,"at":"x","type":"verdict"}',
    '{"v":2,"type":"whatever"}',
    '{"v":1,"seq":9,"at":"x","type":"from_the_future"}',
  ];
  writeFileSync(file, [...lines.slice(0, 3), ...middle, ...lines.slice(3), '{"v":1,'].join("\n"));

  const run = await readRun(folder);

  expect(run.events).toHaveLength(lines.length);
  expect(run).toMatchObject({ damaged: 3, newer: 2, receipt: { outcome: "success" } });
});

test.each([
  ["", "its event log is empty"],
  ["not json\n", "its event log is damaged"],
  ['{"v":2}\n', "a newer kit wrote it"],
])("a log of %j is listed as unreadable, and refused in words", async (text, why) => {
  const folder = await runsFolder([older]);
  writeFileSync(join(folder, older, "events.jsonl"), text);
  writeFileSync(join(folder, older, "receipt.json"), "{torn");

  expect(await listRuns(folder)).toMatchObject([{ id: older, unreadable: why }]);
  await expect(readRun(folder, older)).rejects.toMatchObject({ kind: "not_found" });
});

test("a run brings its stored contents along", async () => {
  const folder = join(temporaryFolder(), "runs");
  const run = await createRun({ folder, id: older, clock: tickingClock() });
  const hash = run.object("diff\n");
  await run.emit({ type: "note", level: "info", message: "x" });
  await run.close();

  const read = await readRun(folder);

  expect((await read.object(hash)).toString()).toBe("diff\n");
  await expect(read.object("../../x")).rejects.toThrow(RangeError);
});

test("a receipt of an earlier kit, which knew no reviews, is made anew from the log", async () => {
  const folder = await runsFolder([older]);
  const file = join(folder, older, "receipt.json");
  const {
    review: _,
    landed: __,
    ...early
  } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(early));

  expect(await listRuns(folder)).toMatchObject([
    { id: older, receipt: { outcome: "success", review: null, landed: null } },
  ]);
});

test("a receipt says what the run stood on, where its log does", async () => {
  const hash = "a".repeat(64);
  const ground = {
    versions: {
      kit: "0.1.0",
      node: "v24.21.0",
      platform: "linux x64",
      adapters: { pi: "0.70.0" },
    },
    sources: [{ kind: "settings", layer: "user", file: "/home/ada/.config/kit/kit.yaml", hash }],
    routes: [
      {
        capability: "strong-code",
        candidates: [],
        skipped: [{ backend: "deep", reason: "unbound" }],
      },
    ],
    tree: { head: "b".repeat(40), hash },
  };
  const treeAfter = { head: "b".repeat(40), hash: "c".repeat(64) };
  const events = escalatedRun.map((event) => {
    if (event.type === "run_started") return { ...event, ground };
    return event.type === "run_finished" ? { ...event, treeAfter } : event;
  });
  const folder = await runsFolder([older], events);

  const [listed] = await listRuns(folder);

  expect(listed).toMatchObject({ receipt: { ground: { ...ground, treeAfter } } });
  expect((await readRun(folder)).receipt.ground).toEqual({ ...ground, treeAfter });
});

test("a receipt says what the change did to the tests, as it was written and as its log has it", async () => {
  const tally: TestTally = {
    passed: 7,
    failed: 1,
    skipped: 0,
    moves: { regressed: 1, fixed: 2 },
    named: [{ id: "adds twice", move: "regressed" }],
  };
  const table = "d".repeat(64);
  const command = { command: "npm test", ended: "exit 1", durationMs: 5, reportedBy: "TAP" };
  const folder = await runsFolder(
    [older],
    escalatedRun.map((event) =>
      event.type === "verdict" && event.attempt === 2
        ? { ...event, commands: [command], tests: table, tally }
        : event,
    ),
  );
  const expected = { gate: { change: { commands: [command], tests: { ...tally, table } } } };

  const [listed] = await listRuns(folder);

  expect(listed).toMatchObject({ receipt: expected });
  expect((await readRun(folder)).receipt).toMatchObject(expected);
});
