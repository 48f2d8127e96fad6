import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Replayed, replayRun } from "../../../src/pipeline/index.ts";
import { readRun } from "../../../src/runs/index.ts";
import { snapshot } from "../../support/repository.ts";
import { candidate, fileBlock, fixedMath, mathPack, type Played, play } from "../support.ts";
import { coderReplies, sceneOf, type Variation } from "./scenes.ts";

const usual: Variation = {
  scout: ["a pack"],
  coder: ["right"],
  repairs: "off",
  givesPack: false,
  keepFailed: false,
  maxAttempts: 3,
};

async function replayOf({ root, id }: Played): Promise<Replayed> {
  return replayRun(await readRun(join(root, ".kit", "runs"), id), "9.9.9");
}

/** Changes the log of a run, line by line. */
function changeLog({ root, id }: Played, change: (line: string) => string): void {
  const file = join(root, ".kit", "runs", id, "events.jsonl");
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => (line ? change(line) : line));
  writeFileSync(file, lines.join("\n"));
}

const runs: Readonly<Record<string, Partial<Variation>>> = {
  "that repaired an edit that did not fit": {
    coder: ["wrong", "misfits", "edits"],
    repairs: "last",
  },
  "with a second scout, a spent account and a touched test": {
    scout: ["no pack", "a pack with more"],
    coder: ["spent", "the check", "another sum"],
  },
  "without a pack": { scout: ["no pack"] },
  "that waited, grew its pack, repeated itself and kept what failed": {
    givesPack: true,
    coder: ["short limit", "needs more", "wrong", "wrong"],
    keepFailed: true,
  },
  "that gave an overloaded provider three tries": {
    givesPack: true,
    coder: ["overloaded", "overloaded", "overloaded", "a new test"],
  },
};

test.each(Object.entries(runs))("a run %s is decided again as it was", async (_name, variation) => {
  const played = await play(sceneOf({ ...usual, ...variation }));
  const before = snapshot(played.root, [".git"]);

  const replayed = await replayOf(played);

  expect(replayed).toMatchObject({ same: true, differences: [], damages: [] });
  expect(replayed.checks.length).toBeGreaterThan(3);
  expect(replayed).not.toHaveProperty("endsEarly");
  expect(snapshot(played.root, [".git"])).toEqual(before);
});

test("a run with a reviewer who blocked the first change is decided again as it was", async () => {
  const [coder, critic] = [candidate("p1/coder"), candidate("p3/critic")];
  const block = "VERDICT: block\n- severe `src/math.js:1` — add() of two strings joins them";
  const coded = [fixedMath, `// Adds.\n${fixedMath}`].map((text) => fileBlock("src/math.js", text));
  const said = [block, "VERDICT: pass"];
  const played = await play({
    pack: mathPack,
    coder: [coder],
    review: { candidates: [critic] },
    answer: ({ candidate: name }) => (name === critic.backend ? said : coded).shift() ?? "",
  });
  expect(played.outcome.outcome).toBe("success");

  const replayed = await replayOf(played);

  expect(replayed).toMatchObject({ same: true, differences: [], damages: [] });
  expect(replayed.checks.filter(({ where }) => where === "review").length).toBeGreaterThan(1);
});

test("a reply, a verdict and an object that somebody edited are found", async () => {
  const played = await play(sceneOf({ ...usual, givesPack: true }));

  changeLog(played, (line) =>
    line.replaceAll('"kind":"fixed","accepted"', '"kind":"green","accepted"'),
  );
  const [difference] = (await replayOf(played)).differences;
  expect(difference).toMatchObject({ where: "coder 1", what: "verdict" });
  expect(difference?.recorded).toMatch(/^green: /);
  expect(difference?.now).toMatch(/^fixed: /);

  const run = await readRun(join(played.root, ".kit", "runs"), played.id);
  const reply = run.events.find((event) => event.type === "call_finished")?.reply ?? "";
  writeFileSync(join(run.folder, "objects", reply), fileBlock("src/math.js", "// nothing\n"));
  const { same, damages, checks } = await replayOf(played);
  expect({ same, checks }).toEqual({ same: false, checks: [] });
  expect(damages).toEqual([
    `the object ${reply.slice(0, 12)} (reply of call 1) does not hold what its name says`,
  ]);
});

test("a line that is gone from the log is found", async () => {
  const played = await play(sceneOf({ ...usual, givesPack: true }));
  changeLog(played, (line) => (line.includes('"type":"applied"') ? "" : line));

  expect((await replayOf(played)).damages[0]).toMatch(/^its log is not whole before event/);
});

test("what the record never saw is not guessed: another change ends the comparison", async () => {
  const played = await play(sceneOf({ ...usual, givesPack: true }));
  changeLog(played, (line) => {
    const event = JSON.parse(line) as { type: string; planHash?: string };
    return event.type === "plan_ready" ? JSON.stringify({ ...event, planHash: "0" }) : line;
  });

  const replayed = await replayOf(played);

  expect(replayed.endsEarly).toBe("no test has seen this change");
  expect(replayed.differences[0]).toMatchObject({ where: "coder 1", what: "plan" });
});

test("a reply with a secret in it was not kept, and that is said", async () => {
  const key = ["ghp", "a8Bq2LmN4pQ6rS8tU0vW2xY4zA6bC8dE0fG2"].join("_");
  const played = await play({
    ...sceneOf({ ...usual, givesPack: true }),
    answer: () => fileBlock("src/math.js", `// ${key}\n${fixedMath}`),
  });

  await expect(replayOf(played)).rejects.toThrow("held what looks like a secret");
});

test("an interrupted run is the same as far as it went", async () => {
  const controller = new AbortController();
  const played = await play({
    ...sceneOf({ ...usual, givesPack: true }),
    coder: [candidate("p1/a"), candidate("p2/b")],
    signal: controller.signal,
    answer({ candidate: name }) {
      if (name === "p1/a") return coderReplies["wrong"] ?? "";
      controller.abort();
      return { ok: false, failure: { kind: "network", message: "gone" } };
    },
  });

  expect(await replayOf(played)).toMatchObject({ same: true });
});
