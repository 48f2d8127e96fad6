import type { PackFile } from "../../contracts/index.ts";
import { parseYaml } from "../../lib/yaml.ts";
import { constraintFrom, constraintText, type PackDraft, present } from "../codec.ts";
import { codeSpan } from "../markdown/code-span.ts";
import type { Findings } from "../markdown/dialect.ts";
import { readCriterion } from "../markdown/item-grammar.ts";
import { scanLines, splitLines } from "../markdown/lines.ts";
import type { SectionName } from "../sections.ts";
import { cleanCommand } from "./commands.ts";
import { readLenientAttempt, readLenientDecision, readLenientDiscovery } from "./dialect.ts";
import { type FileExists, readLenientFiles } from "./file-items.ts";
import { sectionCalled } from "./headings.ts";
import { isPlaceholder } from "./placeholders.ts";

type Fields = ReadonlyMap<SectionName, unknown>;

/**
 * The draft of a reply whose pack is written as data: JSON or YAML, alone, in a fence or wrapped
 * in a key of its own. `undefined` where no data names a task and files. Every text stays the
 * text of its field, whatever it holds.
 * @param isKits sections that are not taken from a model
 */
export function structuredDraft(
  reply: string,
  exists: FileExists,
  isKits: (name: string) => boolean,
  findings: Findings,
): PackDraft | undefined {
  for (const text of candidates(reply)) {
    const fields = fieldsOf(text, findings, isKits);
    if (fields !== undefined) return draftOf(fields, exists);
  }
  return undefined;
}

/**
 * Texts that may be the data: the whole reply, then its blocks, the last first. A block inside
 * data is a text of it.
 */
function candidates(reply: string): readonly string[] {
  const lines = scanLines(splitLines(reply.replace(/^\uFEFF/, "")), (_opener, at, close) =>
    close === undefined ? { before: at + 1 } : { close },
  );
  const blocks: string[][] = [];
  for (const { role, text } of lines) {
    if (role === "open") blocks.push([]);
    if (role === "inside") blocks.at(-1)?.push(text);
  }
  const whole = reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1);
  return [reply, ...blocks.map((block) => block.join("\n")).toReversed(), whole].filter((text) =>
    /\btask\b/i.test(text),
  );
}

