import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf, TermScanner } from "../../src/survey/terms/scan.ts";
import { findWord } from "../../src/survey/terms/search.ts";
import { SegmentBuilder, segmentIn } from "../../src/survey/terms/segment.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Words of a text that `candidates` names, with their counts; `!` marks a definition. */
function counted(text: string, candidates: readonly string[]): Record<string, string> {
  const scanner = new TermScanner();
  scanner.scan(bytes(text));
  const found: Record<string, string> = {};
  for (let place = 0; place < scanner.distinct; place += 1) {
    const word = candidates.find((each) => hashOf(each) === scanner.hashAt(place)) ?? "?";
    found[word] = `${scanner.countAt(place)}${scanner.isDefinedAt(place) ? "!" : ""}`;
  }
  return found;
}

describe("the words of a text", () => {
  test.each([
    ["humps", "autoSave saveAll", { auto: "1", save: "2", all: "1" }],
    ["acronyms", "HTTPServer parseURL", { http: "1", server: "1", parse: "1", url: "1" }],
    ["underscores and case", "MAX_SIZE max_size", { max: "2", size: "2" }],
    ["digits", "sha256 utf8Decoder", { sha256: "1", utf8: "1", decoder: "1" }],
    ["other languages", "größe 保存 größe", { größe: "2", 保存: "1" }],
    ["single letters are none", "a b x1", { x1: "1" }],
    ["definitions", "function saveAll() { all(); }", { function: "1", save: "1!", all: "2!" }],
    [
      "a definer's name in a name",
      "const functionName",
      { const: "1", function: "1!", name: "1!" },
    ],
    ["pointers", "func *Save", { func: "1", save: "1!" }],
    ["something between", "class; Save", { class: "1", save: "1" }],
  ])("%s", (_, text, expected) => {
    expect(counted(text, Object.keys(expected))).toEqual(expected);
  });

  test("keys and hashes are no words", () => {
    expect(counted(`${"k".repeat(41)} save`, ["save"])).toEqual({ save: "1" });
  });

  test("any bytes are read", () => {
    const scanner = new TermScanner();

    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (text) => scanner.scan(text) <= text.length),
    );
  });
});

describe("a segment", () => {
  const segmentOf = (texts: readonly string[]): Buffer => {
    const scanner = new TermScanner();
    const builder = new SegmentBuilder();
    for (const [index, text] of texts.entries()) {
      builder.add(index + 1, scanner.scan(bytes(text)), scanner);
    }
    return builder.take();
  };

  test("finds a stem in all its forms, with counts and definitions", () => {
    const segment = segmentIn(
      segmentOf(["saving saved saves save", "unsaved savage", "def save", "nothing"]),
    );

    expect(Object.fromEntries(findWord(segment, "sav"))).toEqual({
      0: { count: 4, isDefined: false },
      2: { count: 1, isDefined: true },
    });
    expect([...segment.words]).toEqual([4, 2, 2, 1]);
  });

  test("finds what was put in, whatever it was", () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);

    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 20 }), (files) => {
        const segment = segmentIn(segmentOf(files.map((words) => words.join(" "))));

        for (const [file, words] of files.entries()) {
          for (const each of words) {
            const hits = new Map<number, number>();
            segment.find(hashOf(each), (hit, count) => hits.set(hit, count));
            expect(hits.get(file)).toBe(words.filter((other) => other === each).length);
          }
        }
      }),
    );
  });

  test("holds no word", () => {
    expect(segmentOf(["passphrase"]).toString("latin1")).not.toContain("pass");
  });

  test("that is cut short or damaged is refused", () => {
    const whole = segmentOf(["save", "load"]);
    const damaged = Buffer.from(whole);
    damaged[25] = (damaged[25] ?? 0) ^ 1;
    const inPostings = Buffer.from(whole);
    inPostings.fill(0xff, whole.length - 8);

    expect(() => segmentIn(whole.subarray(0, whole.length - 4))).toThrow(RangeError);
    expect(() => segmentIn(damaged)).toThrow(RangeError);
    expect(() => segmentIn(Buffer.alloc(200))).toThrow(RangeError);
    expect(() => ["sav", "load"].map((stem) => findWord(segmentIn(inPostings), stem))).toThrow(
      RangeError,
    );
  });
});
