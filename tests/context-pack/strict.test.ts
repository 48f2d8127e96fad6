import { describe, expect, test } from "vitest";
import { loadPack, packToJson, parsePack } from "../../src/context-pack/index.ts";
import { type Json, reply } from "./support.ts";

function read(markdown: string): Json {
  const result = parsePack(markdown, { mode: "strict" });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return { ...packToJson(result.pack) };
}

function refused(markdown: string): [string, number | undefined, string][] {
  const result = parsePack(markdown, { mode: "strict" });
  if (result.ok) throw new Error("was read");
  return result.errors.map(({ field, line, message }) => [field, line, message]);
}

describe("a file is read exactly", () => {
  test.each<[string, Record<string, string>, Json]>([
    ["both bullets", { constraints: "- a\n* b" }, { constraints: ["a", "b"] }],
    ["a lone dash as no item", { constraints: "-" }, { constraints: [] }],
    ["an item called (none)", { constraints: "- (none)" }, { constraints: ["(none)"] }],
    ["an item called none", { constraints: "- none" }, { constraints: ["none"] }],
    [
      "further lines by their indentation",
      { constraints: "- a\n  b\n  \n    c" },
      { constraints: ["a\nb\n\n  c"] },
    ],
    [
      "a nested bullet as part of its parent",
      { constraints: "- a\n  - b\n- c" },
      { constraints: ["a b", "c"] },
    ],
    [
      "an escaped nested bullet as a line",
      { constraints: "- a\n  \\- b" },
      { constraints: ["a\n- b"] },
    ],
    ["an escaped heading in a text", { goal: "a\n\\## b" }, { goal: "a\n## b" }],
    ["an escaped backslash", { goal: "\\\\server" }, { goal: "\\server" }],
    [
      "a heading inside a fence of an item",
      { constraints: "- a\n  ```\n  ## b\n  ```" },
      { constraints: ["a\n```\n## b\n```"] },
    ],
    [
      "a suffix of a path as its name",
      { relevant_files: "- `a.ts:12`" },
      { relevant_files: [{ path: "a.ts:12" }] },
    ],
    [
      "a path with backticks in a longer run",
      { relevant_files: "- `` a`b ``" },
      { relevant_files: [{ path: "a`b" }] },
    ],
    [
      "a wrapped reason on one line",
      { relevant_files: "- `a` — x\n  y" },
      { relevant_files: [{ path: "a", reason: "x y" }] },
    ],
    [
      "an escaped (new) as words",
      { relevant_files: "- `a` — \\(new) words" },
      { relevant_files: [{ path: "a", reason: "(new) words" }] },
    ],
    [
      "an escaped separator of an attempt",
      { previous_attempts: "- a \\— outcome: b — outcome: c" },
      { previous_attempts: [{ summary: "a — outcome: b", outcome: "c" }] },
    ],
    [
      "typed constraints of version 2 as version 1 text",
      { constraints: "- MUST NOT: a" },
      { constraints: ["MUST NOT: a"] },
    ],
    [
      "an error in an item with a fence",
      { observed_errors: "- a\n  ```\n  b\n  ```" },
      { observed_errors: ["a\n```\nb\n```"] },
    ],
  ])("%s", (_title, body, wanted) => {
    expect(read(reply(body))).toMatchObject(wanted);
  });

  test("with CR LF throughout, which is read as LF also in snippets", () => {
    const text = reply({ goal: "a\nb", relevant_snippets: "### `a`\n```\nx\ny\n```" });

    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(read(text));
  });

  test("with CR kept in a file whose own line ends are LF", () => {
    const text = reply({ relevant_snippets: "### `a`\n```\nx\r\ny\r\n```" });

    expect(read(text)["relevant_snippets"]).toEqual([{ path: "a", content: "x\r\ny\r" }]);
  });

  test("with the fields of version 2 only when it says that it is one", () => {
    const body = { scope: "- src only", decisions: "- A — because B (source: `C`)" };

    expect(read(reply({ ...body, version: "2" }))).toMatchObject({
      scope: ["src only"],
      decisions: [{ choice: "A", because: "B", source: "C" }],
      version: 2,
    });
    expect(refused(reply(body)).map(([, line]) => line)).toEqual([18, 21]);
  });
});