function fieldsOf(
  text: string,
  findings: Findings,
  isKits: (name: string) => boolean,
): Fields | undefined {
  const { value } = parseYaml(text, "");
  const inner =
    isRecord(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  if (!isRecord(inner)) return undefined;
  const fields = new Map<SectionName, unknown>();
  const dropped: string[] = [];
  for (const [key, own] of Object.entries(inner)) {
    const name = sectionCalled(key);
    if (name !== undefined && !isKits(name)) fields.set(name, own);
    else dropped.push(`unknown field "${key.slice(0, 60)}" dropped`);
  }
  if (!fields.has("task") || !fields.has("relevant_files")) return undefined;
  findings.notes.push(...dropped.map((message) => ({ line: 1, message })));
  return fields;
}

function draftOf(fields: Fields, exists: FileExists): PackDraft {
  const text = (name: SectionName): string => textOf(fields.get(name));
  const texts = (name: SectionName): string[] =>
    listOf(fields.get(name))
      .map(textOf)
      .filter((one) => !isPlaceholder(one || "-", name));
  const discovery = discoveryOf(fields.get("discovery"));
  return {
    task: text("task"),
    goal: text("goal"),
    constraints: listOf(fields.get("constraints"))
      .map(limitText)
      .filter((one) => !isPlaceholder(one || "-"))
      .map(constraintFrom),
    ...(discovery && { discovery }),
    relevantFiles: listOf(fields.get("relevant_files")).flatMap((file) => filesOf(file, exists)),
    ...present("relevantSnippets", listOf(fields.get("relevant_snippets")).flatMap(snippetOf)),
    ...present("repoRules", texts("repo_rules")),
    ...present("observedErrors", texts("observed_errors")),
    ...present("testCommands", texts("test_commands").map(cleanCommand)),
    ...present("previousAttempts", texts("previous_attempts").map(readLenientAttempt)),
    ...present(
      "decisions",
      texts("decisions").flatMap((one) => readLenientDecision(one) ?? []),
    ),
    ...present("successCriteria", texts("success_criteria").map(readCriterion)),
    ...present("scope", texts("scope")),
    ...present("progress", texts("progress")),
    expectedOutput: text("expected_output"),
    ...present("capability", text("capability")),
    ...present("producedBy", text("produced_by")),
  };
}

/** A list as it is; a text as its only item; a map as what its keys say. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined) return [];
  if (!isRecord(value) || "path" in value) return [value];
  return Object.entries(value).map(([key, own]) => `${key} — ${textOf(own)}`);
}

/** Any value in words: items of a list on lines of their own, a map by its values. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (!isRecord(value)) return "";
  return Object.entries(value)
    .map(([key, own], index) => (index === 0 ? textOf(own) : furtherPart(key, textOf(own))))
    .join("");
}

/** What follows the first value of a map, as the items of a list write it. */
function furtherPart(key: string, text: string): string {
  if (text === "") return "";
  if (key === "check") return ` (check: ${codeSpan(text)})`;
  const names: Readonly<Record<string, string>> = { outcome: "outcome: ", because: "because " };
  return ` — ${names[key] ?? ""}${text}`;
}

function limitText(value: unknown): string {
  if (!isRecord(value)) return textOf(value);
  const kind = textOf(value["kind"]).toLowerCase().replaceAll(/[\s-]/g, "_");
  const text = textOf(value["text"]);
  const isKind = kind === "must" || kind === "must_not" || kind === "blocked_by";
  return isKind && text !== "" ? constraintText({ kind, text }) : text || textOf(value);
}

/** The status as written: the validator judges it. */
function discoveryOf(value: unknown): PackDraft["discovery"] {
  return readLenientDiscovery(textOf(value)) as PackDraft["discovery"];
}

function filesOf(value: unknown, exists: FileExists): readonly PackFile[] {
  if (!isRecord(value)) return readLenientFiles(textOf(value), exists);
  const path = valueOf(value, ["path", "file", "filename", "file_path", "filepath", "name"]);
  const reason = valueOf(value, ["reason", "description", "why", "purpose", "role", "note"]);
  const [only, ...others] = Object.keys(value);
  if (path === "" && only !== undefined && others.length === 0)
    return readLenientFiles(`\`${only}\` — ${textOf(value[only])}`, exists);
  const [read] = readLenientFiles(`\`${path}\` — ${reason.replaceAll(/\s+/g, " ")}`, exists);
  if (read === undefined || path === "") return [];
  const lines = rangesOf(value["lines"]);
  const isNew = value["create"] === true || value["new"] === true;
  return [
    {
      ...read,
      ...present("lines", lines.length > 0 ? lines : read.lines),
      ...(isNew && { create: true }),
    },
  ];
}

/** The value of the first of these keys that is there. */
function valueOf(map: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const key = keys.find((one) => map[one] !== undefined && map[one] !== null);
  return key === undefined ? "" : textOf(map[key]);
}

/** `"3-9"`, `"3"`, `[3, 9]`, `{"start": 3, "end": 9}` or `["3-9", "12-14"]`. */
function rangesOf(value: unknown): readonly string[] {
  const isPair = Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
  const span = isRecord(value) ? Object.values(value).map(textOf).join("-") : undefined;
  const texts = isPair
    ? [value.join("-")]
    : span === undefined
      ? listOf(value).map(textOf)
      : [span];
  return texts.flatMap((text) => {
    const match = /^L?(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?$/.exec(text);
    const [start, end] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
    return start >= 1 && start <= end ? [`${start}-${end}`] : [];
  });
}

function snippetOf(value: unknown): NonNullable<PackDraft["relevantSnippets"]> {
  if (!isRecord(value)) return [];
  const path = valueOf(value, ["path", "file", "filename", "file_path"]);
  const content = value["content"] ?? value["code"];
  if (path === "" || typeof content !== "string" || content.trim() === "") return [];
  return [
    {
      path,
      ...present("lines", rangesOf(value["lines"])[0]),
      ...present("language", textOf(value["language"])),
      content,
    },
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
