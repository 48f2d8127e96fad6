import { describe, expect, it } from "vitest";
import { memoryTree, planChanges } from "../../../src/changes/index.ts";
import { repoPath, type EditHunk } from "../../../src/contracts/index.ts";
import { treeAfter } from "../support/tree-after.ts";
import { writeScope } from "../support/scope.ts";

type Hunk = Pick<EditHunk, "search" | "replace" | "alternatives" | "diff">;

/** Plans hunks of one file; gives its text and strategy, or what is wrong with each hunk. */
async function edit(
  before: string,
  ...hunks: readonly Hunk[]
): Promise<{ text: string; strategy: string } | readonly string[] | string> {
  const path = repoPath("f.txt");
  const lines = hunks.map((hunk, index) => ({ ...hunk, line: index + 1 }));
  const change = { kind: "edit", path, hunks: lines, line: 1 } as const;
  const tree = { "f.txt": before };
  const set = { changes: [change], format: "search_replace" };
  const result = await planChanges(set, memoryTree(tree), writeScope());
  if (!result.ok) {
    return result.failure.kind === "apply"
      ? result.failure.blocks.map((block) => block.reason)
      : result.failure.kind;
  }
  const [operation] = result.plan.operations;
  const strategy = operation?.kind === "edit" ? operation.strategy : "";
  return { text: treeAfter(tree, result.plan)["f.txt"] ?? "", strategy };
}

describe("a search text", () => {
  it("that fits by bytes is replaced, and nothing else", async () => {
    const result = await edit("a\n  b  \nc\n", { search: "  b  \n", replace: "B\n" });

    expect(result).toEqual({ text: "a\nB\nc\n", strategy: "exact" });
  });

  it.each([
    ["CRLF", "a\r\nb\r\nc\r\n", "a\r\nB\r\nx\r\nc\r\n"],
    ["CR", "a\rb\rc\r", "a\rB\rx\rc\r"],
    ["mixed", "a\nb\r\nc\n", "a\nB\r\nx\r\nc\n"],
    ["no final", "a\nb", "a\nB\nx"],
    ["no final, CRLF", "a\r\nb", "a\r\nB\r\nx"],
  ])("keeps %s line ends line by line", async (_, before, after) => {
    const result = await edit(before, { search: "b\n", replace: "B\nx\n" });

    expect(result).toEqual({ text: after, strategy: "line_ends" });
  });

  it("is found without regard to blanks at the end of lines", async () => {
    const result = await edit("a  \nb\t\nc\n", { search: "a\nb \n", replace: "a\nB\n" });

    // The line that the replacement repeats keeps its blanks.
    expect(result).toEqual({ text: "a  \nB\nc\n", strategy: "trailing_blanks" });
  });

  it.each([
    [
      "more",
      "{\n    a\n      b\n}\n",
      "a\n  b\n",
      "a\n  x\n  b\n\n  y\n",
      "{\n    a\n      x\n      b\n\n      y\n}\n",
    ],
    ["less", "{\na\n  b\n}\n", "    a\n      b\n", "    a\n      x\n", "{\na\n  x\n}\n"],
    ["more, in tabs", "{\n\t\ta\n\t\t\tb\n}\n", "a\n\tb\n", "a\n\tx\n", "{\n\t\ta\n\t\t\tx\n}\n"],
  ])(
    "is found with %s indentation, and its replacement follows",
    async (_, before, search, replace, after) => {
      expect(await edit(before, { search, replace })).toEqual({
        text: after,
        strategy: "indent_shift",
      });
    },
  );

  it("may have lines at column 0 in both that the shift leaves out", async () => {
    const result = await edit("  a\nwrapped\n  b\n", {
      search: "a\nwrapped\nb\n",
      replace: "a\nwrapped\nmore\nB\n",
    });

    expect(result).toEqual({ text: "  a\nwrapped\n  more\n  B\n", strategy: "indent_shift" });
    const inner = await edit("    a\nwrapped\n", {
      search: "  a\nwrapped\n",
      replace: "  a\nwrapped\nagain\n  b\n",
    });
    expect(inner).toMatchObject({ text: "    a\nwrapped\nagain\n    b\n" });
  });

  it.each([
    ["an uneven shift", "    a\n  b\n", "a\nb\n"],
    ["tabs for blanks", "\ta\n\t\tb\n", "    a\n        b\n"],
    ["other words", "a b\n", "a c\n"],
    ["other case", "Abc\n", "abc\n"],
    ["a part of a line", "return 1;\n", "return\n"],
  ])("is not found with %s", async (_, before, search) => {
    expect(await edit(before, { search, replace: "x\n" })).toEqual([
      "the search text is not in the file",
    ]);
  });

  it("cannot follow a shift to the left with a line that has less", async () => {
    const result = await edit("a\n  b\n", { search: "    a\n      b\n", replace: "    a\n  x\n" });

    expect(result).toEqual([
      "the file is indented less than the search text, and the replacement cannot follow",
    ]);
  });

  it("that fits more than once is refused, overlapping places counted, with their lines", async () => {
    expect(await edit("foo\nfoo\nfoo\nbar\n", { search: "foo\nfoo\n", replace: "x\n" })).toEqual([
      expect.stringContaining("fits in 2 places (lines 1, 2)"),
    ]);
    const two = "function a() {\n  return 1;\n}\nfunction b() {\n  return 1;\n}\n";
    expect(await edit(two, { search: "  return 1;\n", replace: "  return 2;\n" })).toEqual([
      expect.stringContaining("(lines 2, 5)"),
    ]);
    expect(
      await edit(two, {
        search: "function b() {\n  return 1;\n",
        replace: "function b() {\n  return 2;\n",
      }),
    ).toMatchObject({ strategy: "exact" });
  });

  it("that fits once by a strict strategy is not held against a looser one", async () => {
    expect(await edit("a\n  a\n", { search: "a\n", replace: "b\n" })).toEqual({
      text: "b\n  a\n",
      strategy: "exact",
    });
  });

  it("is refused when empty, unless the file is", async () => {
    expect(await edit("a\n", { search: "", replace: "x\n" })).toEqual([
      "the search text is empty, but the file is not",
    ]);
    expect(await edit("", { search: "", replace: "x\n" })).toEqual({
      text: "x\n",
      strategy: "exact",
    });
  });

  it("is replaced literally", async () => {
    expect(await edit("a\n", { search: "a\n", replace: "$& $1 $$ \\n\n" })).toMatchObject({
      text: "$& $1 $$ \\n\n",
    });
  });

  it("may be deleted, also at the end of a file without a final line break", async () => {
    expect(await edit("a\nb\nc\n", { search: "b\n", replace: "" })).toMatchObject({
      text: "a\nc\n",
    });
    expect(await edit("a\nb", { search: "b\n", replace: "" })).toMatchObject({ text: "a\n" });
    expect(await edit("a\nb", { search: "b\n", replace: "b\nc\n" })).toMatchObject({
      text: "a\nb\nc",
    });
  });

  it("skips a byte-order mark, which stays", async () => {
    expect(await edit("\uFEFF{1}\nx\n", { search: "{1}\n", replace: "{2}\n" })).toEqual({
      text: "\uFEFF{2}\nx\n",
      strategy: "exact",
    });
  });
});

