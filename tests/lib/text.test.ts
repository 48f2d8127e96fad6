import { assert, constantFrom, integer, property, string, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countLines,
  decodeUtf8,
  fence,
  headAndTail,
  longestFenceRun,
  sha256,
  stripColour,
} from "../../src/lib/text.ts";

const anyText = string({ unit: "binary", maxLength: 200 });

describe("decodeUtf8", () => {
  it("gives a text that encodes to the same bytes, or undefined", () => {
    assert(
      property(uint8Array({ maxLength: 40 }), (bytes) => {
        const text = decodeUtf8(bytes);
        const same = text === undefined || Buffer.from(text).equals(Buffer.from(bytes));
        expect(same).toBe(true);
      }),
    );
    assert(
      property(anyText, (text) => {
        expect(decodeUtf8(Buffer.from(text))).toBe(text);
      }),
    );
  });

  it.each([
    ["half a character at the end", [0x61, 0xe2, 0x80]],
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["UTF-16", [0xff, 0xfe, 0x61, 0x00]],
  ])("refuses %s", (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  });

  it("keeps a byte-order mark and NUL", () => {
    expect(decodeUtf8(Buffer.from("\ufeffa\0"))).toBe("\ufeffa\0");
  });
});

describe("stripColour", () => {
  it.each([
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b[38;2;1;2;3mtrue colour\u001b[39m", "true colour"],
    ["\u001b[2K\u001b[1Gline", "line"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]0;title\u001b\\text", "text"],
    ["\u001b]8;;https://x.y/z\u0007link\u001b]8;;\u0007", "link"],
    ["\u009b31mred", "red"],
    ["\u001b(Bascii", "ascii"],
    ["a\u001b", "a"],
    ["\u001b]0;a\u009b31mb", "0;ab"],
    ["\u001b]0;never ends\nnext", "0;never ends\nnext"],
    ["\u001bPq#0\u001b\\after", "after"],
    ["\u001b7saved\u001b8\u001b=", "saved"],
    ["no [31m escape", "no [31m escape"],
    ["a\r\nb\tc\u0000", "a\r\nb\tc\u0000"],
  ])("makes %j %j", (text, plain) => {
    expect(stripColour(text)).toBe(plain);
  });

  it("leaves no escape character, and text without one as it is", () => {
    const unit = constantFrom(
      "\u001b",
      "[",
      "]",
      "8;;",
      "m",
      "\u0007",
      "a",
      "\u009b",
      "1",
      "\n",
      "\\",
    );
    assert(
      property(string({ unit, maxLength: 40 }), (text) => {
        expect(stripColour(text)).not.toMatch(/[\u001b\u009b]/);
        expect(stripColour(stripColour(text))).toBe(stripColour(text));
      }),
    );
  });

  it("is quick on a megabyte of escapes", () => {
    for (const text of ["\u001b[", "\u001b]", "\u001b]0;", "\u001b[1;", "\u001b\u001b"]) {
      const startedAt = performance.now();
      stripColour(text.repeat(300_000));
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });
});

describe("headAndTail", () => {
  it("keeps short texts as they are", () => {
    expect(headAndTail("abc", 3)).toBe("abc");
    expect(headAndTail("", 0)).toBe("");
  });

  it("says how much it left out", () => {
    const text = `start${"x".repeat(1000)}end`;

    const short = headAndTail(text, 100);

    const [, left = ""] = /\n\[… (\d+) characters left out …\]\n/.exec(short) ?? [];
    const notice = `\n[… ${left} characters left out …]\n`;
    expect(short.startsWith("start")).toBe(true);
    expect(short.endsWith("end")).toBe(true);
    expect(short.length - notice.length + Number(left)).toBe(text.length);
  });

  it("is never longer than allowed and cuts no character", () => {
    assert(
      property(
        string({ unit: constantFrom("a", "😀"), maxLength: 300 }),
        integer({ min: 0, max: 200 }),
        (text, max) => {
          const short = headAndTail(text, max);
          expect(short.length).toBeLessThanOrEqual(Math.max(max, 0));
          expect(short.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

describe("fence", () => {
  it("cannot be closed from inside, and holds the text unchanged", () => {
    const unit = constantFrom("`", "```", "~~~~", "\n", "a", " ");
    assert(
      property(string({ unit, maxLength: 40 }), (text) => {
        const lines = fence(text, "js").split("\n");
        const marks = /^`{3,}/.exec(lines[0] ?? "")?.[0] ?? "";
        expect(lines[0]).toBe(`${marks}js`);
        expect(lines.at(-1)).toBe(marks);
        const closing = lines.slice(1).findIndex((line) => line.trimStart().startsWith(marks));
        expect(closing).toBe(lines.length - 2);
        const inside = lines.slice(1, -1).join("\n");
        expect(inside === text || `${inside}\n` === text || text === "").toBe(true);
      }),
    );
  });

  it("takes no info that would break it", () => {
    expect(fence("x", "a`b\nc")).toBe("```abc\nx\n```");
    expect(fence("")).toBe("```\n```");
  });

  it("knows the longest run", () => {
    expect(longestFenceRun("a ``` b `````` c")).toBe(6);
    expect(longestFenceRun("none ~~~~~~~")).toBe(0);
  });
});

describe("countLines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n", 1],
    ["\n\n", 2],
    ["a\r\nb\r\n", 2],
  ])("of %j is %i", (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});

describe("sha256", () => {
  it("is the same for a text and its bytes", () => {
    expect(sha256("ü")).toBe(sha256(Buffer.from("ü")));
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});
