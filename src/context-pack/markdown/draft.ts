import type { Discovery, PackFile } from "../../contracts/index.ts";
import { constraintFrom, type PackDraft, present } from "../codec.ts";
import type { Dialect, Findings, Item, SectionBody } from "./dialect.ts";

type Reader = (body: SectionBody, dialect: Dialect, findings: Findings) => PackDraft;

/** The draft that the sections make. What each line was about is noted in `findings.places`. */
export function readDraft(
  bodies: readonly SectionBody[],
  dialect: Dialect,
  findings: Findings,
): PackDraft {
  const draft: PackDraft = { version: 1 };
  for (const body of bodies) {
    findings.places.set(body.name, body.line);
    Object.assign(draft, readers[body.name](body, dialect, findings));
  }
  return draft;
}

const readers: Readonly<Record<SectionBody["name"], Reader>> = {
  task: (body, dialect) => ({ task: dialect.text(body) }),
  goal: (body, dialect) => ({ goal: dialect.text(body) }),
  constraints: (body, dialect, findings) => ({
    constraints: texts(dialect.items(body, findings), body, findings).map(constraintFrom),
  }),
  discovery(body, dialect, findings) {
    const read = dialect.discovery(dialect.text(body));
    if (!read) {
      misread(dialect, findings, body, body.line, "found, partial or none");
      return {};
    }
    return { discovery: { ...read, status: read.status as Discovery["status"] } };
  },
  relevant_files: (body, dialect, findings) => ({
    relevantFiles: files(body, dialect, findings),
  }),
  relevant_snippets(body, dialect, findings) {
    const snippets = dialect.snippets(body, findings);
    return {
      relevantSnippets: placed(snippets, body, findings, ({ line: _line, ...snippet }) => snippet),
    };
  },
  repo_rules: (body, dialect, findings) => list("repoRules", body, dialect, findings),
  observed_errors: (body, dialect, findings) =>
    present("observedErrors", texts(dialect.errors(body, findings), body, findings)),
  test_commands: (body, dialect, findings) =>
    present("testCommands", texts(dialect.commands(body, findings), body, findings)),
  previous_attempts: (body, dialect, findings) =>
    present(
      "previousAttempts",
      texts(dialect.items(body, findings), body, findings).map(dialect.attempt),
    ),
  expected_output: (body, dialect) => ({ expectedOutput: dialect.text(body) }),
  scope: (body, dialect, findings) => list("scope", body, dialect, findings),
  decisions: (body, dialect, findings) =>
    present(
      "decisions",
      structured(body, dialect, findings, dialect.decision, "choice — because reason"),
    ),
  success_criteria: (body, dialect, findings) =>
    present(
      "successCriteria",
      texts(dialect.items(body, findings), body, findings).map(dialect.criterion),
    ),
  files_touched: (body, dialect, findings) =>
    present(
      "filesTouched",
      files(body, dialect, findings).map(({ path, reason }) => ({ path, note: reason ?? "" })),
    ),
  progress: (body, dialect, findings) => list("progress", body, dialect, findings),
  parent: (body, dialect) => present("parent", dialect.text(body)),
  context_items: (body, dialect, findings) =>
    present(
      "contextItems",
      structured(
        body,
        dialect,
        findings,
        dialect.contextItem,
        "[kind/authority] id: summary (source)",
      ),
    ),
  completeness: (body, dialect) => {
    const completeness = dialect.text(body) as NonNullable<PackDraft["completeness"]>;
    return present("completeness", completeness);
  },
  warnings: (body, dialect, findings) => list("warnings", body, dialect, findings),
  token_estimate: (body, dialect) => present("tokenEstimate", numberOf(dialect.text(body))),
  capability: (body, dialect) => present("capability", dialect.text(body)),
  produced_by: (body, dialect) => present("producedBy", dialect.text(body)),
  budget: readBudget,
  version: () => ({ version: 2 }),
};

function list(
  key: "repoRules" | "scope" | "progress" | "warnings",
  body: SectionBody,
  dialect: Dialect,
  findings: Findings,
): PackDraft {
  return present(key, texts(dialect.items(body, findings), body, findings));
}

function files(body: SectionBody, dialect: Dialect, findings: Findings): PackFile[] {
  const named = dialect
    .files(body, findings)
    .flatMap((item) =>
      dialect.file(item, body, findings).map((file) => ({ file, line: item.line })),
    );
  return placed(named, body, findings, ({ file }) => file);
}

/** Remembers the line of each item under the field's name with its index. */
function placed<I extends { readonly line: number }, T>(
  items: readonly I[],
  body: SectionBody,
  findings: Findings,
  read: (item: I) => T | undefined,
): T[] {
  const values: T[] = [];
  for (const item of items) {
    const value = read(item);
    if (value === undefined) continue;
    findings.places.set(`${body.name}[${values.length}]`, item.line);
    values.push(value);
  }
  return values;
}

function texts(items: readonly Item[], body: SectionBody, findings: Findings): string[] {
  return placed(items, body, findings, (item) => item.text);
}

function structured<T>(
  body: SectionBody,
  dialect: Dialect,
  findings: Findings,
  read: (text: string) => T | undefined,
  form: string,
): T[] {
  return placed(dialect.items(body, findings), body, findings, (item) => {
    const value = read(item.text);
    if (value === undefined) misread(dialect, findings, body, item.line, `an item: - ${form}`);
    return value;
  });
}

function misread(
  dialect: Dialect,
  findings: Findings,
  { name }: SectionBody,
  line: number,
  expected: string,
): void {
  if (dialect.misreadings === "errors") {
    findings.errors.push({ field: name, line, message: `expected ${expected}` });
  } else findings.notes.push({ line, message: `left out of ## ${name}: not ${expected}` });
}

/** `- profile: coder` and `- max_tokens: 6000`. */
function readBudget(body: SectionBody, dialect: Dialect, findings: Findings): PackDraft {
  const budget: Record<string, unknown> = {};
  for (const { text, line } of dialect.items(body, findings)) {
    const entry = /^(profile|max_tokens):[ \t]*(\S+)$/.exec(text);
    if (!entry) {
      misread(dialect, findings, body, line, "- profile: name or - max_tokens: number");
    } else if (entry[1] === "profile") budget["profile"] = entry[2];
    else budget["maxTokens"] = numberOf(entry[2] ?? "");
  }
  return { budget };
}

function numberOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
