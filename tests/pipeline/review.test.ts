import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { receiptOf } from "../../src/runs/index.ts";
import { repository, snapshot } from "../support/repository.ts";
import {
  type Answer,
  candidate,
  fileBlock,
  fixedMath,
  mathPack,
  play,
  type Played,
  redRepository,
  type Scene,
} from "./support.ts";

const coder = candidate("p1/coder");
const second = candidate("p2/second");
const critic = candidate("p3/critic");
const judge = candidate("p4/judge");

const right = fileBlock("src/math.js", fixedMath);
const alsoRight = fileBlock("src/math.js", `// Adds.\n${fixedMath}`);
const pass = "VERDICT: pass";
const block = "VERDICT: block\n- severe `src/math.js:1` — add() of two strings joins them";

/** Coders answer with `right`; reviewers as `says` has it. */
function reviewed(scene: Partial<Scene>, says: Answer): Promise<Played> {
  const { review = { candidates: [critic] } } = scene;
  const reviewers = new Set(review.candidates.map(({ backend }) => backend));
  return play({
    pack: mathPack,
    coder: [coder],
    ...scene,
    review,
    answer: (call) =>
      reviewers.has(call.candidate) ? says(call) : (scene.answer ?? (() => right))(call),
  });
}

function called({ calls }: Played): string[] {
  return calls.map(({ candidate: name }) => name);
}

function reviewOf({ events }: Played): unknown {
  return receiptOf(events, "/run").review;
}

describe("a review", () => {
  test("lets a change stand that no reviewer blocks, and says who looked", async () => {
    const played = await reviewed({}, () => `${pass}\n- minor \`src/math.js:1\` — no comment`);
    expect(played.outcome).toMatchObject({ outcome: "success", changedFiles: ["src/math.js"] });
    expect(reviewOf(played)).toMatchObject({
      asked: 1,
      answered: [{ provider: "p3", model: "critic" }],
      passed: true,
      findings: [{ severity: "minor", file: "src/math.js", line: 1, text: "no comment" }],
    });
  });

  test("sees the diff, the pack and what the tests said, in fences", async () => {
    const { calls } = await reviewed({}, () => pass);
    const prompt = calls.at(-1)?.prompt ?? "";
    expect(prompt).toContain("```diff\n");
    expect(prompt).toContain("+export const add = (a, b) => a + b;");
    expect(prompt).toContain("add(2, 3) returns 5.");
    expect(prompt).toContain("the tests were red before the change and are green with it");
  });

  test("goes back to the coder once, with the findings and its change", async () => {
    const played = await reviewed(
      { answer: ({ nth }) => (nth === 1 ? right : alsoRight) },
      ({ nth }) => (nth === 1 ? block : pass),
    );
    expect(called(played)).toEqual(["p1/coder", "p3/critic", "p1/coder", "p3/critic"]);
    expect(played.calls[2]?.prompt).toContain("src/math.js:1: add() of two strings joins them");
    expect(played.calls[2]?.prompt).toContain("+export const add = (a, b) => a + b;");
    expect(played.outcome).toMatchObject({ outcome: "success" });
    expect(readFileSync(join(played.root, "src/math.js"), "utf8")).toContain("// Adds.");
  });

  test("that blocks again moves to the next coder, which is told why", async () => {
    const played = await reviewed(
      {
        coder: [coder, second],
        answer: ({ candidate: name, nth }) =>
          name === "p1/coder" && nth === 1
            ? right
            : fileBlock("src/math.js", `// ${name}\n${fixedMath}`),
      },
      ({ prompt }) => (prompt.includes("// p2/second") ? pass : block),
    );
    expect(called(played).filter((name) => name !== "p3/critic")).toEqual([
      "p1/coder",
      "p1/coder",
      "p2/second",
    ]);
    expect(played.calls.findLast((call) => call.candidate === "p2/second")?.prompt).toContain(
      "review_blocked: p3/critic (p3/critic) blocks it",
    );
    expect(played.outcome.outcome).toBe("success");
  });

  test("that nobody gets past leaves the tree as it was", async () => {
    const root = repository(redRepository);
    const before = snapshot(root, [".git", ".kit"]);
    const { outcome } = await reviewed(
      { root, answer: ({ nth }) => (nth === 1 ? right : alsoRight) },
      () => block,
    );
    expect(outcome).toMatchObject({
      outcome: "exhausted",
      exitCode: 1,
      failure: { kind: "review_blocked" },
    });
    expect(snapshot(root, [".git", ".kit"])).toEqual(before);
  });

  test("is never asked of the model that wrote the change, under whatever name", async () => {
    const itself = candidate("p9/acme/coder:high");
    const played = await reviewed({ review: { candidates: [itself, critic] } }, () => pass);
    expect(called(played)).toEqual(["p1/coder", "p3/critic"]);
  });

  test("that nobody gives leaves the green change, and says that nobody looked", async () => {
    const played = await reviewed({}, () => ({
      ok: false,
      failure: { kind: "auth", message: "signed out" },
    }));
    expect(played.outcome).toMatchObject({ outcome: "success", exitCode: 0 });
    expect(reviewOf(played)).toMatchObject({ asked: 1, answered: [], passed: false });
  });

  test("that cannot be read is asked for once more, then of the next reviewer", async () => {
    const played = await reviewed(
      { review: { candidates: [critic, judge] } },
      ({ candidate: name }) => (name === "p4/judge" ? pass : "Looks good to me!"),
    );
    expect(called(played)).toEqual(["p1/coder", "p3/critic", "p3/critic", "p4/judge"]);
    expect(reviewOf(played)).toMatchObject({ answered: [{ model: "judge" }], passed: true });
  });

  test("by several needs each of them, and counts only those that answered", async () => {
    const review = { candidates: [critic, judge], reviewers: 3 };
    const agreed = await reviewed({ review }, () => pass);
    expect(reviewOf(agreed)).toMatchObject({
      asked: 3,
      answered: [{ model: "critic" }, { model: "judge" }],
      passed: true,
    });
    const split = await reviewed({ review }, ({ candidate: name }) =>
      name === "p4/judge" ? block : pass,
    );
    expect(split.outcome).toMatchObject({ failure: { kind: "repeat" } });
    expect(reviewOf(split)).toMatchObject({ passed: false });
  });

  test("keeps its attempts apart in the record", async () => {
    const { events } = await reviewed(
      { answer: ({ nth }) => (nth === 1 ? right : alsoRight) },
      ({ nth }) => (nth === 1 ? block : pass),
    );
    const attempts = receiptOf(events, "/run").attempts;
    expect(attempts.map(({ step, attempt, calls }) => [step, attempt, calls])).toEqual([
      ["coder", 1, 2],
      ["review", 1, 1],
      ["review", 2, 1],
    ]);
  });
});
