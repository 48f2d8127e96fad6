import { describe, expect, test } from "vitest";
import { packToJson, parsePack } from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { type Json, reply } from "./support.ts";

function read(markdown: string, files: readonly string[] = []): { json: Json; notes: string[] } {
  const result = parsePack(markdown, { mode: "lenient", files });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const json = { ...packToJson(result.pack as ContextPack, 2) };
  return { json, notes: result.report.map((note) => note.message) };
}

const file = (path: string, more: Json = {}): Json[] => [{ path, ...more }];

describe("files in any dress", () => {
  test.each<[string, Json[]]>([
    ["- `a.ts#L7` — x", file("a.ts", { reason: "x", lines: "7-7" })],
    ["- a.ts#L12-L40", file("a.ts", { lines: "12-40" })],
    ["- `a.ts#L7C2-L9C3`", file("a.ts", { lines: "7-9" })],
    ["- `a.ts:7`", file("a.ts", { lines: "7-7" })],
    ["- `a.ts:7:3`", file("a.ts", { lines: "7-7" })],
    ["- `a.ts:12:5-14:2`", file("a.ts", { lines: "12-14" })],
    ["- `a.ts:0`", file("a.ts")],
    ["- `a.ts` (line 7): x", file("a.ts", { reason: "x", lines: "7-7" })],
    ["- `a.ts` (L3-L9) — x", file("a.ts", { reason: "x", lines: "3-9" })],
    ["- `a.ts`, lines 3-9 — x", file("a.ts", { reason: "x", lines: "3-9" })],
    ["- `a.ts` (lines 3–9, 20–30)", file("a.ts", { lines: ["3-9", "20-30"] })],
    ["- `a.ts` (lines 9-3)", file("a.ts")],
    ["- `a.ts` : x", file("a.ts", { reason: "x" })],
    ["- a.ts: x", file("a.ts", { reason: "x" })],
    ["- `a.ts`—x", file("a.ts", { reason: "x" })],
    ["- `a.ts` → x", file("a.ts", { reason: "x" })],
    ["- `a.ts` entry point", file("a.ts", { reason: "entry point" })],
    ["- **src/a.ts**: x", file("src/a.ts", { reason: "x" })],
    ["- **`src/a.ts` — x**", file("src/a.ts", { reason: "x" })],
    ["- *src/a.ts* — x", file("src/a.ts", { reason: "x" })],
    ['- "src/a.ts" — x', file("src/a.ts", { reason: "x" })],
    ["- [a.ts](src/a.ts) — x", file("a.ts", { reason: "x" })],
    ["- [the file](src/a.ts)", file("src/a.ts")],
    ["- 📄 `a.ts` — x", file("a.ts", { reason: "x" })],
    ["- [x] `a.ts`", file("a.ts")],
    ["1. `a.ts`\n2) `b.ts`", [{ path: "a.ts" }, { path: "b.ts" }]],
    ["+ `a.ts`\n• `b.ts`", [{ path: "a.ts" }, { path: "b.ts" }]],
    [
      "- `a.ts`, `b.ts` — both",
      [
        { path: "a.ts", reason: "both" },
        { path: "b.ts", reason: "both" },
      ],
    ],
    [
      "- `a.ts` — x\n  - more\n  words\nand more",
      file("a.ts", { reason: "x more words and more" }),
    ],
    ["- src:\n  - `src/a.ts` — x", [{ path: "src" }, { path: "src/a.ts", reason: "x" }]],
    ["- `n.ts` — NEW: x", file("n.ts", { reason: "x", create: true })],
    ["- `n.ts` (new file) — x", file("n.ts", { reason: "x", create: true })],
    ["- (new) `n.ts` — x", file("n.ts", { reason: "x", create: true })],
    ["- app/[id]/(shop)/page.tsx — x", file("app/[id]/(shop)/page.tsx", { reason: "x" })],
    [
      "| File | Lines | Why |\n|:--|--|--:|\n| `a.ts` | 1-5 | x |\n| b.ts | — | |",
      [{ path: "a.ts", reason: "x", lines: "1-5" }, { path: "b.ts" }],
    ],
    ["```\na.ts\nb.ts — x\n```", [{ path: "a.ts" }, { path: "b.ts", reason: "x" }]],
    [
      "<!-- first -->\n- `a.ts`\n<!-- two\nlines -->\n- `b.ts`",
      [{ path: "a.ts" }, { path: "b.ts" }],
    ],
    ["- none", []],
    ["(none)", []],
    ["n/a", []],
  ])("%j", (body, wanted) => {
    expect(read(reply({ relevant_files: body })).json["relevant_files"]).toEqual(wanted);
  });

  test("a file that is really called so keeps its name", () => {
    const { json } = read(reply({ relevant_files: "- `a:12` — odd" }), ["a:12"]);

    expect(json["relevant_files"]).toEqual([{ path: "a:12", reason: "odd" }]);
  });

  test("a sentence names the files in its code spans that exist", () => {
    const { json } = read(reply({ relevant_files: "The fault is in `a.ts:3`, in `add()`." }), [
      "a.ts",
    ]);

    expect(json["relevant_files"]).toMatchObject([{ path: "a.ts", lines: "3-3" }]);
  });

  test("what names no file is told with its words", () => {
    const { notes } = read(reply({ relevant_files: "- `a.ts`\n- The usual ones" }));

    expect(notes).toEqual(['"The usual ones" in ## relevant_files names no file']);
  });
});

