import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  appendToJournal,
  journaledRun,
  type JournaledRun,
  poolOf,
  readJournal,
  searchItems,
} from "../../src/memory/index.ts";
import { temporaryFolder } from "../support/repository.ts";
import { escalatedRun } from "./support.ts";

const journalIn = (folder: string): string => join(folder, "journal.jsonl");

describe("what a run leaves", () => {
  test("is its plan, its failures, why it escalated, and what was learned", () => {
    const { entries, episode } = journaledRun(escalatedRun("r1"), []);

    expect(entries.map(({ category, summary }) => [category, summary])).toEqual([
      ["plan", 'Goal of "Totals are wrong when a cart is empty": cartTotal([]) returns 0'],
      [
        "error",
        "tests_failed: 1 test is red (npm test: exit 1)\nAssertionError: NaN !== 0\n  at test/cart.test.js:7",
      ],
      [
        "decision",
        "Went from cheap (acme/small) to strong (acme/large): tests_failed: 1 test is red",
      ],
      [
        "lesson",
        '"Totals are wrong when a cart is empty": tests_failed: 1 test is red; then strong (acme/large) changed src/cart.js (npm test: exit 0)',
      ],
    ]);
    expect(episode).toBe(
      '"Totals are wrong when a cart is empty" ended as success, changed src/cart.js. Tried: cheap (acme/small): tests_failed: 1 test is red | strong (acme/large): accepted',
    );
  });

  test("is no lesson where nobody failed, and none where nobody succeeded", () => {
    const [failed, passed] = escalatedRun("r").attempts;
    const categories = (attempts: readonly (typeof failed)[], outcome: "success" | "exhausted") =>
      journaledRun(
        escalatedRun("r", { attempts: attempts.filter((each) => each !== undefined), outcome }),
        [],
      ).entries.map(({ category }) => category);

    expect(categories([passed], "success")).toEqual(["plan"]);
    expect(categories([failed], "exhausted")).toEqual(["plan", "error"]);
  });

  test("is a contradiction where another run saw the same commit otherwise", () => {
    const red = journaledRun(escalatedRun("r1"), []);
    const green = escalatedRun("r2", { baseline: [{ command: "npm test", green: true }] });
    const elsewhere = { ...green, commit: "c2" };

    const found = journaledRun(green, [red]).entries.filter(
      ({ category }) => category === "contradiction",
    );

    expect(found).toHaveLength(1);
    expect(found[0]?.summary).toContain("`npm test` was red in run r1 and green in run r2");
    expect(journaledRun(elsewhere, [red]).entries.map(({ category }) => category)).not.toContain(
      "contradiction",
    );
  });

  test("holds no secret", () => {
    const run = escalatedRun("r", { goal: "use ghp_0123456789abcdefghijABCDEFGHIJ012345 there" });

    expect(JSON.stringify(journaledRun(run, []))).not.toContain("ghp_0123456789");
  });
});

describe("the journal file", () => {
  test("gives back what was written, private to the user, and none where it is missing", async () => {
    const file = journalIn(temporaryFolder());
    const run = journaledRun(escalatedRun("r1"), []);

    expect(await readJournal(file)).toEqual({ runs: [], unreadable: 0 });
    await appendToJournal(file, run);

    expect(await readJournal(file)).toEqual({ runs: [run], unreadable: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("loses no run behind a line that a crash tore", async () => {
    const file = journalIn(temporaryFolder());
    const [first, second] = ["r1", "r2"].map((id) => journaledRun(escalatedRun(id), []));
    await appendToJournal(file, first as JournaledRun);
    appendFileSync(file, '\n{"v":1,"id":"torn');
    await appendToJournal(file, second as JournaledRun);

    expect(await readJournal(file)).toEqual({ runs: [first, second], unreadable: 1 });
  });

  test.each([
    { v: 2 },
    { id: "" },
    { entries: [{}] },
    { entries: "none" },
    { baseline: [{ command: "npm test" }] },
    { commit: 7 },
  ])("passes over a line that is no run: %j", async (wrong) => {
    const file = journalIn(temporaryFolder());
    const run = journaledRun(escalatedRun("r1"), []);
    appendFileSync(file, `${JSON.stringify({ ...run, ...wrong })}\n[]\n`);

    expect(await readJournal(file)).toEqual({ runs: [], unreadable: 2 });
  });

  test("is read from its end: long histories cost no more", async () => {
    const file = journalIn(temporaryFolder());
    const lineOf = (nth: number): string =>
      `${JSON.stringify(journaledRun(escalatedRun(`r${nth}`), []))}\n`;
    appendFileSync(file, Array.from({ length: 1_500 }, (_, nth) => lineOf(nth)).join(""));

    const { runs, unreadable } = await readJournal(file);

    expect({ count: runs.length, unreadable }).toEqual({ count: 200, unreadable: 0 });
    expect(readFileSync(file).length).toBeGreaterThan(1024 * 1024);
  });

  test("holds a run that was stopped and resumed once, as it ended", async () => {
    const file = journalIn(temporaryFolder());
    const run = journaledRun(escalatedRun("r1"), []);
    await appendToJournal(file, { ...run, outcome: "interrupted" });
    await appendToJournal(file, run);

    expect((await readJournal(file)).runs).toEqual([run]);
  });
});

describe("the pool of a role", () => {
  const run = journaledRun(escalatedRun("r1"), []);
  const memory = { project: "p", runs: [run], facts: [] };

  test("holds an episode a run, and the categories the role receives", () => {
    const ids = (role?: string): string[] => poolOf(memory, role).items.map(({ id }) => id);

    expect(ids("repro")).toEqual(["episode_r1", "journal_r1-error-1", "journal_r1-lesson"]);
    expect(ids("implementer")).toEqual([
      "episode_r1",
      "journal_r1-plan",
      "journal_r1-decision-1",
      "journal_r1-lesson",
    ]);
    expect(ids()).toHaveLength(5);
  });

  test("names a contradiction as open while its run is among the last ten", () => {
    const other = escalatedRun("r2", { baseline: [{ command: "npm test", green: true }] });
    const disagreeing = journaledRun(other, [run]);
    const later = Array.from({ length: 10 }, (_, nth) =>
      journaledRun(escalatedRun(`later${nth}`, { baseline: [] }), []),
    );
    const open = (runs: readonly JournaledRun[]): readonly string[] =>
      poolOf({ ...memory, runs }, "repro").contradictionIds;

    expect(open([run, disagreeing])).toEqual(["journal_r2-contradiction-1"]);
    expect(open([run, disagreeing, ...later])).toEqual([]);
  });

  test("is searched by words, best first, and verbatim", () => {
    const found = (query: string): string[] =>
      searchItems(query, poolOf(memory).items).map(({ item }) => item.id);

    expect(found("NaN assertion")).toEqual(["journal_r1-error-1"]);
    expect(found("r1-lesson")[0]).toBe("journal_r1-lesson");
    expect(found("nothing-of-the-kind")).toEqual([]);
  });
});

test("a journal that is a link is neither read nor written", async () => {
  const folder = temporaryFolder();
  const precious = join(folder, "precious");
  writeFileSync(precious, "mine\n");
  symlinkSync(precious, journalIn(folder));
  const line = journaledRun(escalatedRun("r1"), []);

  await expect(readJournal(journalIn(folder))).rejects.toThrow(`is a link to ${precious}`);
  await expect(appendToJournal(journalIn(folder), line)).rejects.toThrow("is a link to");

  expect(readFileSync(precious, "utf8")).toBe("mine\n");
});
