import type { Constraint, ContextPack, PackFile } from "../contracts/index.ts";
import type { Version1Json, Version2Json } from "./json-shape.ts";

/**
 * A pack that was read but not checked yet: fields may be missing, paths may be absolute. Its
 * lists hold the right shapes.
 */
export type PackDraft = Partial<ContextPack>;

const prefixes = { must: "MUST", must_not: "MUST NOT", blocked_by: "BLOCKED BY" } as const;
/** Exactly what `constraintText` writes, so that both directions give the same text. */
const TYPED = /^(MUST NOT|MUST|BLOCKED BY): (?=\S)/;

/** `MUST NOT: text` for a typed constraint, the text alone for a plain one. */
export function constraintText(constraint: Constraint): string {
  return constraint.kind === undefined
    ? constraint.text
    : `${prefixes[constraint.kind]}: ${constraint.text}`;
}

/** The constraint that a line of version 1 or of Markdown states. */
export function constraintFrom(text: string): Constraint {
  const prefix = TYPED.exec(text);
  if (!prefix) return { text };
  const rest = text.slice(prefix[0].length);
  if (prefix[1] === "MUST") return { kind: "must", text: rest };
  return { kind: prefix[1] === "MUST NOT" ? "must_not" : "blocked_by", text: rest };
}

/** `value` as one-key object, or nothing where it equals absence (`undefined`, `""`, `[]`, `false`). */
export function present<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  const absent =
    value === undefined ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0);
  return (absent ? {} : { [key]: value }) as { [P in K]?: T };
}

/** The pack in memory of a JSON value that `validatePack` found right, version 1 or 2. */
export function fromJson(json: Version1Json | Version2Json): ContextPack {
  const shared = {
    task: json.task,
    goal: json.goal,
    constraints: json.constraints.map((constraint) =>
      typeof constraint === "string"
        ? constraintFrom(constraint)
        : constraintFrom(constraintText(constraint)),
    ),
    ...discoveryFrom(json.discovery),
    relevantFiles: json.relevant_files.map(fileFrom),
    ...present("relevantSnippets", json.relevant_snippets?.map(snippetFrom)),
    ...present("repoRules", json.repo_rules),
    ...present("observedErrors", json.observed_errors),
    ...present("testCommands", json.test_commands),
    ...present(
      "previousAttempts",
      json.previous_attempts?.map(({ summary, outcome }) => ({
        summary,
        ...present("outcome", outcome),
      })),
    ),
    expectedOutput: json.expected_output,
    ...present("capability", json.capability),
    ...present("producedBy", json.produced_by),
    ...present("version", json.version),
  };
  if (json.version !== 2) return { ...shared, ...budgetFrom(json.budget) };
  return {
    ...shared,
    ...budgetFrom(json.budget),
    ...present("scope", json.scope),
    ...present(
      "decisions",
      json.decisions?.map(({ choice, because, source }) => ({
        choice,
        because,
        ...present("source", source),
      })),
    ),
    ...present(
      "successCriteria",
      json.success_criteria?.map(({ text, check }) => ({ text, ...present("check", check) })),
    ),
    ...present("filesTouched", json.files_touched),
    ...present("progress", json.progress),
    ...present("parent", json.parent),
    ...present("contextItems", json.context_items),
    ...present("completeness", json.completeness),
    ...present("warnings", json.warnings),
    ...present("tokenEstimate", json.token_estimate),
  };
}

/**
 * The JSON form of version 2, keys in the order of writing. A draft gives what it has, so that
 * `validatePack` can say what is missing.
 */