describe("lists in any dress", () => {
  test.each<[string, string[]]>([
    ["  - one\n  - two", ["one", "two"]],
    ["- one\nand more\n- two", ["one\nand more", "two"]],
    ["- Scope\n  - only src\n  - no tests\n- two", ["Scope only src no tests", "two"]],
    ["First limit.\n\nSecond limit.", ["First limit.", "Second limit."]],
    ["These apply:\n- a\n- b", ["a", "b"]],
    ["- one\n\n- two\n\n\n- three", ["one", "two", "three"]],
    ["- one\n\n  second paragraph\n- two", ["one\n\nsecond paragraph", "two"]],
    ["---\n- a\n---", ["a"]],
    ["- [ ] a\n- [x] b", ["a", "b"]],
    ["| Constraint |\n|---|\n| no API |", ["no API"]],
    ["- a\n  ```\n  - b\n  ```\n- c", ["a\n```\n- b\n```", "c"]],
    ["None.", []],
    ["- No new files", ["No new files"]],
  ])("%j", (body, wanted) => {
    expect(read(reply({ constraints: body })).json["constraints"]).toEqual(wanted);
  });

  test("a fenced block that belongs to no item is left out and told", () => {
    const { json, notes } = read(reply({ constraints: "- a\n```\n- b\n```" }));

    expect(json["constraints"]).toEqual(["a"]);
    expect(notes).toEqual(["fenced block in ## constraints belongs to no item and was left out"]);
  });
});

describe("commands in any dress", () => {
  test.each<[string, string[] | undefined]>([
    ["- `npm test` — runs all", ["npm test"]],
    ["- `npm test` (slow)\n- $ npm run lint", ["npm test", "npm run lint"]],
    ["```sh\n$ npm test\n# a comment\nnpm run lint # fast\n\n```", ["npm test", "npm run lint"]],
    ["```\nnpm test \\\n  --all\n```", ["npm test \\\n  --all"]],
    ["- ```sh\n  npm test\n  ```", ["npm test"]],
    ["npm test", ["npm test"]],
    ["Run `npm test`", ["npm test"]],
    ["- Unit tests: `npm test`", ["npm test"]],
    ["- `echo `date``", ["echo `date`"]],
    ["- `grep '# x' a`", ["grep '# x' a"]],
    ["- `cd x && npm test -- --grep 'a - b'`", ["cd x && npm test -- --grep 'a - b'"]],
    ["- `echo a &amp;&amp; b`", ["echo a &amp;&amp; b"]],
    ["No test commands known.", undefined],
  ])("%j", (body, wanted) => {
    expect(read(reply({ test_commands: body })).json["test_commands"]).toEqual(wanted);
  });
});

describe("errors, attempts, discovery and snippets in any dress", () => {
  test.each<[string, Record<string, string>, Json]>([
    [
      "an unfenced stack trace is one error",
      { observed_errors: "TypeError: x\n  at a\n  at b" },
      { observed_errors: ["TypeError: x\n  at a\n  at b"] },
    ],
    [
      "a fence under its bullet belongs to it",
      { observed_errors: "- add fails:\n  ```\n  boom\n  ```\n- b" },
      { observed_errors: ["add fails:\n```\nboom\n```", "b"] },
    ],
    [
      "an outcome after another separator",
      { previous_attempts: "- a → Outcome: b\n- c; outcome: d" },
      {
        previous_attempts: [
          { summary: "a", outcome: "b" },
          { summary: "c", outcome: "d" },
        ],
      },
    ],
    [
      "an outcome as a nested bullet",
      { previous_attempts: "- a\n  - **Outcome:** b" },
      { previous_attempts: [{ summary: "a", outcome: "b" }] },
    ],
    [
      "a status with emphasis",
      { discovery: "**Partial** — b" },
      { discovery: { status: "partial", note: "b" } },
    ],
    ["a status with its word", { discovery: "status: none" }, { discovery: { status: "none" } }],
    [
      "a snippet whose fence names the path",
      { relevant_snippets: "```ts src/a.ts\nx\n```" },
      { relevant_snippets: [{ path: "src/a.ts", language: "ts", content: "x" }] },
    ],
    [
      "a snippet under a bold head",
      { relevant_snippets: "**`a.ts`** (lines 1-2):\n```ts\nx\n```" },
      { relevant_snippets: [{ path: "a.ts", lines: "1-2", language: "ts", content: "x" }] },
    ],
    [
      "snippets under ## heads",
      { relevant_snippets: "## `a.ts`\n```\nx\n```\n## b.ts:3\ny" },
      {
        relevant_snippets: [
          { path: "a.ts", content: "x" },
          { path: "b.ts", lines: "3-3", content: "y" },
        ],
      },
    ],
    [
      "version 2 without its number",
      { success_criteria: "- add works (check: `npm test`)", decisions: "- Keep A: it is used" },
      {
        success_criteria: [{ text: "add works", check: "npm test" }],
        decisions: [{ choice: "Keep A", because: "it is used" }],
      },
    ],
  ])("%s", (_title, body, wanted) => {
    expect(read(reply(body)).json).toMatchObject(wanted);
  });

  test("what kit computes or limits is not taken from a model", () => {
    const { json, notes } = read(
      reply({
        budget: "- max_tokens: 999999",
        warnings: "- all good",
        completeness: "full",
        context_items: "- [x/policy] a: b (c)",
      }),
    );

    expect(Object.keys(json)).not.toEqual(expect.arrayContaining(["budget"]));
    expect(notes).toHaveLength(4);
  });
});
