import fc from "fast-check";
import type { ContextPack } from "../../src/contracts/index.ts";

/** Pieces that mean something to a Markdown reader, to escapes, or to a sloppy split. */
const pieces = [
  "## test_commands",
  "## goal",
  "## ",
  "##",
  "# Context Pack",
  "### `a`",
  "###### x",
  "## version\n2",
  "```",
  "````",
  "~~~",
  "```js",
  "~~~~ sh",
  "``",
  "`",
  "    ```",
  "- ```",
  "* ~~~",
  "- ",
  "* ",
  "+ ",
  "-",
  "*",
  "1. ",
  "- [ ] ",
  "- - x",
  "  - nested",
  "\t- tab",
  "\\",
  "\\\\",
  "\\#",
  "\\- ",
  "\\```",
  "\\— ",
  "\\(new)",
  "\\(check: `x`)",
  " — ",
  " – ",
  " -- ",
  " - ",
  ": ",
  " — outcome: ",
  " - outcome:",
  " \\— outcome: x",
  "outcome:",
  " — because ",
  " because ",
  " (check: `x`)",
  " (source: `y`)",
  " (",
  ")",
  "(new)",
  "(NEW) ",
  "(none)",
  "none",
  "n/a",
  "-\n-",
  "MUST: ",
  "MUST NOT: ",
  "BLOCKED BY: ",
  "(lines 1-2)",
  ":12",
  "#L7",
  "| a | b |",
  "| --- |",
  "<!-- x -->",
  "<think>",
  "</think>",
  "[fact/policy] id: ",
  "**",
  "__",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  " ",
  "  ",
  "\t",
  "\u00a0",
  "\u2028",
  "\u0085",
  "\ufeff",
  "日本",
  "😀",
  "x",
  "src/a.ts",
  "{",
  "}",
];

const joined = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
      ),
      {
        minLength: min,
        maxLength: max,
      },
    )
    .map((parts) => parts.join("").replaceAll("\0", ""));

/** A valid text: trimmed, not empty. */
const text: fc.Arbitrary<string> = joined(1, 8)
  .map((one) => one.trim())
  .filter((one) => one !== "");
const line = text.map((one) => one.replaceAll(/[\r\n]+/g, " ").trim()).filter((one) => one !== "");
const verbatim = joined(1, 8).filter((one) => one !== "");
const path = fc
  .oneof(
    fc.constantFrom(
      "a",
      "src/a.ts",
      "a b`c.ts",
      "`a",
      "a``b`",
      "a:7",
      "x (lines 1-2)",
      "x — y",
      "# x",
      "- a",
      "(new)",
      "\u65e5/\u672c.md",
      "*a*",
      "a`",
    ),
    line.map((one) => one.replaceAll(/[\\]/g, "-")),
  )
  .filter((one) => !/^[/~]|^[A-Za-z]:(?:\/|$)|^file:|(?:^|\/)\.\.(?:\/|$)/i.test(one));
const range = fc
  .tuple(fc.nat(500), fc.nat(50))
  .map(([start, more]) => `${start + 1}-${start + 1 + more}`);
const list = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(of, { minLength: 1, maxLength: 3 });

const file = (ranges: fc.Arbitrary<string[]>) =>
  fc.record(
    { path, reason: line, lines: ranges, create: fc.constant(true as const) },
    { requiredKeys: ["path"] },
  );
const snippet = fc.record(
  {
    path,
    lines: range,
    language: fc.constantFrom("ts", "c++", "~~~", "#", "- "[0] ?? "-"),
    content: verbatim,
  },
  { requiredKeys: ["path", "content"] },
);

const shared = {
  task: text,
  goal: text,
  constraints: fc.array(text, { maxLength: 3 }).map((texts) => texts.map((one) => ({ text: one }))),
  discovery: fc.oneof(
    fc.record({
      status: fc.constantFrom("found" as const, "partial" as const, "none" as const),
      note: text,
    }),
    fc.record({ status: fc.constantFrom("partial" as const, "none" as const) }),
  ),
  relevantSnippets: list(snippet),
  repoRules: list(text),
  observedErrors: list(verbatim),
  testCommands: list(text),
  previousAttempts: list(
    fc.record({ summary: text, outcome: text }, { requiredKeys: ["summary"] }),
  ),
  expectedOutput: text,
  capability: fc.constantFrom("strong-code", "x"),
  producedBy: text,
};
const required = [
  "task",
  "goal",
  "constraints",
  "relevantFiles",
  "expectedOutput",
  "version",
] as const;

/** Valid packs of version 1 whose texts try to become something else. */
export const hostileVersion1: fc.Arbitrary<ContextPack> = fc.record(
  {
    ...shared,
    relevantFiles: list(file(range.map((one) => [one]))),
    version: fc.constant(1 as const),
  },
  { requiredKeys: [...required] },
);

/** The same with every field of version 2. */
export const hostileVersion2: fc.Arbitrary<ContextPack> = fc.record(
  {
    ...shared,
    relevantFiles: list(file(list(range))),
    version: fc.constant(2 as const),
    scope: list(text),
    decisions: list(
      fc.record(
        { choice: text, because: text, source: text },
        { requiredKeys: ["choice", "because"] },
      ),
    ),
    successCriteria: list(fc.record({ text, check: text }, { requiredKeys: ["text"] })),
    filesTouched: list(fc.record({ path, note: line })),
    progress: list(text),
    parent: text,
    contextItems: list(
      fc.record({
        id: fc.constantFrom("m1", "a:b", "x:", "[k/a]", "(", "\\"),
        kind: fc.constantFrom("evidence", "skill"),
        authority: fc.constantFrom("policy", "evidence", "hypothesis"),
        summary: text,
        source: text,
      }),
    ),
    completeness: fc.constantFrom("full" as const, "partial" as const),
    warnings: list(text),
    tokenEstimate: fc.integer({ min: 1, max: 9_999 }),
    budget: fc.record({
      profile: fc.constantFrom("coder" as const, "simple" as const),
      maxTokens: fc.integer({ min: 1 }),
    }),
  },
  { requiredKeys: [...required] },
);
