import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { forEachAtOnce } from "../../src/changes/transaction/concurrency.ts";
import {
  type Crash,
  crashAt,
  type CrashScene,
  escalating,
  isolated,
  spread,
  undisturbed,
} from "./crash.ts";

/** Points of each scene; `npm run crash` asks for more. */
const points = Number(process.env["KIT_CRASH_POINTS"] ?? 30);

const LAST = 4;

const scenes: readonly (readonly [name: string, scene: CrashScene, count: number])[] = [
  ["in the user's tree", escalating, Math.ceil(points * 0.7)],
  ["in a tree of its own", isolated, Math.floor(points * 0.3)],
];

test.each(scenes)(
  "a run %s that is killed -9 leaves a whole tree, and resumed ends as it would have",
  { timeout: 3_600_000 },
  async (name, scene, count) => {
    const undo: (() => void | Promise<void>)[] = [];
    const wanted = await undisturbed(scene, (each) => void undo.push(each));
    const crashes: Crash[] = [];
    // The change stands by then. Runs differ by a few effects, so not the very last ones.
    const last = Array.from({ length: LAST }, (_, back) => wanted.effects - 5 * (back + 1));
    const places = [...spread(1, wanted.effects - 5 * (LAST + 1), count - LAST), ...last];
    await forEachAtOnce(places, availableParallelism(), async (at) => {
      const ends: (() => void | Promise<void>)[] = [];
      crashes.push(await crashAt(at, scene, wanted, (each) => void ends.push(each)));
      for (const end of ends) await end();
    });
    for (const end of undo) await end();
    process.stdout.write(`${name}: ${figuresOf(crashes, wanted.effects)}\n`);
    // On a busy machine a run has fewer effects or more: some of the points are then not reached.
    expect(crashes.filter(({ killed }) => killed).length).toBeGreaterThan(count / 2);
  },
);

function figuresOf(crashes: readonly Crash[], effects: number): string {
  const killed = crashes.filter((crash) => crash.killed);
  const moments = new Set(killed.map(({ lastEvent }) => lastEvent ?? "nothing"));
  const finished = killed.reduce((sum, { finishedBefore }) => sum + finishedBefore, 0);
  const isNew = killed.filter(({ treeAfter }) => treeAfter === "new").length;
  return `${killed.length} kills at ${crashes.length} of ${effects} points, after ${moments.size} kinds of events; tree old ${killed.length - isNew}, new ${isNew}; ${finished} finished calls, 0 repeated; 0 orphans`;
}
