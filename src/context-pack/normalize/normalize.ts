import type { Constraint, ContextPack } from "../../contracts/index.ts";
import { constraintFrom, constraintText, type PackDraft, present } from "../codec.ts";
import { cleanCommand } from "../lenient/commands.ts";
import { isPlaceholder } from "../lenient/placeholders.ts";
import { existsIn, isFolderIn, type RepositoryFiles } from "../repository-files.ts";
import { needsVersion2 } from "../version1.ts";
import { normalizeFiles, normalizeSnippets, type PathFacts, settle } from "./paths.ts";
import { type Changes, noChanges, type PackReport, reportOf } from "./report.ts";
import { cleanText, cleanTexts } from "./texts.ts";

/** What a pack is held against. */
export interface PackFacts {
  /** The repository's absolute folder. */
  readonly root: string;
  /** What exists; absent: unknown, so that no file is dropped for it. */
  readonly files?: RepositoryFiles;
  /** The task as the user gave it, for a pack that names none. */
  readonly task?: string;
  /** Commands of the user, of flags and of manifests, as shell lines. */
  readonly knownCommands?: readonly string[];
}

const defaultOutput = "File blocks with the changes to the relevant files.";

/**
 * A draft made fit for use: paths relative and existing, one entry a file, defaults filled,
 * commands cleaned and told apart. Nothing is opened; every change is in the report. The result
 * can still be invalid (no file left): `selfCheckPack` says so.
 */
export function normalizePack(
  draft: PackDraft,
  facts: PackFacts,
): { readonly pack: ContextPack; readonly report: PackReport } {
  const changes = noChanges();
  const root = facts.root.replace(/\/$/, "");
  const paths: PathFacts = {
    root,
    ...(facts.files && {
      exists: existsIn(facts.files),
      isFolder: isFolderIn(facts.files),
    }),
  };
  const clean = (text: string | undefined): string => cleanText(text ?? "", root);
  const texts = (list: readonly string[] | undefined): string[] => cleanTexts(list ?? [], root);

  const relevantFiles = normalizeFiles(draft.relevantFiles ?? [], paths, changes).map((file) => ({
    ...file,
    ...(file.reason !== undefined && { reason: clean(file.reason) }),
  }));
  const snippets = normalizeSnippets(draft.relevantSnippets ?? [], paths, changes);
  const task = filled("task", clean(draft.task), clean(firstLine(facts.task)), changes);
  const pack: ContextPack = {
    task,
    goal: filled("goal", clean(draft.goal), task, changes),
    constraints: constraintsOf(draft.constraints ?? [], changes.external.size, clean),
    ...(draft.discovery && {
      discovery: {
        status: draft.discovery.status,
        ...present("note", clean(draft.discovery.note)),
      },
    }),
    relevantFiles,
    ...present("relevantSnippets", snippets.map(cleanSnippet)),
    ...present("repoRules", texts(draft.repoRules)),
    ...present("observedErrors", texts(draft.observedErrors)),
    ...present("testCommands", commandsOf(draft.testCommands ?? [], facts, changes)),
    ...present(
      "previousAttempts",
      draft.previousAttempts?.map(({ summary, outcome }) => ({
        summary: clean(summary),
        ...present("outcome", clean(outcome)),
      })),
    ),
    expectedOutput: filled("expected_output", clean(draft.expectedOutput), defaultOutput, changes),
    ...present("capability", capabilityOf(draft.capability)),
    ...present("producedBy", clean(draft.producedBy)),
    ...present("budget", draft.budget),
    ...present("scope", texts(draft.scope)),
    ...present(
      "decisions",
      draft.decisions?.map(({ choice, because, source }) => ({
        choice: clean(choice),
        because: clean(because),
        ...present("source", clean(source)),
      })),
    ),
    ...present(
      "successCriteria",
      draft.successCriteria?.map(({ text, check }) => ({
        text: clean(text),
        ...present("check", cleanCommand(check ?? "")),
      })),
    ),
    ...present("filesTouched", touchedFiles(draft.filesTouched ?? [], paths, changes, clean)),
    ...present("progress", texts(draft.progress)),
    ...present("parent", clean(draft.parent)),
    ...present("contextItems", draft.contextItems),
  };
  const version = draft.version === 2 || needsVersion2(pack) ? 2 : 1;
  return { pack: { ...pack, version }, report: reportOf(changes) };
}

function firstLine(text: string | undefined): string {
  return (text ?? "").trim().split(/\r?\n/, 1)[0] ?? "";
}

function filled(field: string, text: string, fallback: string, changes: Changes): string {
  if (text !== "" || fallback === "") return text;
  changes.filled.add(field);
  return fallback;
}

/** Each constraint once, and a word on what was left out. */
function constraintsOf(
  constraints: readonly Constraint[],
  external: number,
  clean: (text: string) => string,
): Constraint[] {
  const texts = constraints.map((constraint) => clean(constraintText(constraint)));
  if (external > 0) {
    texts.push(`unknown: ${external} path(s) outside the repository were left out`);
  }
  return [...new Set(texts)].filter((text) => text !== "").map(constraintFrom);
}

/** Cleaned commands, known or proposed; where the pack names none, the known ones. */
function commandsOf(commands: readonly string[], facts: PackFacts, changes: Changes): string[] {
  const known = new Set((facts.knownCommands ?? []).map(oneBlank));
  const cleaned = [
    ...new Set(commands.map((command) => cleanCommand(command.replaceAll("\0", "")))),
  ].filter((command) => command !== "" && !isPlaceholder(command));
  for (const command of cleaned) {
    if (known.has(oneBlank(command))) changes.known.add(command);
    else changes.proposed.add(command);
  }
  if (cleaned.length > 0 || known.size === 0) return cleaned;
  changes.filled.add("test_commands");
  for (const command of known) changes.known.add(command);
  return [...known];
}

function oneBlank(command: string): string {
  return command.trim().split(/\s+/).join(" ");
}

function touchedFiles(
  files: NonNullable<PackDraft["filesTouched"]>,
  paths: PathFacts,
  changes: Changes,
  clean: (text: string) => string,
): { path: string; note: string }[] {
  return files.flatMap(({ path, note }) => {
    const settled = settle(path, paths, changes);
    return settled === undefined ? [] : [{ path: settled, note: clean(note) || "touched" }];
  });
}

function cleanSnippet(
  snippet: NonNullable<ContextPack["relevantSnippets"]>[number],
): typeof snippet {
  const { language, ...rest } = snippet;
  const isWord = language !== undefined && /^[^\s`\0]+$/.test(language);
  return { ...rest, content: rest.content.replaceAll("\0", "\uFFFD"), ...(isWord && { language }) };
}

/** A capability is a name or nothing. */
function capabilityOf(capability: string | undefined): string {
  return /^[a-z][a-z0-9-]*$/.test(capability ?? "") ? (capability ?? "") : "";
}
