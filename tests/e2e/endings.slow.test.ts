import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RecordedEvent } from "../../src/contracts/index.ts";
import { snapshot } from "../support/repository.ts";
import { survivorsAfter } from "./processes.ts";
import { coderRule, machine, type Machine, scenario, scoutRule } from "./support.ts";

/** A moment of a run: the n-th event of a type, as it stands in the log. */
interface Moment {
  readonly type: RecordedEvent["type"];
  readonly nth: number;
}

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
async function slowMachine(): Promise<Machine> {
  const delay = "delayMs: 700";
  return machine({
    scenario: scenario([
      scoutRule.replace("reply:", `${delay}\n    reply:`),
      coderRule("p1/first", "a * b", delay),
      coderRule("p2/second", "a + b", delay),
    ]),
  });
}

const testCommand = "sleep 0.7; node --test";

/** Starts a run, waits for the moment, sends the signal, and gives what it ended with. */
async function interruptAt(
  { root, start }: Machine,
  moment: Moment,
  signal: NodeJS.Signals,
): Promise<number | null> {
  const running = start(["run", "add(2, 3) must be 5", "--test", testCommand]);
  let over = false;
  const ended = running.ended.finally(() => (over = true));
  while (!over && !logHolds(join(root, ".kit", "runs"), moment)) await setTimeout(5);
  if (over)
    throw new Error(`the run ended before ${moment.type} ${moment.nth}: ${(await ended).stderr}`);
  running.process.kill(signal);
  return (await ended).code;
}

function logHolds(runs: string, { type, nth }: Moment): boolean {
  const [run] = existsSync(runs) ? readdirSync(runs).filter((name) => !name.startsWith(".")) : [];
  const log = join(runs, run ?? "", "events.jsonl");
  if (run === undefined || !existsSync(log)) return false;
  return readFileSync(log, "utf8").split(`"type":"${type}"`).length > nth;
}

function treeOf(root: string): Map<string, string> {
  return snapshot(root, [".git", ".kit"]);
}

describe("Ctrl-C", () => {
  test.each(moments)(
    "at $type $nth ends with 130, no child left and kit's writes undone",
    async (moment) => {
      const here = await slowMachine();
      const before = treeOf(here.root);
      expect(await interruptAt(here, moment, "SIGINT")).toBe(130);
      expect(await survivorsAfter(here.home, 2_000)).toEqual([]);
      expect(treeOf(here.root)).toEqual(before);
    },
  );
});

describe("kill -9", () => {
  test.each(moments)(
    "at $type $nth leaves no child, and the next command puts the tree right",
    async (moment) => {
      const here = await slowMachine();
      const before = treeOf(here.root);
      expect(await interruptAt(here, moment, "SIGKILL")).toBeNull();
      expect(await survivorsAfter(here.home, 2_000)).toEqual([]);
      const { code, stdout } = await here.kit(["runs"]);
      expect(code).toBe(0);
      expect(stdout).toContain("interrupted");
      expect(treeOf(here.root)).toEqual(before);
      expect((await here.kit(["run", "add(2, 3) must be 5", "--quiet"])).code).toBe(0);
    },
  );
});
