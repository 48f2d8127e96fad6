import { describe, expect, test } from "vitest";
import { emphasisOf, readDiff } from "../../src/report/diff.ts";

const bounds = { files: 10, lines: 100, fileLines: 50, chars: 10_000 };
const diff = `diff --git a/old.js b/new.js
similarity index 90%
rename from old.js
rename to new.js
--- a/old.js
+++ b/new.js
@@ -1,3 +1,3 @@
 one
--- two
+++ 2
 three
diff --git a/gone.js b/gone.js
deleted file mode 100644
--- a/gone.js
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file
diff --git a/fresh.js b/fresh.js
new file mode 100644
--- /dev/null
+++ b/fresh.js
@@ -0,0 +1,2 @@
+a
+b
`;

describe("a diff", () => {
  test("is read by file, and a removed line is no header whatever it looks like", () => {
    const read = readDiff(diff, bounds);

    expect(read).toMatchObject({ added: 3, removed: 2, filesLeftOut: 0, linesLeftOut: 0 });
    expect(read.files.map(({ path, from, kind }) => ({ path, from, kind }))).toEqual([
      { path: "new.js", from: "old.js", kind: "renamed" },
      { path: "gone.js", from: undefined, kind: "deleted" },
      { path: "fresh.js", from: undefined, kind: "created" },
    ]);
    expect(read.files[0]?.lines.slice(1)).toEqual([
      { kind: "context", text: "one", number: 1 },
      { kind: "removed", text: "-- two", number: 2 },
      { kind: "added", text: "++ 2", number: 2 },
      { kind: "context", text: "three", number: 3 },
    ]);
    expect(read.files[1]?.lines.at(-1)).toEqual({
      kind: "note",
      text: "No newline at end of file",
    });
  });

  test("is bounded, and everything left out is counted", () => {
    const read = readDiff(diff, { files: 2, lines: 3, fileLines: 3, chars: 10_000 });

    expect(read.files.map(({ lines, leftOut }) => [lines.length, leftOut])).toEqual([
      [3, 2],
      [0, 3],
    ]);
    expect(read).toMatchObject({ filesLeftOut: 1, linesLeftOut: 8, added: 3, removed: 2 });
  });

  test("the line ends of a CRLF file are not shown, a change of line ends is", () => {
    const crlf = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n";
    const changed = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\r\n+one\n";
    const textsOf = (text: string) =>
      readDiff(text, bounds).files.map(({ lines }) => lines.slice(1).map((line) => line.text));

    expect(textsOf(crlf)).toEqual([["one", "two", "2"]]);
    expect(textsOf(changed)).toEqual([["one\r", "one"]]);
  });

  test("a line of a megabyte is cut, and says so", () => {
    const long = `--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${"x".repeat(1_000_000)}\n`;

    const [file] = readDiff(long, bounds).files;

    expect(file?.path).toBe("x");
    expect(file?.lines[1]?.text).toMatch(/x … 999400 more characters$/);
  });

  test.each(["", "no diff at all", "@@ -1 +1 @@\n+x", "--- a/x", "diff --git"])(
    "%j is read without an error",
    (text) => {
      expect(readDiff(text, bounds).linesLeftOut).toBe(0);
    },
  );
});

describe("two versions of a line", () => {
  test.each([
    ["return a - b;", "return a + b;", { removed: [9, 10], added: [9, 10] }],
    ["const a = 1;", "const a = 1; // one", { removed: [12, 12], added: [12, 19] }],
    [
      "say \u{1f600} now and here",
      "say \u{1f601} now and here",
      { removed: [4, 6], added: [4, 6] },
    ],
  ])("%s → %s differ in the middle", (removed, added, middle) => {
    expect(emphasisOf(removed, added)).toEqual(middle);
  });

  test("that have little in common are not compared", () => {
    expect(emphasisOf("import one from 'x'", "let y = 3")).toBeUndefined();
  });
});
