import * as z from "zod/mini";
import type { Version1Json, Version2Json } from "./json-shape.ts";

/** A text equals its own trim, is not empty and holds no NUL. */
const TEXT = /^(?!\s)[^\0]+(?<!\s)$/;
/** `""` of an optional text equals absence. */
const OPTIONAL_TEXT = /^(?:(?!\s)[^\0]+(?<!\s))?$/;
const OPTIONAL_LINE = /^(?:(?!\s)[^\0\r\n]+(?<!\s))?$/;
/** Relative to the repository, `/` between segments; each alternative is a refused start or segment. */
const PATH =
  /^(?!\s)(?![/~]|[A-Za-z]:(?:\/|$)|[Ff][Ii][Ll][Ee]:)(?!(?:[^/]*\/)*\.\.(?:\/|$))[^\0\r\n\\]+(?<!\s)$/;
const LINES = /^[1-9]\d*-[1-9]\d*$/;
/** Words of a Markdown head that a reader must find the end of. */
const NAME = /^[a-z][a-z0-9-]*$/;
const OPTIONAL_NAME = /^(?:[a-z][a-z0-9-]*)?$/;
const OPTIONAL_LANGUAGE = /^[^\s`\0]*$/;
const NO_NUL = /^[^\0]+$/;
const ID = /^[^\s\0]+$/;

const textRule = "must be a text without blanks at its ends and without NUL";
const linesRule = 'must be "start-end" with digits from 1 and start ≤ end';
const pathRule =
  "must be relative to the repository with / between segments: no leading /, ~ or drive, no \\, no .. segment, no file:, no line break";

const text = z.string().check(z.regex(TEXT, textRule));
const optionalText = z.optional(z.string().check(z.regex(OPTIONAL_TEXT, textRule)));
const optionalLine = z.optional(
  z.string().check(z.regex(OPTIONAL_LINE, `${textRule}, on one line`)),
);
const verbatim = z
  .string()
  .check(z.regex(NO_NUL, "must be a text that is not empty and holds no NUL"));
const path = z.string().check(z.regex(PATH, pathRule));
const name = z.string().check(z.regex(NAME, `must match ${NAME.source}`));
const optionalName = z.optional(
  z.string().check(z.regex(OPTIONAL_NAME, `must match ${NAME.source}`)),
);
const ascending = (range: string): boolean => {
  const [start, end] = range.split("-").map(Number);
  return range === "" || (start ?? 0) <= (end ?? 0);
};
const range = z
  .string()
  .check(z.regex(LINES, { error: linesRule, abort: true }), z.refine(ascending, linesRule));
const optionalRange = z.optional(z.union([z.literal(""), range]));

const discovery = z.optional(
  z.strictObject({ status: z.enum(["found", "partial", "none"]), note: optionalText }),
);
const snippets = z.optional(
  z.array(
    z.strictObject({
      path,
      lines: optionalRange,
      language: z.optional(
        z.string().check(z.regex(OPTIONAL_LANGUAGE, "must be one word without backticks")),
      ),
      content: verbatim,
    }),
  ),
);
const attempts = z.optional(z.array(z.strictObject({ summary: text, outcome: optionalText })));
const texts = z.optional(z.array(text));
const positive = z.int().check(z.positive("must be a positive integer"));

const shared = {
  task: text,
  goal: text,
  discovery,
  relevant_snippets: snippets,
  repo_rules: texts,
  observed_errors: z.optional(z.array(verbatim)),
  test_commands: texts,
  previous_attempts: attempts,
  expected_output: text,
  capability: optionalName,
  produced_by: optionalText,
};
const file = { path, reason: optionalLine, create: z.optional(z.boolean()) };

/** A schema of exactly this shape, so that the compiler sees where the two drift apart. */
type Shape<T> = z.ZodMiniType<T, T>;

/** The JSON form of version 1. Unknown keys are errors. */
export const version1: Shape<Version1Json> = z.strictObject({
  ...shared,
  constraints: z.array(text),
  relevant_files: z.array(z.strictObject({ ...file, lines: optionalRange })),
  budget: z.optional(z.strictObject({ max_tokens: z.optional(positive) })),
  version: z.optional(z.literal(1)),
});

/** The JSON form of version 2: every field of version 1, and the new ones. */
export const version2: Shape<Version2Json> = z.strictObject({
  ...shared,
  constraints: z.array(
    z.union([text, z.strictObject({ kind: z.enum(["must", "must_not", "blocked_by"]), text })]),
  ),
  relevant_files: z.array(
    z.strictObject({
      ...file,
      lines: z.optional(z.union([z.literal(""), range, z.array(range)])),
    }),
  ),
  scope: texts,
  decisions: z.optional(
    z.array(z.strictObject({ choice: text, because: text, source: optionalText })),
  ),
  success_criteria: z.optional(z.array(z.strictObject({ text, check: optionalText }))),
  files_touched: z.optional(
    z.array(
      z.strictObject({
        path,
        note: z.string().check(z.regex(/^(?!\s)[^\0\r\n]+(?<!\s)$/, `${textRule}, on one line`)),
      }),
    ),
  ),
  progress: texts,
  parent: optionalText,
  context_items: z.optional(
    z.array(
      z.strictObject({
        id: z.string().check(z.regex(ID, "must be one word")),
        kind: name,
        authority: name,
        summary: text,
        source: text,
      }),
    ),
  ),
  completeness: z.optional(z.enum(["full", "partial", "minimal"])),
  warnings: texts,
  token_estimate: z.optional(positive),
  budget: z.optional(
    z.strictObject({
      profile: z.optional(z.enum(["simple", "complex", "handoff", "coder"])),
      max_tokens: z.optional(positive),
    }),
  ),
  version: z.literal(2),
});
