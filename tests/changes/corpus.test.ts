import { beforeAll, describe, expect, it } from "vitest";
import { scoreCases, scoreReplies, type Score } from "../../scripts/corpus-score.ts";

const folder = process.env["KIT_CORPUS_DIR"];

describe.skipIf(folder === undefined)("the corpus of recorded replies (KIT_CORPUS_DIR)", () => {
  let replies: readonly Score[] = [];
  let cases: readonly Score[] = [];

  beforeAll(async () => {
    replies = await scoreReplies(folder ?? "");
    cases = await scoreCases(folder ?? "");
  });

  const wrong = (scores: readonly Score[]): readonly string[] =>
    scores.filter((score) => score.result === "wrong").map(({ id, detail }) => `${id}: ${detail}`);

  it("writes nothing wrong and nothing by halves", () => {
    expect(wrong(cases)).toEqual([]);
  });

  it("refuses every case that must be refused", () => {
    const rejects = cases.filter((score) => score.verdict === "reject");

    expect(rejects.filter((score) => score.result !== "refused")).toEqual([]);
  });

  it("applies the cases that can be applied, all but one in twenty-five", () => {
    const applies = cases.filter((score) => score.verdict === "apply");
    const refused = applies.filter((score) => score.result === "refused");

    expect(refused.length).toBeLessThanOrEqual(Math.ceil(applies.length / 26));
  });

  it("reads at least 97 % of verified replies exactly, and invents no path", () => {
    const verified = replies.filter((score) => score.verified);
    const right = verified.filter((score) => score.result === "right");

    expect(right.length / verified.length).toBeGreaterThanOrEqual(0.97);
    expect(wrong(verified)).toEqual([]);
    expect(replies.filter((score) => score.detail.startsWith("invented"))).toEqual([]);
  });
});
