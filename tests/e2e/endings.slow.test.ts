import { describe, test } from "vitest";
import type { RunAtEnd } from "../support/repository.ts";
import { survivorsAfter } from "./processes.ts";
import {
  coderRule,
  type KitResult,
  machine,
  type Machine,
  type Moment,
  reached,
  scenario,
  scoutRule,
  task,
  treeOf,
} from "./support.ts";

const moments: readonly Moment[] = [
  { type: "run_started", nth: 1 },
  { type: "step_started", nth: 1 },
  { type: "baseline", nth: 1 },
  { type: "call_started", nth: 1 },
  { type: "call_finished", nth: 1 },
  { type: "pack_ready", nth: 1 },
  { type: "call_started", nth: 2 },
  { type: "plan_ready", nth: 1 },
  { type: "applied", nth: 1 },
  { type: "verdict", nth: 1 },
  { type: "rolled_back", nth: 1 },
  { type: "call_started", nth: 3 },
  { type: "applied", nth: 2 },
];

/** Slow enough to be caught at every step: models and tests take their time. */
async function slowMachine(atEnd: RunAtEnd): Promise<Machine> {
  const delay = "delayMs: 700";
  return machine({
    scenario: scenario([
      scoutRule.replace("reply:", `${delay}\n    reply:`),
      coderRule("p1/first", "a * b", delay),
      coderRule("p2/second", "a + b", delay),
    ]),
    atEnd,
  });
}

/** Starts a run, waits for the moment, sends the signal, and gives what it ended with. */
async function interruptAt(
  { root, start }: Machine,
  moment: Moment,
  signal: NodeJS.Signals,
): Promise<KitResult["code"]> {
  const running = start(["run", task, "--test", "sleep 0.7; node --test"]);
  await reached(root, running, moment);
  running.process.kill(signal);
  return (await running.ended).code;
}

describe.concurrent("Ctrl-C", () => {
  test.for(moments)(
    "at $type $nth ends with 130, no child left and kit's writes undone",
    async (moment, { expect, onTestFinished }) => {
      const here = await slowMachine(onTestFinished);
      const before = treeOf(here.root);
      expect(await interruptAt(here, moment, "SIGINT")).toBe(130);
      expect(await survivorsAfter(here.home, 2_000)).toEqual([]);
      expect(treeOf(here.root)).toEqual(before);
    },
  );
});

describe.concurrent("kill -9", () => {
  test.for(moments)(
    "at $type $nth leaves no child, and the next command puts the tree right",
    async (moment, { expect, onTestFinished }) => {
      const here = await slowMachine(onTestFinished);
      const before = treeOf(here.root);
      expect(await interruptAt(here, moment, "SIGKILL")).toBeNull();
      expect(await survivorsAfter(here.home, 2_000)).toEqual([]);
      const { code, stdout } = await here.kit(["runs"]);
      expect(code).toBe(0);
      expect(stdout).toContain("interrupted");
      expect(treeOf(here.root)).toEqual(before);
    },
  );

  test("does not stand in the way of the next run", async ({ expect, onTestFinished }) => {
    const here = await slowMachine(onTestFinished);
    await interruptAt(here, { type: "applied", nth: 1 }, "SIGKILL");
    expect((await here.kit(["run", task, "--quiet"])).code).toBe(0);
  });
});
