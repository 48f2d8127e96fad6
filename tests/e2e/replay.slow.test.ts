import { expect, test } from "vitest";
import { snapshot } from "../support/repository.ts";
import { coderRule, type Machine, machine, reached, scenario, scoutRule, task } from "./support.ts";

/** Decides the last run of a machine again, and sees to it that nobody is asked and nothing written. */
async function replayedAlike({ root, server, kit }: Machine): Promise<void> {
  const before = snapshot(root, [".git"]);
  const asked = server.requests.length;

  const replayed = await kit(["replay", "--json"]);

  expect(JSON.parse(replayed.stdout)).toMatchObject({ same: true, differences: [], damages: [] });
  expect(replayed.code).toBe(0);
  expect(server.requests).toHaveLength(asked);
  expect(snapshot(root, [".git"])).toEqual(before);
}

test("a run through the real pi is decided again as it was, without the models", async () => {
  const played = await machine({
    scenario: scenario([
      scoutRule,
      coderRule("p1/first", "a * b"),
      coderRule("p2/second", "a + b"),
    ]),
  });
  const { receipt } = await played.run([]);
  expect(receipt).toMatchObject({ outcome: "success", escalated: true });

  await replayedAlike(played);
}, 120_000);

test("so is one that was made in a tree of its own", async () => {
  const played = await machine({
    scenario: scenario([
      scoutRule,
      coderRule("p1/first", "a * b"),
      coderRule("p2/second", "a + b"),
    ]),
  });
  const { receipt } = await played.run(["--isolate"]);
  expect(receipt).toMatchObject({ outcome: "success", landed: { to: "tree" } });

  await replayedAlike(played);
}, 120_000);

test("so is one that was killed and resumed", async () => {
  const played = await machine({
    scenario: scenario([scoutRule, coderRule("p1/first", "a + b", "delayMs: 3000")]),
  });
  const running = played.start(["run", task]);
  await reached(played.root, running, { type: "call_started", nth: 2 });
  running.process.kill("SIGKILL");
  await running.ended;
  expect((await played.kit(["resume"])).code).toBe(0);

  await replayedAlike(played);
}, 120_000);
