import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeThree } from "../../../src/changes/transaction/three-way.ts";
import { applied, planOf, site } from "./plans.ts";

const old = "one\ntwo\nthree\nfour\nfive\nsix\n";
const ofKit = "one\nTWO\nthree\nfour\nfive\nsix\n";
const ofUser = "one\nTWO\nthree\nfour\nfive\nsix\nseven\n";

test("kit's lines go and the user's stay; the version until now is kept, the mode too", async () => {
  const { root, stateDir, transactions } = site({ "a.txt": old });
  chmodSync(join(root, "a.txt"), 0o751);
  const { id } = applied(await transactions.apply(planOf(root, { "a.txt": ofKit })));
  await transactions.accept({ id, plan: { operations: [], hash: "" } });
  writeFileSync(join(root, "a.txt"), ofUser);
  expect((await transactions.undo(id)).kept).toHaveLength(1);

  const report = await transactions.merge(id);

  const yours = join(stateDir, "kept", id, "found", "a.txt");
  expect(report).toEqual({ merged: [{ path: "a.txt", conflicts: 0, yours }], left: [] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(`${old}seven\n`);
  expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o751);
  expect(readFileSync(yours, "utf8")).toBe(ofUser);
  expect(readdirSync(join(stateDir, "transactions"))).toEqual([]);
  expect(await transactions.recover()).toEqual({ recovered: [], unsettled: [] });
});

test("lines that both changed are marked, with the line ends of the file", async () => {
  const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
  const { root, transactions } = site({ "a.txt": crlf(old) });
  const { id } = applied(await transactions.apply(planOf(root, { "a.txt": crlf(ofKit) })));
  writeFileSync(join(root, "a.txt"), crlf(ofKit.replace("TWO", "2")));
  await transactions.undo(id);

  expect((await transactions.merge(id)).merged).toMatchObject([{ conflicts: 1 }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(
    crlf(
      "one\n<<<<<<< as it was until now\n2\n=======\ntwo\n>>>>>>> before the run of kit\nthree\nfour\nfive\nsix\n",
    ),
  );
});

test("what cannot be merged is left as it is, said why, and may be undone later", async () => {
  const { root, stateDir, transactions } = site({
    "a.txt": old,
    "b.bin": "b\0",
    "gone.txt": "g",
    "cut.txt": "c",
  });
  const wish = { "a.txt": ofKit, "b.bin": "B\0", "gone.txt": null, "cut.txt": "C", "new.txt": "n" };
  const { id } = applied(await transactions.apply(planOf(root, wish)));
  const mine = { "a.txt": ofUser, "b.bin": "mine\0", "gone.txt": "again", "new.txt": "n and more" };
  for (const [path, text] of Object.entries(mine)) writeFileSync(join(root, path), text);
  await transactions.undo(id);

  const report = await transactions.merge(id);

  expect(report.merged.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(report.left.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
    { path: "b.bin", reason: "it is no text, or too large to be merged" },
    { path: "gone.txt", reason: "kit removed this file, and it was written anew since" },
    { path: "new.txt", reason: "kit made this file, and it was changed since" },
  ]);
  expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("n and more");
  const [again] = [await transactions.merge(id)];
  expect(again.merged).toEqual([]);
  expect(readFileSync(join(stateDir, "kept", id, "found", "a.txt"), "utf8")).toBe(ofUser);
  writeFileSync(join(root, "new.txt"), "n");
  expect((await transactions.undo(id)).restored).toContain("new.txt");
  expect(existsSync(join(root, "new.txt"))).toBe(false);
});

test("a transaction of an earlier kit, which kept no bytes of its own, is left", async () => {
  const { root, stateDir, transactions } = site({ "a.txt": old });
  const { id } = applied(await transactions.apply(planOf(root, { "a.txt": ofKit })));
  writeFileSync(join(stateDir, "transactions", id, "pre-images"), old);
  writeFileSync(join(root, "a.txt"), ofUser);
  await transactions.undo(id);

  expect((await transactions.merge(id)).left).toEqual([
    { path: "a.txt", reason: "what kit wrote there is not on record" },
  ]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(ofUser);
});

test("an unchanged side gives way to the other, to the byte", async () => {
  const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d"), { maxLength: 12 });
  const texts = lines.map((parts) => Buffer.from(parts.join("")));
  await fc.assert(
    fc.asyncProperty(texts, texts, async (base, other) => {
      const theirs = await mergeThree({ base, yours: base, before: other });
      const mine = await mergeThree({ base, yours: other, before: base });
      const both = await mergeThree({ base, yours: other, before: other });
      for (const merged of [theirs, mine, both]) {
        expect(merged).toEqual({ bytes: other, conflicts: 0 });
      }
    }),
    { numRuns: 60 },
  );
});
