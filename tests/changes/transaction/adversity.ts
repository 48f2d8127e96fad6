import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { snapshot, temporaryFolder } from "../../support/repository.ts";
import { twoStates, type States } from "./crash.ts";
import { systemError, watchedDisk } from "./faults.ts";
import { makeTree, planTwenty, recordStates } from "./twenty-files.ts";

let measuring: Promise<{ states: States; effects: number }> | undefined;

/** Both states of the tree, and how many effects lie between; found out once. */
export function measured(): Promise<{ readonly states: States; readonly effects: number }> {
  measuring ??= (async () => ({ states: await twoStates(), effects: await countEffects() }))();
  return measuring;
}

async function countEffects(): Promise<number> {
  let effects = 0;
  const fileSystem = watchedDisk(async ({ number }) => void (effects = number));
  await openTransactions({ ...makeTree(temporaryFolder()), fileSystem }).apply(planTwenty());
  return effects;
}

/** One effect fails once; the tree is whole again when `apply` returns, and its word is right. */
export async function failOnce(states: States, failAt: number, code: string): Promise<boolean> {
  const tree = makeTree(temporaryFolder());
  const fileSystem = watchedDisk(async ({ number }) => {
    if (number === failAt) throw systemError(code);
  });

  const result = await openTransactions({ ...tree, fileSystem }).apply(planTwenty());

  expect(snapshot(tree.root)).toEqual(result.ok ? states.new : states.old);
  expect(recordStates(tree.stateDir)).toEqual(result.ok ? ["applied"] : []);
  if (!result.ok) {
    expect(result.failure).toMatchObject({ kind: "environment", mend: expect.any(String) });
    expect(result.failure.message).toMatch(/Nothing was changed\.$/);
    expect(result.failure.message).toContain(code);
    expect(result.failure.message).not.toMatch(/\/proc\/|\n/);
  }
  return result.ok;
}

/** From one effect on, everything that changes the disk fails; the next command finds it mended. */
export async function failFromThenOn(states: States, failAt: number, code: string): Promise<void> {
  const tree = makeTree(temporaryFolder());
  const changing = new Set(["write", "mkdir", "rename", "link", "unlink", "rmdir", "sync"]);
  const fileSystem = watchedDisk(async ({ number, name }) => {
    if (number >= failAt && changing.has(name)) throw systemError(code);
  });

  await openTransactions({ ...tree, fileSystem }).apply(planTwenty());
  const report = await openTransactions(tree).recover();

  expect(report.unsettled).toEqual([]);
  expect(snapshot(tree.root)).toEqual(states.old);
  expect(recordStates(tree.stateDir)).toEqual([]);
}

/** What a user does to a file of the plan at one moment of the transaction. */
export const userActs = {
  "saves in place": (file: string, text: string) => writeFileSync(file, text),
  "saves by renaming over it": (file: string, text: string) => {
    writeFileSync(`${file}.swp`, text);
    renameSync(`${file}.swp`, file);
  },
  "puts a folder there": (file: string, text: string) => {
    if (existsSync(file)) renameSync(file, `${file}.mine`);
    mkdirSync(file);
    writeFileSync(join(file, "mine.txt"), text);
  },
  "puts a link there": (file: string, text: string) => {
    writeFileSync(`${file}.target`, text);
    if (existsSync(file)) unlinkSync(file);
    symlinkSync(`${file}.target`, file);
  },
} satisfies Record<string, (file: string, text: string) => void>;

/** The user's act just before one effect: whatever `apply` says, the user's bytes are in the tree. */
export async function actMeanwhile(
  states: States,
  actAt: number,
  path: string,
  act: keyof typeof userActs,
): Promise<void> {
  const tree = makeTree(temporaryFolder());
  const text = "typed by the user\n";
  const fileSystem = watchedDisk(async ({ number }) => {
    if (number === actAt) insist(() => userActs[act](join(tree.root, path), text));
  });

  const result = await openTransactions({ ...tree, fileSystem }).apply(planTwenty());

  const now = snapshot(tree.root);
  const encoded = Buffer.from(text).toString("base64");
  const mine = [...now].filter(([, entry]) => entry.endsWith(` ${encoded}`)).map(([name]) => name);
  expect(mine, `${act}: the user's text at effect ${actAt}`).toHaveLength(1);
  expect(mine[0]).toMatch(new RegExp(`^${path}`));
  if (!result.ok) {
    expect(result.failure).toMatchObject({
      kind: "conflict",
      paths: expect.arrayContaining([path]),
    });
    expect(readFileSync(join(keptIn(result.failure), "kit", "f0.txt"), "utf8")).toContain("as kit");
  }
  expect(recordStates(tree.stateDir)).toEqual(result.ok ? ["applied"] : []);
  expect(withoutPath(now, path)).toEqual(withoutPath(result.ok ? states.new : states.old, path));
}

/** An act can collide with an effect that is under way in another thread; a user tries again. */
function insist(act: () => void): void {
  for (let tries = 1; ; tries += 1) {
    try {
      return act();
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

function keptIn(failure: { readonly keptIn?: string } | object): string {
  return "keptIn" in failure && typeof failure.keptIn === "string" ? failure.keptIn : "";
}

function withoutPath(entries: ReadonlyMap<string, string>, path: string): Map<string, string> {
  return new Map([...entries].filter(([name]) => !name.startsWith(path)));
}

/**
 * Just before one effect a folder of the plan is moved away and a link to a foreign folder put in
 * its place. The foreign folder, which holds files of the same names, stays as it is.
 */
export async function linkFolderMeanwhile(linkAt: number): Promise<boolean> {
  const outer = temporaryFolder();
  const foreign = join(outer, "foreign");
  makeTree(foreign);
  const before = snapshot(foreign);
  const tree = makeTree(join(outer, "repo"));
  const fileSystem = watchedDisk(async ({ number }) => {
    if (number !== linkAt) return;
    renameSync(join(tree.root, "src"), join(tree.root, "moved-src"));
    symlinkSync(join(foreign, "src"), join(tree.root, "src"));
  });

  const result = await openTransactions({ ...tree, fileSystem }).apply(planTwenty());
  await openTransactions(tree).recover();

  expect(snapshot(foreign)).toEqual(before);
  expect(readdirSync(outer).sort()).toEqual(["foreign", "repo"]);
  return result.ok;
}