describe("what a file gets wrong is told with its line", () => {
  test.each<[string, string, [string, number, string][]]>([
    ["a title of other words", "# Notes\n\n## task\nt\n", [["", 1, "title"]]],
    ["a byte order mark", `\uFEFF${reply()}`, [["", 1, "byte order mark"]]],
    [
      "text before the first section",
      reply().replace("\n\n", "\n\nHello\n\n"),
      [["", 3, "text before"]],
    ],
    ["an unknown section", reply({ notes: "x" }), [["", 18, 'unknown section "## notes"']]],
    ["a section in other case", reply({ Task: "x" }), [["", 18, 'unknown section "## Task"']]],
    ["a section given twice", `${reply()}\n## goal\nagain\n`, [["goal", 18, "duplicate section"]]],
    [
      "prose in a list",
      reply({ constraints: "No API changes." }),
      [["constraints", 10, "expected an item"]],
    ],
    [
      "a fence in a list",
      reply({ constraints: "- a\n```\n- b\n```" }),
      [["constraints", 11, "expected an item"]],
    ],
    [
      "words after a path",
      reply({ relevant_files: "- `a` entry" }),
      [["relevant_files", 13, "expected a file"]],
    ],
    [
      "a snippet without a fence",
      reply({ relevant_snippets: "### `a`\nx" }),
      [
        ["relevant_snippets", 20, "head"],
        ["relevant_snippets", 19, "fenced block"],
      ],
    ],
    ["a fence left open", reply({ goal: "```\na" }), [["goal", 7, "fence left open"]]],
    [
      "a word that is no status",
      reply({ discovery: "none-ish" }),
      [["discovery.status", 18, "must be one of"]],
    ],
    [
      "a range that ends before it starts",
      reply({ relevant_files: "- `a`\n- `b` (lines 9-2)" }),
      [["relevant_files[1].lines", 14, "start ≤ end"]],
    ],
  ])("%s", (_title, markdown, wanted) => {
    const errors = refused(markdown);

    expect(errors.filter(([, , message]) => message !== "is missing")).toEqual(
      wanted.map(([field, line, words]) => [field, line, expect.stringContaining(words)]),
    );
  });

  test("all at once", () => {
    const errors = refused(reply({ goal: "", relevant_files: "- `/etc/passwd`\n- `a`\n- `../b`" }));

    expect(errors.map(([field, line]) => [field, line])).toEqual([
      ["goal", undefined],
      ["relevant_files[0].path", 10],
      ["relevant_files[2].path", 12],
    ]);
  });
});

describe("a pack file is JSON by its name or its first sign", () => {
  const json = JSON.stringify({
    task: "t",
    goal: "g",
    constraints: [],
    relevant_files: [{ path: "a" }],
    expected_output: "e",
  });

  test.each(["pack.json", "pack.JSON", "pack.md", "pack"])("%s", (name) => {
    expect(loadPack(name, json)).toMatchObject({ ok: true, pack: { task: "t" } });
  });

  test.each<[string, string, [string, number | undefined, string]]>([
    ["broken", '{\n"task": }', ["", 2, "not JSON"]],
    ["cut off", '{\n"task":', ["", 2, "not JSON"]],
    ["with a byte order mark", `\uFEFF${json}`, ["", 1, "byte order mark"]],
    ["a key given twice", json.replace("{", '{"task":"x",\n'), ["(root)", 2, "unique"]],
    ["an unknown key", json.replace("{", '{\n"size": 1,'), ["size", 2, "unknown key"]],
    [
      "a key of version 2",
      json.replace("{", '{\n"scope": ["x"],'),
      ["scope", 2, 'set "version" to 2'],
    ],
  ])("JSON that is wrong names the line: %s", (_title, text, [field, line, words]) => {
    expect(loadPack("pack.json", text)).toMatchObject({
      ok: false,
      errors: [{ field, line, message: expect.stringContaining(words) }],
    });
  });
});
