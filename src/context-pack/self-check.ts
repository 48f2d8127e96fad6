import type { ContextPack, PackSnippet } from "../contracts/index.ts";
import { budgetOf, isOverBudget, measurePack } from "./budget.ts";
import { missingLimits } from "./grow.ts";
import type { PackError } from "./pack-error.ts";
import { existsIn, type RepositoryFiles } from "./repository-files.ts";
import { toVersion2 } from "./codec.ts";
import { validatePack } from "./validate.ts";

/** A rule that a pack does not keep. */
export interface PackFinding extends PackError {
  /** The rule in words, the same for every pack. */
  readonly rule: string;
}

/** What the self-check knows beside the pack; a rule without its fact is not checked. */
export interface CheckFacts {
  /** The task as the user gave it. */
  readonly task?: string;
  readonly files?: RepositoryFiles;
  /** Attempts of this run that failed. */
  readonly recordedFailures?: number;
  /** A file's current text, LF line ends; `undefined` where it is not known. */
  readonly fileText?: (path: string) => string | undefined;
  /** Contents that go into the same prompt. */
  readonly fileContents?: readonly string[];
  /** Default: the pack's own budget. */
  readonly maxTokens?: number;
}

/** Failing rules send the pack back as `pack_invalid`; warnings go with it. */
export interface SelfCheck {
  readonly errors: readonly PackFinding[];
  readonly warnings: readonly PackFinding[];
}

interface Rule {
  readonly rule: string;
  readonly severity: "failing" | "warning";
  readonly check: (pack: ContextPack, facts: CheckFacts) => PackError[];
}

/** The self-check of CONTEXT-PACK, one row a rule. A pack that is not valid meets no other rule. */
const rules: readonly Rule[] = [
  {
    rule: "a goal",
    severity: "failing",
    check: (pack) => when(pack.goal === "", "goal", "is empty"),
  },
  {
    rule: "every MUST and MUST NOT present",
    severity: "failing",
    check: (pack, { task = "" }) =>
      missingLimits(pack, task).map((line) => ({
        field: "constraints",
        message: `must hold the task's own words: ${line}`,
      })),
  },
  {
    rule: "recorded failures listed",
    severity: "failing",
    check: (pack, { recordedFailures = 0 }) =>
      when(
        (pack.previousAttempts?.length ?? 0) < recordedFailures,
        "previous_attempts",
        `must list all ${recordedFailures} failed attempt(s)`,
      ),
  },
  {
    rule: "within budget",
    severity: "failing",
    check(pack, { fileContents, maxTokens = budgetOf(pack) }) {
      const tokens = measurePack(pack, fileContents);
      const message = `${tokens} estimated tokens, ${maxTokens} allowed`;
      return when(isOverBudget(tokens, maxTokens), "budget", message);
    },
  },
  { rule: "no path that does not exist", severity: "failing", check: unknownPaths },
  {
    rule: "a verifiable criterion",
    severity: "warning",
    check: (pack) =>
      when(
        (pack.successCriteria ?? []).length === 0,
        "success_criteria",
        "no verifiable criterion",
      ),
  },
  {
    rule: "no snippet that is a whole file",
    severity: "warning",
    check: (pack, facts) =>
      snippetsThat(pack, facts, (snippet, text) => trimEnd(snippet.content) === trimEnd(text)).map(
        ({ field, path }) => ({ field, message: `is all of ${path}: name the file instead` }),
      ),
  },
  {
    rule: "every snippet equals the lines it names",
    severity: "warning",
    check: (pack, facts) =>
      snippetsThat(pack, facts, differs).map(({ field, path }) => ({
        field,
        message: `differs from ${path} as it is now`,
      })),
  },
  {
    rule: "constraints are limits, not an approach",
    severity: "warning",
    check: (pack) =>
      pack.constraints.flatMap(({ kind, text }, index) =>
        when(
          kind === undefined && APPROACH.test(text),
          `constraints[${index}]`,
          "prescribes an approach rather than a limit",
        ),
      ),
  },
];

/** Verbs that tell the coder what to write. "Use only", "Keep", "Do not" state a limit. */
const APPROACH =
  /^(?:implement|refactor|rewrite|introduce|extract|replace|create|add|wrap|convert|call|move|use (?!only|no|the existing))/i;

/** Holds a normalized pack against the rules, before a coder is paid. */
export function selfCheckPack(pack: ContextPack, facts: CheckFacts = {}): SelfCheck {
  const invalid = validatePack(toVersion2(pack));
  if (invalid.length > 0) {
    return { errors: invalid.map((error) => ({ ...error, rule: "valid" })), warnings: [] };
  }
  const findings = rules.flatMap(({ rule, severity, check }) =>
    check(pack, facts).map((error) => ({ severity, finding: { ...error, rule } })),
  );
  const of = (wanted: Rule["severity"]): PackFinding[] =>
    findings.flatMap(({ severity, finding }) => (severity === wanted ? [finding] : []));
  return { errors: of("failing"), warnings: of("warning") };
}

function when(isBroken: boolean, field: string, message: string): PackError[] {
  return isBroken ? [{ field, message }] : [];
}

function unknownPaths(pack: ContextPack, { files }: CheckFacts): PackError[] {
  if (!files) return [];
  const exists = existsIn(files);
  const message = "does not exist and is not (new)";
  return [
    ...pack.relevantFiles.flatMap(({ path, create }, index) =>
      when(!create && !exists(path), `relevant_files[${index}].path`, `${path} ${message}`),
    ),
    ...(pack.relevantSnippets ?? []).flatMap(({ path }, index) =>
      when(!exists(path), `relevant_snippets[${index}].path`, `${path} ${message}`),
    ),
  ];
}

function snippetsThat(
  pack: ContextPack,
  { fileText }: CheckFacts,
  test: (snippet: PackSnippet, text: string) => boolean,
): { field: string; path: string }[] {
  return (pack.relevantSnippets ?? []).flatMap((snippet, index) => {
    const text = fileText?.(snippet.path);
    const isMatch = text !== undefined && test(snippet, text);
    return isMatch ? [{ field: `relevant_snippets[${index}]`, path: snippet.path }] : [];
  });
}

/** Whether the named lines say something else; without lines, whether the file holds it nowhere. */
function differs(snippet: PackSnippet, text: string): boolean {
  const content = trimEnd(snippet.content);
  const [start, end] = (snippet.lines ?? "").split("-").map(Number);
  if (start === undefined || end === undefined) return !text.includes(content);
  return (
    content !==
    trimEnd(
      text
        .split("\n")
        .slice(start - 1, end)
        .join("\n"),
    )
  );
}

/** Line breaks at the end are nothing a reader could see in an excerpt. */
function trimEnd(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
}