describe("several hunks of one file", () => {
  it("apply in order, each to what the one before left", async () => {
    const result = await edit(
      "a\nb\n",
      { search: "a\n", replace: "x\n" },
      { search: "x\nb\n", replace: "y\n" },
    );

    expect(result).toEqual({ text: "y\n", strategy: "exact" });
  });

  it("name the loosest strategy any of them needed", async () => {
    const result = await edit(
      "a\n  b\nc\r\n",
      { search: "b\n", replace: "B\n" },
      { search: "c\n", replace: "C\n" },
    );

    expect(result).toEqual({ text: "a\n  B\nC\r\n", strategy: "indent_shift" });
  });

  it("are all named when they do not fit", async () => {
    const result = await edit(
      "a\na\n",
      { search: "x\n", replace: "" },
      { search: "a\n", replace: "" },
    );

    expect(result).toEqual([
      "the search text is not in the file",
      expect.stringContaining("2 places"),
    ]);
  });
});

describe("a hunk whose effect is there already", () => {
  const replace = "one\ntwo\n";

  it("is passed over beside others", async () => {
    const result = await edit(
      "one\ntwo\nend\n",
      { search: "old\n", replace },
      { search: "end\n", replace: "END\n" },
    );

    expect(result).toEqual({ text: "one\ntwo\nEND\n", strategy: "exact" });
  });

  it("changes nothing when it is alone", async () => {
    expect(await edit("one\ntwo\nend\n", { search: "old\n", replace })).toBe("no_changes");
  });

  it.each([
    ["of one line", "one\nend\n", "one\n"],
    ["of one line and blanks", "one\n\nend\n", "one\n\n"],
    ["that stands there twice", "one\ntwo\none\ntwo\n", replace],
    ["of nothing", "end\n", ""],
  ])("is not believed when its replacement is one %s", async (_, before, replacement) => {
    expect(await edit(before, { search: "old\n", replace: replacement })).toEqual([
      "the search text is not in the file",
    ]);
  });
});

describe("a hunk with several dividers", () => {
  const split = { search: "a\n", replace: "b\n=======\nc\n" };
  const other = { search: "a\n=======\nb\n", replace: "c\n" };

  it("is split where the search text fits", async () => {
    expect(await edit("a\nx\n", { ...split, alternatives: [other] })).toMatchObject({
      text: "b\n=======\nc\nx\n",
    });
    expect(
      await edit("y\na\n=======\nb\n", { ...other, alternatives: [{ ...split, search: "z\n" }] }),
    ).toMatchObject({
      text: "y\nc\n",
    });
  });

  it("is refused when two splits fit", async () => {
    expect(await edit("a\n=======\nb\n", { ...split, alternatives: [other] })).toEqual([
      "several of its ======= lines make the search text fit",
    ]);
  });
});

describe("the nearest lines", () => {
  const file = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

  async function nearest(search: string): Promise<string | undefined> {
    const path = repoPath("f.txt");
    const change = {
      kind: "edit",
      path,
      hunks: [{ search, replace: "", line: 1 }],
      line: 1,
    } as const;
    const tree = memoryTree({ "f.txt": `${file.join("\n")}\n` });
    const result = await planChanges({ changes: [change], format: "udiff" }, tree, writeScope());
    if (result.ok || result.failure.kind !== "apply") throw new Error("it fits");
    return result.failure.blocks[0]?.nearest;
  }

  it("are those that share most with the search text, with their numbers", async () => {
    expect(await nearest("line 11\nline 12x\nline 13\n")).toBe(
      " 9 | line 9\n10 | line 10\n11 | line 11\n12 | line 12\n13 | line 13\n14 | line 14\n15 | line 15",
    );
  });

  it("are found by likeness when no line is the same", async () => {
    expect(await nearest("the line 17 is\n")).toContain("17 | line 17");
  });

  it("are left out when nothing is alike", async () => {
    expect(await nearest("quite zebra\n")).toBeUndefined();
  });

  it("are few, also for a long search text", async () => {
    const shown = await nearest(`${file.slice(0, 25).join("\n")}\nzebra\n`);

    expect(shown?.split("\n").length).toBeLessThanOrEqual(24);
  });
});
