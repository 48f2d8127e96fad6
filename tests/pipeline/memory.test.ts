import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { budgetOf, measurePack } from "../../src/context-pack/index.ts";
import { openGit } from "../../src/lib/git.ts";
import { journaledRun, type Memory, readJournal } from "../../src/memory/index.ts";
import { journalFile, journalRun } from "../../src/pipeline/index.ts";
import { earlierRunsFor, withEarlierRuns } from "../../src/pipeline/memory.ts";
import { readRun } from "../../src/runs/index.ts";
import { escalatedRun } from "../memory/support.ts";
import {
  candidate,
  fileBlock,
  fixedMath,
  mathPack,
  packText,
  play,
  type Scene,
} from "./support.ts";

const task = "Fix add(), 2 + 3 gives -1";

function memoryOf(...tasks: readonly string[]): Memory {
  const runs = tasks.map((text, nth) => {
    const run = escalatedRun(`r${nth}`, { task: text, goal: "add adds", outcome: "exhausted" });
    return journaledRun({ ...run, attempts: run.attempts.slice(0, 1) }, []);
  });
  return { project: "p", runs, facts: [] };
}

/** A scout, a coder that fails, and one that succeeds. */
const scene: Scene = {
  task,
  coder: [candidate("p1/weak"), candidate("p2/strong")],
  answer({ candidate: name, request }) {
    if (request.systemPrompt.includes("scout")) return packText("src/math.js");
    return fileBlock("src/math.js", name === "p1/weak" ? "export const add = 1;\n" : fixedMath);
  },
};

describe("earlier runs of a repository", () => {
  test("are told to the scout and stand in the pack, as text and not as rules", async () => {
    const { calls, events } = await play({ ...scene, memory: memoryOf("Fix add(), it subtracts") });

    const [scout, coder] = calls;
    expect(scout?.prompt).toContain("# What earlier runs left behind");
    expect(scout?.prompt).toContain("[episode, run:r0 on 2026-11-30]");
    expect(coder?.prompt).toContain("as of an earlier run (run:r0)");
    expect(coder?.prompt).not.toContain("## repo_rules");
    expect(events.find(({ type }) => type === "pack_ready")).toMatchObject({
      report: expect.arrayContaining(["from an earlier run: episode_r0"]) as string[],
    });
  });

  test("are not spoken of where there are none, or none that have to do with the task", async () => {
    const { calls } = await play({ ...scene, memory: memoryOf("Print labels in colour") });

    expect(calls.map(({ prompt }) => prompt).join("\n")).not.toContain("earlier run");
    expect(withEarlierRuns(mathPack, memoryOf(), task)).toEqual({ pack: mathPack, added: [] });
  });

  test("never take a pack over its budget", () => {
    const many = memoryOf(...Array.from({ length: 150 }, () => task));
    const budgets = [60, 200, 500, 6_000];

    const grown = budgets.map((maxTokens) => {
      const pack = { ...mathPack, budget: { maxTokens } };
      return withEarlierRuns(pack, many, task);
    });

    for (const { pack } of grown) {
      const most = Math.max(
        budgetOf(pack),
        measurePack({ ...mathPack, budget: pack.budget ?? {} }),
      );
      expect(measurePack(pack)).toBeLessThanOrEqual(most);
    }
    expect(grown[0]?.added).toEqual([]);
    expect(grown[3]?.added.length).toBeGreaterThan(3);
    expect(measurePack(grown[3]?.pack ?? mathPack)).toBeLessThan(measurePack(mathPack) + 1_600);
  });

  test("wait outside where the files take the budget", () => {
    const memory = memoryOf("Fix add(), it subtracts");

    expect(withEarlierRuns(mathPack, memory, task).added).toHaveLength(2);
    const full = withEarlierRuns(mathPack, memory, task, () => 6_000);
    expect(full).toEqual({ pack: mathPack, added: [] });
  });

  test("are asked for as a fault or as a plan, as the task reads", () => {
    const memory = memoryOf("Add a parser for tabs");

    expect(earlierRunsFor(memory, "The parser for tabs crashes", false)).toContain("[episode");
    expect(earlierRunsFor(memory, "Teach the parser to read tabs", false)).toContain("[knowledge");
    expect(earlierRunsFor(memory, "Teach the parser to read tabs", true)).toContain("[episode");
    expect(earlierRunsFor(undefined, task, true)).toBeUndefined();
  });
});

