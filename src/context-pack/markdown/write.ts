import { longestFenceRun } from "../../lib/text.ts";
import { constraintFrom, constraintText, fromJson } from "../codec.ts";
import type { Version1Json, Version2Json } from "../json-shape.ts";
import { sections, type SectionName } from "../sections.ts";
import { writeItem, writeText } from "./escapes.ts";
import { writeFileItem, writeHead } from "./file-grammar.ts";
import { writeAttempt, writeContextItem, writeCriterion, writeDecision } from "./item-grammar.ts";

/**
 * The canonical Markdown of a JSON pack that `validatePack` found right: sections in order, one
 * blank line between them, one line break at the end. Version 1 has no section for `budget` and
 * `version`.
 */
export function writeMarkdown(json: Version1Json | Version2Json): string {
  const bodies = bodiesOf(json);
  const written = sections.flatMap(({ name, since }) => {
    const body = since === 2 && json.version !== 2 ? undefined : bodies[name];
    return body === undefined || body.length === 0 ? [] : [[`## ${name}`, ...body].join("\n")];
  });
  return `${["# Context Pack", ...written].join("\n\n")}\n`;
}

function bodiesOf(json: Version1Json | Version2Json): Partial<Record<SectionName, string[]>> {
  const pack = fromJson(json);
  const { discovery, budget } = pack;
  const status = discovery?.note === undefined ? [discovery?.status ?? ""] : [];
  return {
    task: writeText(pack.task),
    goal: writeText(pack.goal),
    constraints: orMark(
      items(pack.constraints.map((one) => constraintText(constraintFrom(constraintText(one))))),
      "-",
    ),
    discovery:
      discovery?.note === undefined
        ? status.filter((word) => word !== "")
        : writeText(discovery.note, `${discovery.status} — `),
    relevant_files: orMark(items(pack.relevantFiles.map(writeFileItem)), "(none)"),
    relevant_snippets: separated(
      (pack.relevantSnippets ?? []).map(({ path, lines, language, content }) => [
        `### ${writeHead(path, lines === undefined ? [] : [lines])}`,
        ...fenced(content, language),
      ]),
    ),
    repo_rules: items(pack.repoRules),
    observed_errors: separated((pack.observedErrors ?? []).map((error) => fenced(error))),
    test_commands: items(pack.testCommands?.map((command) => `\`${command}\``)),
    previous_attempts: items(pack.previousAttempts?.map(writeAttempt)),
    expected_output: writeText(pack.expectedOutput),
    scope: items(pack.scope),
    decisions: items(pack.decisions?.map(writeDecision)),
    success_criteria: items(pack.successCriteria?.map(writeCriterion)),
    files_touched: items(
      pack.filesTouched?.map(({ path, note }) => writeFileItem({ path, reason: note })),
    ),
    progress: items(pack.progress),
    parent: optionalText(pack.parent),
    context_items: items(pack.contextItems?.map(writeContextItem)),
    completeness: optionalText(pack.completeness),
    warnings: items(pack.warnings),
    token_estimate: optionalText(pack.tokenEstimate?.toString()),
    capability: optionalText(pack.capability),
    produced_by: optionalText(pack.producedBy),
    budget: [
      ...(budget?.profile === undefined ? [] : [`- profile: ${budget.profile}`]),
      ...(budget?.maxTokens === undefined ? [] : [`- max_tokens: ${budget.maxTokens}`]),
    ],
    version: ["2"],
  };
}

function items(texts: readonly string[] | undefined): string[] {
  return (texts ?? []).flatMap(writeItem);
}

function orMark(lines: string[], mark: string): string[] {
  return lines.length === 0 ? [mark] : lines;
}

function optionalText(text: string | undefined): string[] {
  return text === undefined ? [] : writeText(text);
}

function separated(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** Verbatim to the byte: the reader takes every line between the fences, also the last empty one. */
function fenced(content: string, language = ""): string[] {
  const marks = "`".repeat(Math.max(3, longestFenceRun(content) + 1));
  return [`${marks}${language}`, ...content.split("\n"), marks];
}
