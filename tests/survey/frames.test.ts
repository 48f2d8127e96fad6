import { describe, expect, test } from "vitest";
import { mentionForms, mentionsIn, MentionResolver } from "../../src/survey/frames.ts";

describe("files and lines that a text names", () => {
  test.each(mentionForms.map((form) => [form.seen, form] as const))("%s", (seen, { pattern }) => {
    expect([...seen.matchAll(pattern)].map(({ groups }) => groups?.["path"])).not.toEqual([]);
  });

  test.each([
    ['  File "/r/app/math.py", line 12, in add', "/r/app/math.py", 12],
    ["    at add (file:///r/src/math.js:12:7)", "/r/src/math.js", 12],
    ["    at Object.<anonymous> (src/math.js:3:1)", "src/math.js", 3],
    ["  --> src/lib.rs:9:5", "src/lib.rs", 9],
    ["    math_test.go:8: got -1", "math_test.go", 8],
    ["./src/a.ts(3,5): error TS2322", "src/a.ts", 3],
    ["src/math.c:7:3: error: expected ';'", "src/math.c", 7],
    ["look at `src/math.js`, please", "src/math.js", undefined],
  ])("%s", (text, path, line) => {
    expect(mentionsIn(text)).toContainEqual(line === undefined ? { path } : { path, line });
  });

  test("no text makes it slow", () => {
    for (const piece of ["x", "/a", "a.b", "a:", "(", "at "])
      mentionsIn(piece.repeat(64_000 / piece.length));
    expect(mentionsIn("a.js:1 ".repeat(5_000))).toHaveLength(2);
  });
});

describe("the file that is meant", () => {
  const resolver = new MentionResolver("/repo", ["src/a.js", "lib/a.js", "src/deep/b.js", "c.js"]);

  test.each([
    ["/repo/src/a.js", "src/a.js"],
    ["src/a.js", "src/a.js"],
    ["../src/a.js", "src/a.js"],
    ["/ci/build/src/a.js", "src/a.js"],
    ["deep/b.js", "src/deep/b.js"],
    ["b.js", "src/deep/b.js"],
    ["c.js", "c.js"],
    ["a.js", undefined],
    ["/elsewhere/c.js", undefined],
    ["nowhere.js", undefined],
  ])("%s → %s", (mention, file) => {
    expect(resolver.resolve(mention)).toBe(file);
  });
});
