import { describe, expect, test } from "vitest";
import { describePackErrors, validatePack } from "../../src/context-pack/index.ts";
import type { Json } from "./support.ts";

const valid = {
  task: "t",
  goal: "g",
  constraints: [],
  relevant_files: [{ path: "a" }],
  expected_output: "e",
};

const fields = (own: Json): string[] =>
  validatePack({ ...valid, ...own }).map((error) => error.field);

describe("validatePack names every error at once, in the order of writing", () => {
  test("what is missing comes first", () => {
    expect(validatePack({ goal: "", size: 1 }).map((error) => error.field)).toEqual([
      "task",
      "constraints",
      "relevant_files",
      "expected_output",
      "goal",
      "size",
    ]);
  });

  test.each<[string, Json, string[]]>([
    ["nothing", {}, []],
    ["blanks around a text", { goal: " g" }, ["goal"]],
    [
      "NUL in an excerpt",
      { relevant_snippets: [{ path: "a", content: "\0" }] },
      ["relevant_snippets[0].content"],
    ],
    [
      "an empty excerpt",
      { relevant_snippets: [{ path: "a", content: "" }] },
      ["relevant_snippets[0].content"],
    ],
    [
      "null for an optional field",
      { capability: null, discovery: null },
      ["discovery", "capability"],
    ],
    [
      "optional fields that equal absence",
      {
        capability: "",
        produced_by: "",
        test_commands: [],
        relevant_files: [{ path: "a", reason: "", lines: "", create: false }],
      },
      [],
    ],
    [
      "a line break in a reason",
      { relevant_files: [{ path: "a", reason: "x\ny" }] },
      ["relevant_files[0].reason"],
    ],
    ["a text for a list", { test_commands: "npm test" }, ["test_commands"]],
    ["a number in a list", { repo_rules: ["a", 5] }, ["repo_rules[1]"]],
    ["tokens that are no positive integer", { budget: { max_tokens: 0 } }, ["budget.max_tokens"]],
    ["tokens as text", { budget: { max_tokens: "5" } }, ["budget.max_tokens"]],
    ["fields of version 2 in version 1", { scope: ["x"], parent: "y" }, ["scope", "parent"]],
    [
      "a language of two words",
      { relevant_snippets: [{ path: "a", content: "x", language: "a b" }] },
      ["relevant_snippets[0].language"],
    ],
  ])("%s", (_title, own, wanted) => {
    expect(fields(own)).toEqual(wanted);
  });

  test.each([
    "/a",
    "~/a",
    "~",
    "C:/a",
    "C:\\a",
    "c:",
    "a\\b",
    "..",
    "../a",
    "a/../b",
    "a/..",
    "file:a",
    "FILE:///a",
    "a\nb",
    "a\rb",
    "",
    " a",
    "a\0b",
  ])("the path %j is refused", (path) => {
    expect(fields({ relevant_files: [{ path }] })).toEqual(["relevant_files[0].path"]);
  });

  test.each(["a", "a:12", "a b", "..a", "a..", "a/..b/c", ".github/x", "a~", "x`y", "日本/a"])(
    "the path %j is taken",
    (path) => {
      expect(fields({ relevant_files: [{ path }] })).toEqual([]);
    },
  );

  test.each(["12", "1-", "0-3", "9-2", "1-2-3", "a-b", "01-2", "-1-2", "1–2", " 1-2"])(
    "the range %j is refused",
    (lines) => {
      expect(fields({ relevant_files: [{ path: "a", lines }] })).toEqual([
        "relevant_files[0].lines",
      ]);
    },
  );
});

describe("version 2", () => {
  test("takes typed constraints, several ranges and its own fields", () => {
    expect(
      fields({
        version: 2,
        constraints: ["a", { kind: "must_not", text: "b" }],
        relevant_files: [{ path: "a", lines: ["1-2", "5-9"] }],
        success_criteria: [{ text: "c", check: "npm test" }],
        context_items: [
          { id: "m1", kind: "evidence", authority: "policy", summary: "s", source: "f" },
        ],
        budget: { profile: "handoff", max_tokens: 2_000 },
      }),
    ).toEqual([]);
  });

  test.each<[string, Json, string[]]>([
    [
      "an unknown kind of constraint",
      { constraints: [{ kind: "should", text: "b" }] },
      ["constraints[0].kind"],
    ],
    ["a constraint without text", { constraints: [{ kind: "must" }] }, ["constraints[0].text"]],
    ["a constraint that is a number", { constraints: [5] }, ["constraints[0]"]],
    [
      "a wrong range among several",
      { relevant_files: [{ path: "a", lines: ["1-2", "9-2"] }] },
      ["relevant_files[0].lines[1]"],
    ],
    ["a decision without a reason", { decisions: [{ choice: "a" }] }, ["decisions[0].because"]],
    ["an unknown profile", { budget: { profile: "huge" } }, ["budget.profile"]],
    [
      "an id of two words",
      { context_items: [{ id: "a b", kind: "k", authority: "a", summary: "s", source: "f" }] },
      ["context_items[0].id"],
    ],
  ])("refuses %s", (_title, own, wanted) => {
    expect(fields({ ...own, version: 2 })).toEqual(wanted);
  });
});

test("errors in one line name what is missing together and end after eight others", () => {
  const long = validatePack({
    ...valid,
    goal: undefined,
    repo_rules: Array.from({ length: 20 }, () => ""),
  });

  const line = describePackErrors(long);

  expect(line).toMatch(/^goal missing; repo_rules\[0\]: must be a text/);
  expect(line).toMatch(/; and 12 more$/);
});
