import { describe, expect, test } from "vitest";
import { wordsOf } from "../../src/lib/words.ts";

describe("the words that tell what a text is about", () => {
  test.each([
    ["Saving an empty project crashes", ["sav", "empt", "project", "crash"]],
    ["saved saves saving save", ["sav"]],
    ["entries entry", ["entr"]],
    ["running runs run", ["run"]],
    ["added adds adding add", ["add"]],
    ["caches cache cached", ["cach"]],
    ["class status bus process", ["class", "status", "bus", "process"]],
    ["string king date data", ["string", "king", "dat", "data"]],
    ["parseHTTPHeaders snake_case kebab-case", ["pars", "http", "header", "snak", "cas", "kebab"]],
    ["Fix the failing test of the function", []],
    ["add() adds 42 x", ["add"]],
    ["Größe ändern", ["größ", "ändern"]],
    ["src/utils/date-format.js", ["util", "dat", "format", "js"]],
    ["", []],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
