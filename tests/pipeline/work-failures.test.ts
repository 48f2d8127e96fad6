import { describe, expect, test } from "vitest";
import {
  block,
  type Came,
  coderReply,
  earlierReply,
  edit,
  scoutReply,
  tested,
  type Tested,
} from "./work-failures.ts";
import { packText } from "./support.ts";

const good = "export const add = (a, b) => a + b;\n";

/** Replies of coders, and what the parser, the plan or an objection makes of them. */
const coders: readonly (readonly [Came, string, string])[] = [
  ["fine", "a whole file", block("src/math.js", good)],
  ["fine", "an edit", edit("src/math.js", "export const two = 2;\n", "export const two = 3;\n")],
  ["fine", "the new file of the pack", block("src/new.js", good)],
  ["fine", "a new test", block("test/new.test.js", "test('x', () => {});\n")],
  ["format", "prose", "I would add the two numbers."],
  ["format", "an apology", "I'm sorry, I can't see the file."],
  ["format", "code without a file name", "```js\nexport const add = 1;\n```\n"],
  ["format", "a question", "Which file do you mean?"],
  [
    "format",
    "another tag than its neighbours",
    `${block("src/math.js", good)}=== FILE: src/twice.js === zzzz\nx\n=== END === k3f9\n`,
  ],
  [
    "format",
    "text in an edit outside its search",
    "=== EDIT: src/math.js === k3f9\nHere it comes:\n<<<<<<< SEARCH\nexport const two = 2;\n=======\nexport const two = 3;\n>>>>>>> REPLACE\n=== END === k3f9\n",
  ],
  [
    "format",
    "an edit without a search",
    "=== EDIT: src/math.js === k3f9\nexport const two = 3;\n=== END === k3f9\n",
  ],
  ["format", "a header that is not closed", "=== FILE: src/math.js\nexport const add = 1;\n"],
  [
    "format",
    "a whole file and an edit of it",
    block("src/math.js", good) + edit("src/math.js", "export const two = 2;\n", "x\n"),
  ],
  [
    "format",
    "two whole files that differ",
    block("src/math.js", good) + block("src/math.js", "x\n"),
  ],
  [
    "truncated_reply",
    "a last block without its end",
    "=== FILE: src/math.js === k3f9\nexport const add",
  ],
  [
    "truncated_reply",
    "an edit that breaks off",
    "=== EDIT: src/math.js === k3f9\n<<<<<<< SEARCH\nexport const two",
  ],
  ["truncated_reply", "reasoning that never ends", "<think>\nFirst, the function"],
  [
    "apply",
    "a search that is not in the file",
    edit("src/math.js", "const nothing = 0;\nconst more = 1;\n", "x\n"),
  ],
  ["apply", "a search that is there twice", edit("src/twice.js", "let a = 1;\n", "let b = 1;\n")],
  ["apply", "an edit of the new file", edit("src/new.js", "a\n", "b\n")],
  [
    "no_changes",
    "the file as it is",
    edit("src/math.js", "export const two = 2;\n", "export const two = 2;\n"),
  ],
  [
    "no_changes",
    "the whole file as it is",
    block(
      "src/math.js",
      "export const add = (a, b) => a - b;\nexport const two = 2;\nexport const one = 1;\n",
    ),
  ],
  ["repeat", "what an earlier attempt did", earlierReply],
  [
    "repeat",
    "the same as an edit",
    edit(
      "src/math.js",
      "export const add = (a, b) => a - b;\nexport const two = 2;\nexport const one = 1;\n",
      "export const add = (a, b) => b - a;\n",
    ),
  ],
  ["needs_file", "a file asked for", "=== NEED: src/other.js === k3f9\n"],
  ["needs_file", "a tracked file outside the pack", block("src/other.js", good)],
  [
    "needs_file",
    "an edit outside the pack",
    edit("src/other.js", "export const other = 1;\n", "export const other = 2;\n"),
  ],
  ["needs_file", "a delete outside the pack", "=== DELETE: src/other.js === k3f9\n"],
  ["out_of_scope", "a new file that nobody listed", block("src/extra.js", good)],
  ["out_of_scope", "a secret", block(".env", "TOKEN=y\n")],
  ["out_of_scope", "git's own folder", block(".git/config", "x\n")],
  ["out_of_scope", "a workflow", block(".github/workflows/ci.yml", "x\n")],
  ["out_of_scope", "a path that leaves the repository", block("../outside.js", good)],
  ["out_of_scope", "an absolute path elsewhere", block("/etc/passwd", "x\n")],
  ["out_of_scope", "kit's own folder", block(".kit/kit.yaml", "x\n")],
  ["out_of_scope", "a hook folder", block(".husky/pre-commit", "x\n")],
  [
    "tests_weakened",
    "an existing test rewritten",
    block("test/math.test.js", "test('add', () => {});\n"),
  ],
  [
    "tests_weakened",
    "an existing test edited",
    edit("test/math.test.js", "  expect(add(2, 3)).toBe(5);\n", ""),
  ],
  ["tests_weakened", "an existing test deleted", "=== DELETE: test/math.test.js === k3f9\n"],
  [
    "out_of_scope",
    "a runner configuration of its own",
    block("src/new.js", good).replace("src/new.js", "vitest.config.js"),
  ],
  ["format", "that nothing is to do", "The code is right as it is; no changes are needed."],
];

