import { expect, test } from "vitest";
import { snapshot } from "../support/repository.ts";
import { coderRule, machine, scenario, scoutRule } from "./support.ts";

test("a run through the real pi is decided again as it was, without the models", async () => {
  const { root, server, kit, run } = await machine({
    scenario: scenario([
      scoutRule,
      coderRule("p1/first", "a * b"),
      coderRule("p2/second", "a + b"),
    ]),
  });
  const { receipt } = await run([]);
  expect(receipt).toMatchObject({ outcome: "success", escalated: true });
  const before = snapshot(root, [".git"]);

  const asked = server.requests.length;

  const replayed = await kit(["replay", "--json"]);

  expect(JSON.parse(replayed.stdout)).toMatchObject({ same: true, differences: [], damages: [] });
  expect(replayed.code).toBe(0);
  expect(server.requests).toHaveLength(asked);
  expect(snapshot(root, [".git"])).toEqual(before);
}, 120_000);
