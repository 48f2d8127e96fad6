import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { RecordedEvent } from "../../src/contracts/index.ts";
import type { Receipt } from "../../src/runs/index.ts";
import { parseEvents } from "../../src/runs/events.ts";
import type { RunAtEnd } from "../support/repository.ts";
import { survivorsAfter } from "./processes.ts";
import {
  coderRule,
  crlfRepository,
  grepTest,
  machine,
  type Machine,
  scenario,
  scoutRule,
  task,
  treeOf,
} from "./support.ts";

/** Loaded before kit: kills it before an effect. */
export const crashHook = resolve("tests/e2e/programs/kill-at.mjs");

/** A kind of run, and what an undisturbed one comes to. */
export interface CrashScene {
  readonly flags: readonly string[];
  readonly scenario: string;
}

/** The cheapest run there is: one call, one gate. */
export const quick: CrashScene = {
  flags: ["quick"],
  scenario: scenario([coderRule("p1/first", "a + b")]),
};

/** From the scout over a refused change to a green one: three calls, two gates, one rollback. */
export const escalating: CrashScene = {
  flags: ["--test", grepTest, "--max-attempts", "3"],
  scenario: scenario([scoutRule, coderRule("p1/first", "a * b"), coderRule("p2/second", "a + b")]),
};

/** The same in a tree of its own. */
export const isolated: CrashScene = { ...escalating, flags: [...escalating.flags, "--isolate"] };

/** What a run leaves, whichever way it came there. */
interface End {
  readonly code: number | null;
  readonly outcome: string;
  readonly changedFiles: readonly string[];
  readonly calls: number;
  readonly tree: ReadonlyMap<string, string>;
}

export interface Undisturbed extends End {
  /** Points at which a run may be killed. */
  readonly effects: number;
  readonly before: ReadonlyMap<string, string>;
}

/** What happened at one point, for the figures. */
export interface Crash {
  readonly at: number;
  /** False where the process had ended before it. */
  readonly killed: boolean;
  /** Type of the last whole event in the log; undefined: the run had not begun. */
  readonly lastEvent: string | undefined;
  readonly finishedBefore: number;
  readonly treeAfter: "old" | "new";
}

/** Lets the scene play to its end, and counts its effects. */
export async function undisturbed(scene: CrashScene, atEnd: RunAtEnd): Promise<Undisturbed> {
  const played = await machine({ scenario: scene.scenario, files: crlfRepository, atEnd });
  const before = treeOf(played.root);
  const countFile = join(played.home, "effects");
  const { code, stdout, stderr } = await played.kit(
    ["run", `--task=${task}`, "--json", ...flagsOf(scene, played)],
    { imports: [crashHook], env: { KILL_COUNT: countFile } },
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const effects = Number(readFileSync(countFile, "utf8").trim());
  return { ...endOf(played, code, stdout), effects, before };
}

/**
 * Kills a run before its n-th effect, looks at the tree after the next kit command, resumes, and
 * holds the end against the undisturbed run's.
 */
export async function crashAt(
  at: number,
  scene: CrashScene,
  wanted: Undisturbed,
  atEnd: RunAtEnd,
): Promise<Crash> {
  const played = await machine({ scenario: scene.scenario, files: crlfRepository, atEnd });
  const { kit, root, home, server } = played;
  const run = ["run", `--task=${task}`, "--json", ...flagsOf(scene, played)];
  const killed = await kit(run, { imports: [crashHook], env: { KILL_AT: String(at) } });
  const survivors = await survivorsAfter(home, 5_000);
  const asked = server.requests.length;
  const events = logOf(root);
  const finished = events.filter(
    (event) => event.type === "effect_finished" && event.key.startsWith("call "),
  ).length;
  await kit(["runs"]);
  const tree = treeOf(root);
  const isNew = sameTree(tree, wanted.tree);
  const where = `point ${at} (${events.at(-1)?.type ?? "nothing"})`;
  expect({ where, whole: isNew || sameTree(tree, wanted.before), survivors }).toEqual({
    where,
    whole: true,
    survivors: [],
  });
  const isOver = events.some(({ type }) => type === "run_finished");
  // Killed before its first event was whole there is no run yet: the user starts it again.
  const next = isOver ? ["show", "--json"] : ["resume", "--json"];
  const again = await kit(events.length > 0 ? next : run);
  const end = endOf(played, isOver ? 0 : again.code, again.stdout, again.stderr);
  const repeated = server.requests.length - asked - (wanted.calls - finished);
  expect({ where, ...end, calls: wanted.calls, repeated }).toEqual({
    where,
    code: wanted.code,
    outcome: wanted.outcome,
    changedFiles: wanted.changedFiles,
    calls: wanted.calls,
    tree: wanted.tree,
    repeated: 0,
  });
  expect({ where, left: await survivorsAfter(home, 5_000) }).toEqual({ where, left: [] });
  return {
    at,
    killed: killed.signal === "SIGKILL",
    lastEvent: events.at(-1)?.type,
    finishedBefore: finished,
    treeAfter: isNew ? "new" : "old",
  };
}

/** `count` whole numbers from `first` to `last`, evenly apart. */
export function spread(first: number, last: number, count: number): readonly number[] {
  const gap = (last - first) / (count - 1);
  return Array.from({ length: count }, (_, index) => Math.round(first + index * gap));
}

/** The flags of a quick run name a file of the machine. */
function flagsOf({ flags }: CrashScene, played: Machine): readonly string[] {
  return flags.flatMap((flag) => (flag === "quick" ? played.quick : [flag]));
}

function endOf({ root, server }: Machine, code: number | null, stdout: string, stderr = ""): End {
  if (stdout === "") throw new Error(`no document, exit ${code}: ${stderr}`);
  const receipt = JSON.parse(stdout) as Receipt;
  if (receipt.outcome === undefined) throw new Error(stdout);
  const { outcome, changedFiles } = receipt;
  return { code, outcome, changedFiles, calls: server.requests.length, tree: treeOf(root) };
}

function sameTree(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return JSON.stringify([...left]) === JSON.stringify([...right]);
}

function logOf(root: string): readonly RecordedEvent[] {
  const runs = join(root, ".kit", "runs");
  const ids = existsSync(runs) ? readdirSync(runs).filter((name) => /^\d{8}-/.test(name)) : [];
  const log = join(runs, ids[0] ?? "", "events.jsonl");
  return ids.length > 0 && existsSync(log) ? parseEvents(readFileSync(log)).events : [];
}
