import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { candidate, fileBlock, fixedMath, mathPack, play, redRepository } from "./support.ts";

test("a second run on the same tree takes the baseline from the first, and judges by it", async () => {
  const root = repository({
    ...redRepository,
    ".gitignore": "runs\n",
    "check.sh": `sleep 1.1; sleep 1.1; echo run >> runs; ${redRepository["check.sh"]}`,
  });
  const scene = { root, pack: mathPack, coder: [candidate("p1/a")], testSettings: "s" };
  const runs = (): number => readFileSync(join(root, "runs"), "utf8").trim().split("\n").length;

  const refused = await play({ ...scene, answer: () => fileBlock("src/math.js", "// no\n") });
  expect([refused.outcome.outcome, runs()]).toEqual(["exhausted", 3]);

  const fixed = await play({ ...scene, answer: () => fileBlock("src/math.js", fixedMath) });
  expect([fixed.outcome.outcome, runs()]).toEqual(["success", 4]);
  expect(fixed.events.find((event) => event.type === "verdict")).toMatchObject({
    kind: "fixed",
    evidence: "fixed",
  });
});
