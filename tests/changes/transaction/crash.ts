import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { snapshot, temporaryFolder } from "../../support/repository.ts";
import { makeTree, planTwenty, recordStates } from "./twenty-files.ts";

const child = fileURLToPath(new URL("killed-child.ts", import.meta.url));

export type Action = "apply" | "undo" | "recover";

/** Runs the action in a process that kills itself before an effect (`7`, `link:7`, 0 for none); gives the effects it had when it lived. */
export async function runKilled(
  action: Action,
  tree: { readonly root: string; readonly stateDir: string },
  killAt: number | string,
): Promise<{ readonly killed: boolean; readonly effects: number }> {
  const args = ["--disable-warning=ExperimentalWarning", child, action, tree.root, tree.stateDir];
  const started = spawn(process.execPath, [...args, String(killAt)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(homedir(), "compile-cache") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed: Buffer[] = [];
  started.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  const [code, signal] = (await once(started, "close")) as [number | null, string | null];
  expect(signal ?? code).toBeOneOf(["SIGKILL", 0]);
  return { killed: signal === "SIGKILL", effects: Number(Buffer.concat(printed).toString()) };
}

/** `count` whole numbers from `first` to `last`, evenly apart. */
export function spread(first: number, last: number, count: number): readonly number[] {
  const gap = (last - first) / (count - 1);
  return Array.from({ length: count }, (_, index) => Math.round(first + index * gap));
}

/** The two states the tree of `makeTree` may be in. */
export interface States {
  readonly old: ReadonlyMap<string, string>;
  readonly new: ReadonlyMap<string, string>;
}

/** Both states, found by applying the plan to an undisturbed tree. */
export async function twoStates(): Promise<States> {
  const tree = makeTree(temporaryFolder());
  const before = snapshot(tree.root);
  await openTransactions(tree).apply(planTwenty());
  return { old: before, new: snapshot(tree.root) };
}

/** After a crash: one recovery makes the tree all old or all new, and leaves no journal. */
export async function expectRecovered(
  tree: { readonly root: string; readonly stateDir: string },
  states: States,
): Promise<"old" | "new"> {
  const report = await openTransactions(tree).recover();
  expect(report.unsettled).toEqual([]);
  for (const { report: files } of report.recovered) expect(files.kept).toEqual([]);
  const now = snapshot(tree.root);
  const isNew = now.has("new.txt");
  expect(now).toEqual(isNew ? states.new : states.old);
  expect(recordStates(tree.stateDir)).toEqual(isNew ? ["accepted"] : []);
  expect(await openTransactions(tree).recover()).toEqual({ recovered: [], unsettled: [] });
  return isNew ? "new" : "old";
}