describe("the journal", () => {
  test("gets a line when a run ends, with what later runs can learn", async () => {
    const { root } = await play(scene);
    const runsFolder = join(root, ".kit", "runs");

    const written = await journalRun(runsFolder, await readRun(runsFolder), await openGit(root));
    const { runs } = await readJournal(journalFile(runsFolder));

    expect(runs).toEqual([written]);
    expect(written).toMatchObject({
      outcome: "success",
      baseline: [{ command: "sh check.sh", green: false }],
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    expect(written?.entries.map(({ category }) => category)).toEqual([
      "plan",
      "error",
      "decision",
      "lesson",
    ]);
    expect(written?.entries[1]?.summary).toContain("AssertionError: 3 !== 5");
  });

  test("gets none of a run in which no model replied", async () => {
    const { root } = await play({
      ...scene,
      answer: () => ({ ok: false, failure: { kind: "auth", message: "signed out" } }),
    });
    const runsFolder = join(root, ".kit", "runs");

    expect(await journalRun(runsFolder, await readRun(runsFolder), undefined)).toBeUndefined();
  });
});

describe("a second look", () => {
  const files = {
    "src/math.js": "export const add = (a, b) => a - b;\n",
    "src/other.js": "export {};\n",
    "check.sh": "grep -q 'a + b' src/math.js || exit 1\n",
  };
  /** The first coder changes nothing; the scout first names the wrong file. */
  const blind = (second: string): Scene => ({
    ...scene,
    files,
    answer({ candidate: name, prompt, request }) {
      if (request.systemPrompt.includes("scout"))
        return prompt.includes("# Your pack was not enough") ? second : packText("src/other.js");
      return name === "p1/weak"
        ? fileBlock("src/other.js", files["src/other.js"])
        : fileBlock("src/math.js", fixedMath);
    },
  });

  test("after a coder that changed nothing adds files that the next one may change", async () => {
    const played = await play(blind(packText("src/other.js", "src/math.js")));

    expect(played.outcome).toMatchObject({ outcome: "success", changedFiles: ["src/math.js"] });
    expect(played.calls.map((call) => call.candidate)).toEqual([
      "p0/scout",
      "p1/weak",
      "p0/scout",
      "p2/strong",
    ]);
    expect(notesOf(played)).toContain("The scout looked again and added src/math.js");
  });

  test.each([
    ["an answer that is no pack", "Sorry.", "The scout looked again, without an answer"],
    ["nothing new", packText("src/other.js"), "The scout looked again and found no further file"],
  ])("that brings %s leaves the pack as it is", async (_, second, note) => {
    const played = await play(blind(second));

    expect(played.calls.filter((call) => call.candidate === "p0/scout")).toHaveLength(2);
    expect(notesOf(played).join("\n")).toContain(note);
  });

  test("happens once a run, not for a user's pack, and not when nobody would see it", async () => {
    const asked = async (own: Partial<Scene>): Promise<number> => {
      const { calls } = await play({ ...blind(packText("src/other.js")), ...own });
      return calls.filter((call) => call.candidate === "p0/scout").length;
    };
    const nothing = blind("").answer;
    const always: Scene["answer"] = (call) =>
      nothing({ ...call, candidate: call.candidate === "p0/scout" ? "p0/scout" : "p1/weak" });
    const coder = ["p1/a", "p2/b", "p3/c"].map((name) => candidate(name));

    expect(await asked({ coder, answer: always })).toBe(2);
    expect(await asked({ coder: coder.slice(0, 1), answer: always })).toBe(1);
    expect(
      await asked({
        coder,
        answer: always,
        pack: { ...mathPack, relevantFiles: [{ path: "src/other.js" }] },
      }),
    ).toBe(0);
  });
});

describe("a second look within the budget", () => {
  const long = "export const one = 1; // a line like many others\n".repeat(1_200);
  const seen = (files: Record<string, string>): Scene => ({
    ...scene,
    files: { "check.sh": "grep -q 'a + b' src/math.js || exit 1\n", ...files },
    answer({ candidate: name, prompt, request }) {
      if (request.systemPrompt.includes("scout"))
        return prompt.includes("# Your pack was not enough")
          ? packText("src/other.js", "src/large.js", "src/math.js")
          : packText("src/other.js");
      return name === "p1/weak"
        ? fileBlock("src/other.js", files["src/other.js"] ?? "")
        : fileBlock("src/math.js", fixedMath);
    },
  });

  test("adds what fits with its contents and passes over what does not", async () => {
    const played = await play(
      seen({ "src/math.js": "let a;\n", "src/other.js": "export {};\n", "src/large.js": long }),
    );

    expect(notesOf(played)).toContain("The scout looked again and added src/math.js");
    expect(played.outcome.outcome).toBe("success");
  });

  test("is not paid for where no file would fit", async () => {
    const played = await play(
      seen({ "src/math.js": "let a;\n", "src/other.js": `${long}\n`, "src/large.js": long }),
    );

    expect(played.calls.filter((call) => call.candidate === "p0/scout")).toHaveLength(1);
    expect(notesOf(played).join("\n")).toContain("The scout was not asked again");
  });
});

describe("a coder's window", () => {
  test("that is too small for the pack gets it pruned by rule, and the run says so", async () => {
    const pack = {
      ...mathPack,
      relevantSnippets: [{ path: "src/math.js", content: "const one = 1;\n".repeat(300) }],
    };
    const coder = [candidate("p2/strong", { contextWindow: 2_000 })];

    const played = await play({ ...scene, pack, coder });

    expect(played.outcome.outcome).toBe("success");
    expect(played.calls[0]?.prompt).not.toContain("const one = 1;");
    expect(notesOf(played)).toContain(
      "For the window of p2/strong (p2/strong): snippet of src/math.js left out",
    );
  });

  test("that is too small all the same is skipped", async () => {
    const coder = [candidate("p1/tiny", { contextWindow: 200 }), candidate("p2/strong")];

    const { calls, events } = await play({ ...scene, pack: mathPack, coder });

    expect(calls.map((call) => call.candidate)).toEqual(["p2/strong"]);
    expect(events.find(({ type }) => type === "candidate_skipped")).toMatchObject({
      reason: expect.stringContaining("is over its window of 200") as string,
    });
  });
});

function notesOf({ events }: Awaited<ReturnType<typeof play>>): string[] {
  return events.flatMap((event) => (event.type === "note" ? [event.message] : []));
}
