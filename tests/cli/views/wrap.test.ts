import { stripVTControlCharacters, styleText } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapLine } from "../../../src/cli/views/wrap.ts";

test.each([
  ["fits as it is", 20, ["fits as it is"]],
  [
    "  without deep: no model is bound to it",
    24,
    ["  without deep: no model", "    is bound to it"],
  ],
  [
    "records: /home/ada/timesheet/.kit/runs/x",
    20,
    ["records:", "  /home/ada/", "  timesheet/.kit/", "  runs/x"],
  ],
  ["abcdefghijklmnop", 10, ["abcdefghij", "  klmnop"]],
  ["    edit  src/duration.js  +2 −3", 26, ["    edit  src/duration.js", "      +2 −3"]],
])("%j in %i columns", (line, columns, lines) => {
  expect(wrapLine(line, columns)).toEqual(lines);
});

test("no line is too long, and nothing but blanks is lost, with colours or without", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "/", "–"), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.boolean(), (words, coloured) => {
      const plain = words.join(" ");
      const line = coloured ? styleText("red", plain, { validateStream: false }) : plain;

      const lines = wrapLine(line, 20);

      const bare = lines.map((each) => stripVTControlCharacters(each));
      expect(bare.every((each) => each.length <= 20)).toBe(true);
      expect(bare.join("").replaceAll(" ", "")).toBe(plain.replaceAll(" ", ""));
      expect(lines.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
    }),
  );
});
