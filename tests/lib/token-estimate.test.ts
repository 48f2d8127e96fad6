import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, property, string } from "fast-check";
import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/lib/text.ts";

const folder = join(import.meta.dirname, "..", "fixtures", "source-samples");

/** Each sample whole, and its passages of 25 lines, as excerpts are. */
function passagesOf(name: string): string[] {
  const text = readFileSync(join(folder, name), "utf8");
  const lines = text.split("\n");
  const starts = Array.from({ length: Math.floor(lines.length / 10) }, (_, nth) => nth * 10);
  return [text, ...starts.map((start) => lines.slice(start, start + 25).join("\n"))];
}

/** How far the estimate is from what a real tokenizer (o200k) counts; -0.1 is a tenth too few. */
function errorOf(text: string): number {
  return estimateTokens(text) / encode(text).length - 1;
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

describe("estimateTokens", () => {
  test.each(readdirSync(folder))(
    "stays within a fifth of what a real tokenizer counts: %s",
    (name) => {
      const errors = passagesOf(name).map((passage) => Math.abs(errorOf(passage)));

      expect(errors.length).toBeGreaterThan(5);
      expect(percentile95(errors)).toBeLessThanOrEqual(0.2);
    },
  );

  test("leans neither way over eight languages", () => {
    const names = readdirSync(folder);
    const mean = names.reduce(
      (sum, name) => sum + errorOf(readFileSync(join(folder, name), "utf8")),
      0,
    );

    expect(names).toHaveLength(8);
    expect(Math.abs(mean / names.length)).toBeLessThan(0.08);
  });

  test.each([
    ["", 0],
    ["word", 1],
    ["readFile", 2],
    ["two words", 2],
    ["日本語", 3],
  ])("of %j is %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test.each([
    ["a long key", "4a7d1ed414474e4033ac29ccb8653d9b".repeat(20)],
    ["a long word", "xkcdqwzjvbnmplrtghsdfwertzuiopkjhg".repeat(20)],
    ["a ruler", "=".repeat(400)],
    ["a table of marks", "|:-:|:-:|".repeat(100)],
    ["deep indentation", "\n                                    x".repeat(50)],
    ["another script", "Съешь ещё этих мягких французских булок. ".repeat(20)],
  ])("of %s is not less than half of what it is", (_, text) => {
    expect(errorOf(text)).toBeGreaterThan(-0.5);
  });

  test("is never less for more text", () => {
    const anyText = string({ unit: "grapheme", maxLength: 40 });
    assert(
      property(anyText, anyText, (one, other) => {
        expect(estimateTokens(one + other)).toBeGreaterThanOrEqual(estimateTokens(one));
      }),
    );
  });
});
