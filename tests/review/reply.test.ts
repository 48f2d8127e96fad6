import { assert, constantFrom, array, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { findingLine, parseReview } from "../../src/review/index.ts";

const changed = ["src/shop/cart.ts", "src/shop/price.ts", "README.md"];

function reviewOf(reply: string): unknown {
  const result = parseReview(reply, changed);
  return result.ok ? result.review : result.failure.message;
}

const severe = {
  severity: "severe",
  file: "src/shop/cart.ts",
  line: 12,
  text: "an empty cart divides by zero",
};

describe("a review", () => {
  it.each([
    ["as asked", "VERDICT: block\n- severe `src/shop/cart.ts:12` — an empty cart divides by zero"],
    [
      "with bold",
      "**VERDICT: block**\n\n- **severe** `src/shop/cart.ts:12` – an empty cart divides by zero",
    ],
    ["numbered", "Verdict: BLOCK\n1. Severe: src/shop/cart.ts:12 - an empty cart divides by zero"],
    [
      "in brackets",
      "VERDICT: reject\n* [critical] src/shop/cart.ts#L12: an empty cart divides by zero",
    ],
    [
      "with a range",
      "VERDICT: block\n- severe `src/shop/cart.ts:12-15` — an empty cart divides by zero",
    ],
    [
      "with words for the line",
      "# VERDICT: block\r\n- High: `src/shop/cart.ts` (line 12): an empty cart divides by zero\r\n",
    ],
    [
      "with the path of a diff",
      "VERDICT: block\n- severe b/src/shop/cart.ts:12: an empty cart divides by zero",
    ],
    [
      "with the end of a path",
      "VERDICT: block\n- severe cart.ts:12 — an empty cart divides by zero",
    ],
    ["without its first line", "- severe `src/shop/cart.ts:12` — an empty cart divides by zero"],
    [
      "after a preamble",
      "Here is my review.\n\nVERDICT: block\n\n- severe `src/shop/cart.ts:12` — an empty cart divides by zero",
    ],
    [
      "as JSON",
      '```json\n{"verdict": "block", "findings": [{"severity": "critical", "file": "src/shop/cart.ts", "line": 12, "text": "an empty cart divides by zero"}]}\n```',
    ],
  ])("is read %s", (_, reply) => {
    expect(reviewOf(reply)).toEqual({ blocks: true, findings: [severe] });
  });

  it.each([
    "VERDICT: pass",
    "verdict: **pass**",
    "VERDICT: approved\n\nNothing severe.",
    '{"verdict":"pass"}',
  ])("passes without findings: %s", (reply) => {
    expect(reviewOf(reply)).toEqual({ blocks: false, findings: [] });
  });

  it("passes with minor findings, and keeps them", () => {
    expect(reviewOf("VERDICT: pass\n- minor `README.md:3` — says the old name")).toEqual({
      blocks: false,
      findings: [{ severity: "minor", file: "README.md", line: 3, text: "says the old name" }],
    });
  });

  it("blocks by a severe finding, whatever its first line says", () => {
    expect(
      reviewOf("VERDICT: pass\n- severe `src/shop/cart.ts:12` — an empty cart divides by zero"),
    ).toEqual({ blocks: true, findings: [severe] });
  });

  it.each([
    ["no line", "- severe `src/shop/cart.ts` — an empty cart divides by zero"],
    ["a file that was not changed", "- severe `src/other.ts:3` — an empty cart divides by zero"],
    ["no place at all", "- severe — this looks wrong to me"],
    ["a name that two files end with", "- severe `x.ts:3` — wrong"],
  ])("takes a severe finding with %s as minor", (_, line) => {
    expect(parseReview(`VERDICT: pass\n${line}`, [...changed, "a/x.ts", "b/x.ts"])).toMatchObject({
      ok: true,
      review: { blocks: false, findings: [{ severity: "minor" }] },
    });
  });

  it.each([
    ["that says nothing of the change", "I cannot review this."],
    ["that is empty", ""],
    ["that blocks without a reason", "VERDICT: block"],
    ["that blocks for a doubt", "VERDICT: block\n- severe — I do not like it"],
    ["that is a story about a verdict", "The verdict of the jury was mixed."],
  ])("is refused where it is one %s", (_, reply) => {
    expect(parseReview(reply, changed)).toMatchObject({ ok: false, failure: { kind: "format" } });
  });

  it("is bounded in findings and in their length, severe ones first", () => {
    const minor = "- minor `README.md:1` — x\n".repeat(20);
    const long = `- severe \`src/shop/cart.ts:12\` — ${"y".repeat(5_000)}`;
    const result = parseReview(`VERDICT: block\n${minor}${long}`, changed);
    expect(result.ok && result.review.findings).toHaveLength(7);
    expect(result.ok && result.review.findings[0]).toMatchObject({ severity: "severe" });
    expect(result.ok && result.review.findings[0]?.text.length).toBe(400);
  });

  it("never throws, and never blocks without a place in the change", () => {
    const word = constantFrom(
      "VERDICT:",
      "block",
      "pass",
      "- severe",
      "src/shop/cart.ts:1",
      "—",
      "{",
      "}",
      "\n",
      "`",
      '"verdict"',
      ":",
    );
    assert(
      property(array(string({ unit: "binary", maxLength: 8 })), array(word), (noise, words) => {
        const result = parseReview([...words, ...noise].join(" "), changed);
        if (!result.ok || !result.review.blocks) return;
        const [first] = result.review.findings;
        expect(changed).toContain(first?.file);
        expect(first?.line).toBeGreaterThan(0);
      }),
    );
  });

  it("tells a finding on one line", () => {
    expect(findingLine({ severity: "minor", file: "a.ts", line: 3, text: "why" })).toBe(
      "a.ts:3: why",
    );
    expect(findingLine({ severity: "minor", text: "why" })).toBe("why");
  });
});
