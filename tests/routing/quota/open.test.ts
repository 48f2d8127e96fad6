import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/lib/store.ts";
import {
  discardBrokenLedger,
  forgetLimits,
  ledgerFile,
  openLedger,
  readLedger,
} from "../../../src/routing/index.ts";
import { temporaryFolder } from "../../support/repository.ts";
import { callTo, candidateOf, failed, noon } from "./support.ts";

const a = candidateOf("p1/a");
const b = candidateOf("p2/b");
const spent = failed({ kind: "usage_limit", message: "spent" });

/** A ledger at noon, and what was said of trouble with it. */
async function open(folder: string) {
  const said: string[] = [];
  const ledger = await openLedger({
    folder,
    now: () => noon,
    onTrouble: (message) => said.push(message),
  });
  return { ledger, said };
}

test("a limit is known to the next process, and forgotten when asked to", async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  callTo(first.ledger, a, spent);
  callTo(first.ledger, b, spent);
  first.ledger.close();
  const { limits, pools, spend } = await readLedger(folder, noon);
  expect(limits.map(({ name }) => name)).toEqual(["p1", "p2"]);
  expect(pools.map(({ calls }) => calls)).toEqual([1, 1]);
  expect(spend).toHaveLength(2);
  expect(await forgetLimits(folder, "p1")).toBe(1);
  const second = await open(folder);
  expect(second.ledger.cooling(a)).toBeUndefined();
  expect(second.ledger.cooling(b)).toMatchObject({ name: "p2" });
  second.ledger.close();
  expect(second.said).toEqual([]);
});

const broken: readonly (readonly [string, (file: string) => unknown, RegExp])[] = [
  ["is no database", (file) => writeFileSync(file, "x".repeat(5_000)), /damaged.*kit quota clear/],
  ["cannot be made", (file) => mkdirSync(file), /cannot be written/],
  [
    "is of a later kit",
    async (file) => (await openStore(file, { migrations: ["SELECT 1", "SELECT 1"] })).close(),
    /later kit/,
  ],
];

test.each(broken)(
  "a ledger that %s stops nothing: the run knows its own limits",
  async (_, breakIt, words) => {
    const folder = temporaryFolder();
    await breakIt(ledgerFile(folder));
    const { ledger, said } = await open(folder);
    expect(said).toEqual([expect.stringMatching(words)]);
    callTo(ledger, a, spent);
    expect(callTo(ledger, a, spent)).toBe("cooling");
    ledger.close();
  },
);

test("a ledger that breaks under way is said once, and the limit just found is kept", async () => {
  const folder = temporaryFolder();
  (await open(folder)).ledger.close();
  const { ledger, said } = await open(folder);
  const admission = ledger.reserve(a, 60_000);
  truncateSync(ledgerFile(folder), 0);
  truncateSync(`${ledgerFile(folder)}-wal`, 0);
  if (admission.kind === "go") admission.flight.finish(spent);
  expect(callTo(ledger, a, spent)).toBe("cooling");
  expect(callTo(ledger, b, spent)).toBe("go");
  expect(said).toHaveLength(1);
  ledger.close();
});

test("only a damaged ledger is discarded", async () => {
  const folder = temporaryFolder();
  (await open(folder)).ledger.close();
  expect(await discardBrokenLedger(folder)).toBe(false);
  truncateSync(ledgerFile(folder), 6_000);
  expect(await discardBrokenLedger(folder)).toBe(true);
  (await openStore(join(folder, "later.sqlite"), { migrations: ["SELECT 1"] })).close();
  await (broken[2]?.[1] ?? String)(ledgerFile(folder));
  const before = readFileSync(ledgerFile(folder));
  await expect(discardBrokenLedger(folder)).rejects.toMatchObject({ fault: "newer" });
  expect(readFileSync(ledgerFile(folder)).equals(before)).toBe(true);
});
