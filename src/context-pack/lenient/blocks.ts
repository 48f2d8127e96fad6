import type { PackSnippet } from "../../contracts/index.ts";
import { present } from "../codec.ts";
import type { Findings, Item, SectionBody } from "../markdown/dialect.ts";
import { unescapeLine } from "../markdown/escapes.ts";
import { type Line, openerOf } from "../markdown/lines.ts";
import { fencedContent } from "../markdown/strict.ts";
import { type FileExists, readLenientHead } from "./file-items.ts";
import { lenientItems } from "./items.ts";
import { isPlaceholder } from "./placeholders.ts";

/** The content of a fenced block, and the index of its last line. */
export interface Block {
  readonly content: string;
  /** The words after the opening fence. */
  readonly info: string;
  readonly last: number;
}

export function blockAt(lines: readonly Line[], index: number): Block | undefined {
  const line = lines[index];
  const opener = line?.role === "open" ? openerOf(line.text) : undefined;
  if (!opener) return undefined;
  let last = index;
  while (lines[last + 1]?.role === "inside") last++;
  if (lines[last + 1]?.role === "close") last++;
  return {
    content: fencedContent(lines, index, opener.lead.length),
    info: opener.info,
    last,
  };
}

interface OpenSnippet {
  readonly path: string;
  readonly lines: readonly string[];
  readonly line: number;
}

/** Snippets under `###` heads or list-style heads, fenced or as plain text up to the next head. */
export function lenientSnippets(
  body: SectionBody,
  exists: FileExists,
  findings: Findings,
): (PackSnippet & { readonly line: number })[] {
  const snippets: (PackSnippet & { readonly line: number })[] = [];
  let head: OpenSnippet | undefined;
  let plain: string[] = [];
  const take = (content: string, info: string): void => {
    head ??= headInInfo(info, body.line);
    if (head && content.trim() !== "") {
      const { path, lines, line } = head;
      const language = info.split(/[\s:`]/)[0];
      snippets.push({
        path,
        ...present("lines", lines[0]),
        ...present("language", isPath(language ?? "") ? "" : language),
        content,
        line,
      });
    } else if (head)
      note(findings, head.line, `snippet of ${head.path} has no content and was left out`);
    else if (content.trim() !== "")
      note(findings, body.line, "text that belongs to no snippet was left out");
    head = undefined;
    plain = [];
  };
  const takePlain = (): void => {
    if (
      head ||
      plain.some((text) => !isPlaceholder(text.replace(/^[-*]\s+/, "") || "-", body.name))
    ) {
      take(plain.join("\n").replace(/^\n+/, "").trimEnd(), "");
    }
    plain = [];
  };
  for (let i = 0; i < body.lines.length; i++) {
    const line = body.lines[i];
    if (!line) break;
    const block = blockAt(body.lines, i);
    const next = block ? undefined : readHead(line, exists);
    if (block) {
      take(block.content, block.info);
      i = block.last;
    } else if (next) {
      takePlain();
      head = next;
    } else plain.push(line.text);
  }
  takePlain();
  return snippets;
}

/** ` ```ts src/a.ts ` and ` ```ts:src/a.ts `: a path among the words after the fence. */
function headInInfo(info: string, line: number): OpenSnippet | undefined {
  const path = info.split(/[\s:`"]|title=/).find(isPath);
  return path === undefined ? undefined : { path, lines: [], line };
}

function isPath(word: string): boolean {
  return /[^/]\/[^/]|\w\.\w+$/.test(word);
}

/** `### path (lines a-b)`, `- path:1-2`, `**path**`. */
function readHead(line: Line, exists: FileExists): OpenSnippet | undefined {
  const sign =
    /^ {0,3}(?:#{2,6}[ \t]*|(?:[-*+]|\d{1,3}[.)])[ \t]+|(?:from|in|file:?)[ \t]+(?=`)|(?=\*\*|`[^`]))/i.exec(
      line.text,
    );
  if (!sign) return undefined;
  const read = readLenientHead(line.text.slice(sign[0].length), exists);
  const isHead = read && read.isSure && /^[ \t]*(?:[:—–-].*)?$/.test(read.rest.trim());
  return isHead ? { path: read.path, lines: read.lines, line: line.number } : undefined;
}

/** Each fenced block and each item is one error; text without either is one as a whole. */
export function lenientErrors(body: SectionBody, findings: Findings): Item[] {
  const errors: Item[] = [];
  let rest: Line[] = [];
  let isList = false;
  const takeRest = (): void => {
    errors.push(...textErrors({ ...body, lines: rest }, findings));
    rest = [];
    isList = false;
  };
  for (let i = 0; i < body.lines.length; i++) {
    const line = body.lines[i];
    if (!line) break;
    const isBullet = /^[ \t]*[-*+]/.test(line.text);
    isList ||= isBullet;
    const block =
      isBullet || (isList && /^[ \t]/.test(line.text)) ? undefined : blockAt(body.lines, i);
    if (block) {
      takeRest();
      if (block.content !== "") errors.push({ text: block.content, line: line.number });
      i = block.last;
    } else rest.push(line);
  }
  takeRest();
  return errors;
}

/** An error that is a code span as a whole is what stands in it. */
function untickedItem({ text, line }: Item): Item {
  return { text: /^`([^`\n]+)`$/.exec(text)?.[1]?.trim() || text, line };
}

function textErrors(body: SectionBody, findings: Findings): Item[] {
  const first = body.lines.find((line) => line.text.trim() !== "");
  if (!first) return [];
  if (/^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]/.test(first.text))
    return lenientItems(body, findings).map(untickedItem);
  const text = body.lines
    .map((line) => unescapeLine(line.text))
    .join("\n")
    .trim();
  return isPlaceholder(text, body.name) ? [] : [{ text, line: first.number }];
}

function note(findings: Findings, line: number, message: string): void {
  findings.notes.push({ line, message });
}