/** Replies of scouts. */
const scouts: readonly (readonly [Came, string, string])[] = [
  ["fine", "a pack", packText("src/math.js")],
  ["pack_invalid", "prose", "The bug is in src/math.js."],
  ["pack_invalid", "nothing", ""],
  ["pack_invalid", "a pack without files", packText()],
  ["pack_invalid", "a file that is not there", packText("src/nothing.js")],
  ["pack_invalid", "a path that leaves the repository", packText("../../etc/passwd")],
  ["pack_invalid", "JSON that is no pack", '{"answer":"src/math.js"}'],
  ["pack_invalid", "JSON that is cut", '{"task":"Fix add()","goal":"x","relevant_files":[{"pa'],
  ["pack_invalid", "only a title", "# Context Pack\n"],
  ["pack_invalid", "an apology", "I'm sorry, I can't read files."],
  ["pack_invalid", "a coder's reply", block("src/math.js", good)],
];

const red = { code: 1, output: "1 failing\n  add: expected 5, got -1\n" };
const green = { code: 0, output: "ok\n" };
/** The summary of a runner that counts. */
const node = (pass: number, fail: number): string =>
  `ℹ tests ${pass + fail}\nℹ suites 0\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 5\n`;

/** What the test command said before and after. */
const gates: readonly (readonly [Came, string, Tested])[] = [
  ["fine", "red, then green", { before: red, after: green }],
  ["fine", "green, then green", { before: green, after: green }],
  ["tests_failed", "green, then red", { before: green, after: red }],
  ["tests_failed", "red, and red still", { before: red, after: red }],
  [
    "tests_failed",
    "other reds than before",
    { before: red, after: { code: 1, output: "2 failing\n" } },
  ],
  ["tests_failed", "another exit code", { before: red, after: { ...red, code: 2 } }],
  [
    "tests_failed",
    "a crash",
    { before: green, after: { ended: { by: "signal", signal: "SIGSEGV" } } },
  ],
  [
    "tests_failed",
    "no end in time",
    { before: green, after: { ended: { by: "deadline", afterMs: 1000 } } },
  ],
  [
    "tests_failed",
    "a compiler's error",
    { before: green, after: { code: 2, output: "src/math.js(1,2): error TS1005\n" } },
  ],
  [
    "tests_failed",
    "fewer reds, but red",
    { before: { code: 1, output: node(1, 3) }, after: { code: 1, output: node(3, 1) } },
  ],
  [
    "vacuous",
    "green without a test",
    { before: { code: 0, output: node(5, 0) }, after: { code: 0, output: node(0, 0) } },
  ],
  [
    "vacuous",
    "fewer tests than before",
    { before: { code: 0, output: node(5, 0) }, after: { code: 0, output: node(3, 0) } },
  ],
];

test("there are at least sixty of them", () => {
  expect(coders.length + scouts.length + gates.length).toBeGreaterThanOrEqual(60);
});

/** Words that providers' errors are made of, also as parts of other words. */
const alarming =
  "Note: timeout, rate limit exceeded (429), quota exhausted, auth and author; overloaded, insufficient_quota.";

describe("a coder's reply", () => {
  test.each(coders)("%s: %s", async (came, _, reply) => {
    expect(await coderReply(reply)).toBe(came);
  });

  test.each(coders)("with words of providers before it, still %s: %s", async (came, _, reply) => {
    expect(await coderReply(`${alarming}\n\n${reply}`)).toBe(came);
  });
});

describe("a scout's reply", () => {
  test.each(scouts)("%s: %s", (came, _, reply) => {
    expect(scoutReply(reply)).toBe(came);
  });

  test.each(scouts)("with words of providers before it, still %s: %s", (came, _, reply) => {
    expect(scoutReply(`${alarming}\n\n${reply}`)).toBe(came);
  });
});

describe("the tests'", () => {
  test.each(gates)("%s: %s", (came, _, results) => {
    expect(tested(results)).toBe(came);
  });

  test.each(gates)("output with words of providers, still %s: %s", (came, _, results) => {
    const { before, after, ...rest } = results;
    const loud = (one: Tested["after"]): Tested["after"] => ({
      ...one,
      output: `${alarming}\n${one?.output ?? ""}`,
    });

    expect(tested({ before: loud(before), after: loud(after), ...rest })).toBe(came);
    expect(tested({ before, after: loud(after), ...rest })).toBe(came);
  });
});
