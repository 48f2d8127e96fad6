import type { Decision, PackAttempt, PackFile } from "../../contracts/index.ts";
import { present } from "../codec.ts";
import { codeSpan } from "../markdown/code-span.ts";
import type { Dialect, Findings, Item, SectionBody } from "../markdown/dialect.ts";
import { unescapeLine } from "../markdown/escapes.ts";
import { readAttempt, readCriterion, readDecision } from "../markdown/item-grammar.ts";
import type { Line } from "../markdown/lines.ts";
import { shown } from "../pack-error.ts";
import { lenientErrors, lenientSnippets } from "./blocks.ts";
import { lenientCommands } from "./commands.ts";
import { type FileExists, readLenientFiles, readLenientHead } from "./file-items.ts";
import { lenientItems } from "./items.ts";

/** The format as models write it. What `exists` is taken for its name, whatever it ends in. */
export function lenient(exists: FileExists): Dialect {
  return {
    misreadings: "notes",
    text: lenientText,
    items: lenientItems,
    files: (body, findings) => fileItems(body, findings, exists),
    file: (item, body, findings) => readFiles(item, body, findings, exists),
    snippets: (body, findings) => lenientSnippets(body, exists, findings),
    errors: lenientErrors,
    commands: lenientCommands,
    attempt: readLenientAttempt,
    discovery: readLenientDiscovery,
    decision: readLenientDecision,
    criterion: readCriterion,
    contextItem: () => undefined,
  };
}

function lenientText(body: SectionBody): string {
  const text = body.lines
    .map((line) => (line.role === "text" ? unescapeLine(line.text) : line.text))
    .join("\n")
    .trim();
  const isOneLine = !text.includes("\n");
  const names = ["task", "capability", "produced_by", "parent", "version"];
  if (!names.includes(body.name) || !isOneLine) return text;
  const item = text.replace(/^[-*][ \t]+/, "");
  return body.name === "task" ? item : item.replace(/^`([^`]+)`$/, "$1");
}

/** A list of files; where all of it stands in one fence, its lines are the items. */
function fileItems(body: SectionBody, findings: Findings, exists: FileExists): Item[] {
  const isFenced = body.lines.every((line) => line.role !== "text" || line.text.trim() === "");
  const lines = isFenced
    ? body.lines
        .filter((line) => line.role === "inside" && line.text.trim() !== "")
        .map((line) => ({ ...line, role: "text" as const, text: asBullet(line.text) }))
    : underFolders(body.lines, exists).map((line) =>
        line.role === "text" ? { ...line, text: unnested(line.text, exists) } : line,
      );
  return lenientItems({ ...body, lines }, findings);
}

function asBullet(text: string): string {
  return /^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(text) ? text : `- ${text}`;
}

/** A nested bullet or a line that names a file is an item of its own: `- src:` and paths under it. */
function unnested(text: string, exists: FileExists): string {
  if (/^\s+[-*+]\s+(?:\*\*)?`[^`]*[/.][^`]*`/.test(text)) return text.trimStart();
  const line = /^\s*(?:[-*+]\s+|#{3,6}\s+)?(?=[^\s*+|-])(.*)$/.exec(text)?.[1] ?? "";
  const head = readLenientHead(line, exists);
  return head?.isSure && exists(head.path) ? `- ${line}` : text;
}

/** `- src/cart/` with bare names nested under it: the names with their folder. */
function underFolders(lines: readonly Line[], exists: FileExists): readonly Line[] {
  let folder: { readonly indent: number; readonly path: string } | undefined;
  const kept: Line[] = [];
  for (const line of lines) {
    const bullet = line.role === "text" ? /^(\s*)[-*+]\s+(.*)$/.exec(line.text) : null;
    const [, blanks = "", text = ""] = bullet ?? [];
    if (bullet && (folder === undefined || blanks.length <= folder.indent)) {
      const path = /^[`*]*([^`*\s]+\/)[`*]*:?$/.exec(text.trim())?.[1];
      folder = path === undefined ? undefined : { indent: blanks.length, path };
    }
    const head = folder && readLenientHead(text, exists);
    const path = `${folder?.path}${head?.path}`;
    const isUnder = folder !== undefined && head && blanks.length > folder.indent && exists(path);
    kept.push(isUnder ? { ...line, text: `- ${codeSpan(path)}${head.rest}` } : line);
  }
  return kept;
}

function readFiles(
  item: Item,
  body: SectionBody,
  findings: Findings,
  exists: FileExists,
): readonly PackFile[] {
  const files = readLenientFiles(item.text, exists);
  if (files.length === 0) {
    findings.notes.push({
      line: item.line,
      message: `"${shown(item.text)}" in ## ${body.name} names no file`,
    });
  }
  return files;
}

const OUTCOME =
  /(?:[ \t](?:—|–|--|-|→|=>)|[;,]|\n|[ \t](?=\*\*))[ \t]*[*_]*outcome[*_]*:[*_]*[ \t]+/i;

/** Like a file's attempt, with the separators models write for `— outcome:`. */
export function readLenientAttempt(text: string): PackAttempt {
  const exact = readAttempt(text);
  const match = exact.outcome === undefined ? OUTCOME.exec(text) : null;
  if (!match || match.index === 0) return exact;
  return {
    summary: text.slice(0, match.index).trim(),
    ...present("outcome", text.slice(match.index + match[0].length).trim()),
  };
}

/** `found`, or `partial — note` in any dress. */
export function readLenientDiscovery(text: string): ReturnType<Dialect["discovery"]> {
  const match = /^[-*\s]*(?:status:)?[\s`*"_]*(found|partial|none|nothing)\b(?!-\w)[`*"_]*/i.exec(
    text,
  );
  if (!match) return undefined;
  const note = text.slice(match[0].length).replace(/^\s*(?:[.:;,]|—|–|--|-)*\s*/, "");
  const word = (match[1] ?? "").toLowerCase();
  return { status: word === "nothing" ? "none" : word, ...present("note", note.trim()) };
}

/** `choice — reason` where the word "because" is missing. */
export function readLenientDecision(text: string): Decision | undefined {
  const exact = readDecision(text);
  if (exact) return exact;
  const match = /(?:\s(?:—|–|--|because)|:)\s+/i.exec(text);
  if (!match || match.index === 0) return undefined;
  const because = text.slice(match.index + match[0].length).trim();
  const choice = text.slice(0, match.index).trim();
  return because === "" || choice === "" ? undefined : { choice, because };
}
