import { describe, expect, it } from "vitest";
import { resultOf } from "../support/outcome.ts";

const old = { "src/a.js": "one\ntwo\nthree\nfour\n", "src/b.js": "b\n" };
const changed = { ...old, "src/a.js": "one\n2\nthree\nfour\n" };
const body = " one\n-two\n+2\n three\n";
const inFence = (diff: string): string => `Here:\n\n\`\`\`diff\n${diff}\`\`\`\n`;

describe("unified diffs", () => {
  it.each([
    ["in a fence", inFence(`--- src/a.js\n+++ src/a.js\n@@ -1,3 +1,3 @@\n${body}`)],
    [
      "with git's prefixes and headers",
      inFence(
        `diff --git a/src/a.js b/src/a.js\nindex 1..2 100644\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,3 +1,3 @@ function x\n${body}`,
      ),
    ],
    [
      "without a fence, before prose",
      `--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n${body}\nDone.\n`,
    ],
    [
      "with wrong or no line numbers",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ -70,9 +71 @@\n${body}`),
    ],
    ["with dots for line numbers", inFence(`--- src/a.js\n+++ src/a.js\n@@ ... @@\n${body}`)],
    ["without @@", inFence(`--- src/a.js\n+++ src/a.js\n${body}`)],
    [
      "with times behind the paths",
      inFence(`--- src/a.js\t2024-01-01\n+++ src/a.js\t2024-01-02\n@@ @@\n${body}`),
    ],
    ["said twice", inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n${body}`).repeat(2)],
    [
      "under a caption instead of a header",
      `src/a.js\n${inFence(`@@ -1,3 +1,3 @@\n${body}`).slice(7)}`,
    ],
    [
      "with context that lost its sign",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\none\n-two\n+2\nthree\n`),
    ],
    [
      "with a last hunk that changes nothing",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n${body}\n@@ @@\n four\n`),
    ],
    [
      "with additions before removals",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n one\n+2\n-two\n three\n`),
    ],
    [
      "with blank context lines the file lacks",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n one\n\n-two\n+2\n three\n`),
    ],
    [
      "that note a missing line end",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n${body}\\ No newline at end of file\n`),
    ],
  ])("are read %s", async (_, reply) => {
    expect(await resultOf(reply, old)).toEqual(changed);
  });

  it("keep the blank lines of a file that a hunk does not know", async () => {
    const tree = { "a.txt": "one\n\n\ntwo\nthree\n" };
    const reply = inFence("--- a.txt\n+++ a.txt\n@@ @@\n one\n-two\n+2\n three\n");

    expect(await resultOf(reply, tree)).toEqual({ "a.txt": "one\n\n\n2\nthree\n" });
  });

  it("create, delete and move files", async () => {
    const create = inFence("--- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    const remove = inFence("--- a/src/b.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n");
    const move = inFence(
      `diff --git a/src/a.js b/src/new.js\nsimilarity index 90%\nrename from src/a.js\nrename to src/new.js\n--- a/src/a.js\n+++ b/src/new.js\n@@ @@\n${body}`,
    );
    const wish = { create: ["src/new.js"] };

    expect(await resultOf(create, old, wish)).toEqual({ ...old, "src/new.js": "a\nb\n" });
    expect(await resultOf(remove, old, wish)).toEqual({ "src/a.js": old["src/a.js"] });
    expect(await resultOf(move, old, wish)).toEqual({
      "src/b.js": "b\n",
      "src/new.js": changed["src/a.js"],
    });
  });

  it("may add a file and then change it", async () => {
    const reply =
      inFence("--- /dev/null\n+++ new.js\n@@ -0,0 +1,2 @@\n+a\n+b\n") +
      inFence("--- new.js\n+++ new.js\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");

    expect(await resultOf(reply, {}, { create: ["new.js"] })).toEqual({ "new.js": "a\nc\n" });
  });

  it.each([
    [
      "names a path outside the pack",
      inFence(`--- a/src/z.js\n+++ b/src/z.js\n@@ @@\n${body}`),
      "out_of_scope",
    ],
    [
      "moves to a path outside the pack",
      inFence(`--- a/src/a.js\n+++ b/src/z.js\n@@ @@\n${body}`),
      "out_of_scope",
    ],
    [
      "is indented with its fence",
      inFence(`--- src/a.js\n+++ src/a.js\n@@ @@\n${body}`).replaceAll(/^/gm, "   "),
      "format",
    ],
    ["names no file", inFence(`@@ -1 +1 @@\n${body}`), "format"],
    [
      "is cut off",
      `\`\`\`diff\n--- src/a.js\n+++ src/a.js\n@@ @@\n one\n-two\n`,
      "truncated_reply",
    ],
    [
      "is binary",
      inFence("diff --git a/src/a.js b/src/a.js\nBinary files a/src/a.js and b/src/a.js differ\n"),
      "format",
    ],
    [
      "has nothing to find its place by",
      inFence("--- src/a.js\n+++ src/a.js\n@@ -2,0 +3 @@\n+x\n"),
      "apply",
    ],
    ["fits in two places", inFence("--- r.txt\n+++ r.txt\n@@ @@\n-x\n+y\n"), "apply"],
    [
      "removes what is not there",
      inFence("--- src/a.js\n+++ src/a.js\n@@ @@\n one\n-TWO\n+2\n"),
      "apply",
    ],
  ])("fail when one %s", async (_, reply, kind) => {
    expect(await resultOf(reply, { ...old, "r.txt": "x\nx\n" })).toBe(kind);
  });
});

describe("patch envelopes", () => {
  const patch = (text: string): string => `*** Begin Patch\n${text}*** End Patch\n`;

  it("add, update, move and delete files", async () => {
    const reply = patch(
      `*** Add File: src/new.js\n+a\n+\n+b\n*** Update File: src/a.js\n*** Move to: src/c.js\n@@ def x\n${body}@@\n-four\n+4\n*** End of File\n*** Delete File: src/b.js\n`,
    );

    expect(await resultOf(reply, old, { create: ["src/new.js", "src/c.js"] })).toEqual({
      "src/new.js": "a\n\nb\n",
      "src/c.js": "one\n2\nthree\n4\n",
    });
  });

  it("may stand in a fence, with blanks around the markers", async () => {
    const reply = `\`\`\`\napply_patch <<'EOF'\n  *** Begin Patch  \n*** Update File: src/a.js \n@@\n${body} *** End Patch\nEOF\n\`\`\`\n`;

    expect(await resultOf(reply, old)).toEqual(changed);
  });

  it.each([
    [
      "without an end",
      `*** Begin Patch\n*** Update File: src/a.js\n@@\n${body}`,
      "truncated_reply",
    ],
    ["with an update that changes nothing", patch("*** Update File: src/a.js\n@@\n"), "format"],
    ["with lines that belong to no file", patch("+x\n"), "format"],
    ["that adds over an existing file", patch("*** Add File: src/b.js\n+x\n"), "apply"],
    [
      "that updates what does not exist",
      patch(`*** Update File: src/new.js\n@@\n${body}`),
      "apply",
    ],
    ["that names a path outside the pack", patch("*** Delete File: src/z.js\n"), "out_of_scope"],
  ])("fail %s", async (_, reply, kind) => {
    expect(await resultOf(reply, old, { create: ["src/new.js", "src/b.js"] })).toBe(kind);
  });
});
