import * as z from "zod/mini";
import { version1, version2 } from "./schema.ts";
import type { SectionName } from "./sections.ts";

/** What each field means, for editors. */
const meanings: Readonly<Record<SectionName, string>> = {
  task: "One line: what this is about.",
  goal: "What done looks like to the person who asked.",
  constraints: "Hard limits: scope, style, forbidden acts, budgets. May be empty.",
  discovery: "What the search for files came to; only `none` allows no files.",
  relevant_files:
    "What the reader may look at, change or create; paths relative to the repository. `create`: does not exist yet.",
  relevant_snippets: "Verbatim excerpts.",
  repo_rules: "Rules of the repository that apply.",
  observed_errors: "Failures, verbatim.",
  test_commands: "Exact commands that verify the change.",
  previous_attempts: "What was tried and why it failed.",
  expected_output: "The shape of the deliverable.",
  scope: "Boundaries to stay in.",
  decisions: "Settled, not to be reopened.",
  success_criteria: "What can be verified; `check` is a command, run when it is a known one.",
  files_touched: "Partial work that is handed over.",
  progress: "How far the work has come.",
  parent: "Who hands over.",
  context_items: "What memory of earlier runs contributed.",
  completeness: "Computed by kit.",
  warnings: "Computed by kit.",
  token_estimate: "Computed by kit: estimated tokens of the pack and the files beside it.",
  capability: "What the work needs of a model.",
  produced_by: "Who wrote the pack.",
  budget: "Most estimated tokens: simple 500, complex 1500, handoff 2000, coder 6000.",
  version: "Version of this format.",
};

/**
 * The published JSON Schemas by file name, rendered from the shapes that validate. What JSON
 * Schema cannot say (start ≤ end of a range) is left to `kit pack check`.
 */
export function contextPackSchemas(): Record<string, object> {
  return {
    "context-pack.v1.schema.json": published(version1, "Context Pack, version 1"),
    "context-pack.v2.schema.json": published(version2, "Context Pack, version 2"),
  };
}

function published(shape: typeof version1 | typeof version2, title: string): object {
  const { $schema, ...schema } = z.toJSONSchema(shape, { target: "draft-2020-12", io: "input" });
  return {
    $schema,
    title,
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        { description: meanings[name as SectionName], ...Object(property) },
      ]),
    ),
    // Only a discovery that found nothing may name no file.
    anyOf: [
      { properties: { relevant_files: { minItems: 1 } } },
      {
        required: ["discovery"],
        properties: { discovery: { properties: { status: { const: "none" } } } },
      },
    ],
  };
}