export function toVersion2(pack: ContextPack): Version2Json;
export function toVersion2(pack: PackDraft): Partial<Version2Json>;
export function toVersion2(pack: PackDraft): Partial<Version2Json> {
  return {
    ...textFields(pack),
    ...keep(
      "constraints",
      pack.constraints?.map((constraint) => {
        const { kind, text } = constraintFrom(constraintText(constraint));
        return kind === undefined ? text : { kind, text };
      }),
    ),
    ...discoveryJson(pack.discovery),
    ...keep(
      "relevant_files",
      pack.relevantFiles?.map((file) => ({
        path: file.path,
        ...present("reason", file.reason),
        ...present("lines", file.lines?.length === 1 ? file.lines[0] : file.lines?.slice()),
        ...present("create", file.create),
      })),
    ),
    ...listFields(pack),
    ...keep("expected_output", pack.expectedOutput),
    ...present("scope", pack.scope?.slice()),
    ...present(
      "decisions",
      pack.decisions?.map((decision) => ({ ...decision })),
    ),
    ...present(
      "success_criteria",
      pack.successCriteria?.map((criterion) => ({ ...criterion })),
    ),
    ...present(
      "files_touched",
      pack.filesTouched?.map((file) => ({ ...file })),
    ),
    ...present("progress", pack.progress?.slice()),
    ...present("parent", pack.parent),
    ...present(
      "context_items",
      pack.contextItems?.map((item) => ({ ...item })),
    ),
    ...present("completeness", pack.completeness),
    ...present("warnings", pack.warnings?.slice()),
    ...present("token_estimate", pack.tokenEstimate),
    ...present("capability", pack.capability),
    ...present("produced_by", pack.producedBy),
    ...budgetJson(pack.budget),
    version: 2,
  };
}

/** The fields that both versions write alike, up to the places where they differ. */
export function textFields(pack: PackDraft): { task?: string; goal?: string } {
  return { ...keep("task", pack.task), ...keep("goal", pack.goal) };
}

/** The lists that both versions write alike. */
export function listFields(
  pack: PackDraft,
): Partial<
  Pick<
    Version2Json,
    "relevant_snippets" | "repo_rules" | "observed_errors" | "test_commands" | "previous_attempts"
  >
> {
  return {
    ...present(
      "relevant_snippets",
      pack.relevantSnippets?.map((snippet) => ({ ...snippet })),
    ),
    ...present("repo_rules", pack.repoRules?.slice()),
    ...present("observed_errors", pack.observedErrors?.slice()),
    ...present("test_commands", pack.testCommands?.slice()),
    ...present(
      "previous_attempts",
      pack.previousAttempts?.map((attempt) => ({ ...attempt })),
    ),
  };
}

/** `found` without a note says nothing and is left out. */
export function discoveryJson(discovery: PackDraft["discovery"]): {
  discovery?: NonNullable<PackDraft["discovery"]>;
} {
  if (!discovery || (discovery.status === "found" && !discovery.note)) return {};
  return { discovery: { status: discovery.status, ...present("note", discovery.note) } };
}

/** As one-key object unless undefined: an empty text is kept, for the validator to refuse. */
export function keep<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
}

function budgetJson(budget: PackDraft["budget"]): Partial<Pick<Version2Json, "budget">> {
  if (!budget) return {};
  const json = {
    ...present("profile", budget.profile),
    ...present("max_tokens", budget.maxTokens),
  };
  return Object.keys(json).length === 0 ? {} : { budget: json };
}

function budgetFrom(budget: Version2Json["budget"]): Pick<PackDraft, "budget"> {
  const read = {
    ...present("profile", budget?.profile),
    ...present("maxTokens", budget?.max_tokens),
  };
  return Object.keys(read).length === 0 ? {} : { budget: read };
}

function discoveryFrom(discovery: Version2Json["discovery"]): Pick<PackDraft, "discovery"> {
  return discoveryJson(
    discovery ? { status: discovery.status, ...present("note", discovery.note) } : undefined,
  );
}

function fileFrom(file: Version2Json["relevant_files"][number]): PackFile {
  const lines = typeof file.lines === "string" ? [file.lines] : (file.lines ?? []);
  return {
    path: file.path,
    ...present("reason", file.reason),
    ...present(
      "lines",
      lines.filter((range) => range !== ""),
    ),
    ...(file.create === true && { create: true }),
  };
}

function snippetFrom(
  snippet: NonNullable<Version2Json["relevant_snippets"]>[number],
): NonNullable<ContextPack["relevantSnippets"]>[number] {
  return {
    path: snippet.path,
    ...present("lines", snippet.lines),
    ...present("language", snippet.language),
    content: snippet.content,
  };
}
