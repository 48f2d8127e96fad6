import { type Opener, openerOf, scanLines, splitLines } from "../markdown/lines.ts";
import { undressed } from "./dress.ts";
import { isTitle, readHeading } from "./headings.ts";

/** The part of a reply that is the pack. Lines keep their numbers: what was left out is empty. */
export interface ReplyDocument {
  readonly texts: readonly string[];
  /** Index of the first line after the title. */
  readonly start: number;
  /** The fence around the whole document, where there is one. */
  readonly wrapper?: Opener;
  /** Whether anything but thinking stood before it. */
  readonly hasTextBefore: boolean;
}

const TAGS = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|antthinking";
const OPEN_TAG = new RegExp(String.raw`^\s*<(?:${TAGS})(?:\s[^<>]{0,200})?>`, "i");
const CLOSE_TAG = new RegExp(`</(?:${TAGS})>`, "i");
const STRAY_CLOSE = new RegExp(String.raw`^\s*</(?:${TAGS})>`, "i");

/** Finds the pack in a reply; `undefined` without a title and without a task section. */
export function findDocument(reply: string): ReplyDocument | undefined {
  const texts = withoutEndSigns(splitLines(reply.replace(/^\uFEFF/, "")));
  const first = withoutThinking(texts);
  const plain = documentIn(texts, first);
  const namesFiles = plain?.texts.some((line) => {
    const heading = readHeading(line);
    return (heading?.name ?? heading?.alias) === "relevant_files";
  });
  return namesFiles ? plain : (documentIn(undressed(texts), first) ?? plain);
}

function documentIn(
  texts: readonly string[] | undefined,
  first: number,
): ReplyDocument | undefined {
  const found = texts && findStart(texts, first);
  if (!found) return undefined;
  const dedented = dedent(texts, found.line);
  const before = previousText(texts, found.line);
  const wrapper = before === undefined ? undefined : openerOf(texts[before] ?? "");
  const outside = wrapper ? (before ?? 0) : found.line;
  return {
    texts: dedented,
    start: found.isTitle ? found.line + 1 : found.line,
    ...(wrapper && { wrapper }),
    hasTextBefore: texts.slice(0, outside).some((line) => line.trim() !== ""),
  };
}

/** `</context_pack>`, `<|im_end|>`, `</s>`: signs after the last word that belong to no text. */
function withoutEndSigns(texts: string[]): string[] {
  for (let last = texts.length - 1; last >= 0; last--) {
    const line = texts[last] ?? "";
    if (!/^\s*(?:<(?:\/[\w-]{1,40}|\|[^<>|]{1,40}\|)>\s*)*$/.test(line)) break;
    if (!CLOSE_TAG.test(line)) texts[last] = "";
  }
  const last = texts.findLastIndex((line) => line.trim() !== "");
  if (last !== -1) texts[last] = (texts[last] ?? "").replace(/(?:<\|[^<>|]{1,40}\|>\s*)+$/, "");
  return texts;
}

/**
 * Empties the model's thinking and gives the line it ended in. Thinking that starts the reply
 * ends with its first closing tag; a closing tag without a start counts where it begins a line
 * outside fences and a pack follows. What a pack itself says about such tags is content.
 */
function withoutThinking(texts: string[]): number {
  const first = texts.findIndex((line) => line.trim() !== "");
  const close = OPEN_TAG.test(texts[first] ?? "")
    ? texts.findIndex((line) => CLOSE_TAG.test(line))
    : strayClose(texts);
  if (close === -1) return 0;
  texts[close] = afterTag(texts[close] ?? "");
  texts.fill("", 0, close);
  return close;
}

function strayClose(texts: readonly string[]): number {
  if (!texts.some((line) => STRAY_CLOSE.test(line))) return -1;
  const lines = scanLines(texts, (_opener, _at, close) =>
    close === undefined ? { before: texts.length } : { close },
  );
  const isOutside = (index: number): boolean => lines[index]?.role === "text";
  const pack = lines.findLastIndex((line) => line.role === "text" && startsPack(line.text));
  return texts.findLastIndex(
    (line, index) => index <= pack && STRAY_CLOSE.test(line) && isOutside(index),
  );
}

function startsPack(line: string): boolean {
  return isTitle(line) || readHeading(line)?.name === "task" || isTitle(afterTag(line));
}

function afterTag(line: string): string {
  const tag = CLOSE_TAG.exec(line);
  return tag ? line.slice(tag.index + tag[0].length).trim() : "";
}

function findStart(
  texts: readonly string[],
  from: number,
): { line: number; isTitle: boolean } | undefined {
  const title = texts.findIndex((line, index) => index >= from && isTitle(line));
  const task = texts.findIndex(
    (line, index) => index >= from && readHeading(line)?.name === "task",
  );
  if (title !== -1 && (task === -1 || title < task)) return { line: title, isTitle: true };
  const translated = texts.findIndex(
    (line, index) => index >= from && isAnyTitle(texts, line, index),
  );
  if (translated !== -1 && (task === -1 || translated < task)) {
    return { line: translated, isTitle: true };
  }
  return task === -1 ? undefined : { line: task, isTitle: false };
}

/** `# 上下文包`: a first-level heading of other words, with a section right under it. */
function isAnyTitle(texts: readonly string[], line: string, index: number): boolean {
  const heading = readHeading(line);
  if (heading?.level !== 1 || heading.name !== undefined || heading.alias !== undefined)
    return false;
  let next = index + 1;
  while (next < texts.length && texts[next]?.trim() === "") next++;
  const below = readHeading(texts[next] ?? "");
  return below !== undefined && below.level > 1 && (below.name ?? below.alias) !== undefined;
}

function previousText(texts: readonly string[], at: number): number | undefined {
  for (let i = at - 1; i >= 0; i--) if (texts[i]?.trim() !== "") return i;
  return undefined;
}

/** A document that is indented as a whole loses the indentation of its title. */
function dedent(texts: readonly string[], title: number): readonly string[] {
  const indent = /^ */.exec(texts[title] ?? "")?.[0].length ?? 0;
  if (indent === 0) return texts;
  const blanks = new RegExp(`^ {1,${indent}}`);
  return texts.map((line, index) => (index < title ? line : line.replace(blanks, "")));
}

/** Empties HTML comments and thinking that start outside fences; line numbers stay. */
export function withoutComments(
  texts: readonly string[],
  isText: (index: number) => boolean,
): readonly string[] {
  const out = [...texts];
  const lastTag = out.findLastIndex((line) => CLOSE_TAG.test(line));
  const lastComment = out.findLastIndex((line) => line.includes("-->"));
  for (let i = 0; i < out.length; i++) {
    const line = out[i] ?? "";
    if (!isText(i)) continue;
    if (OPEN_TAG.test(line)) {
      if (i > lastTag) out[i] = line.replace(OPEN_TAG, "");
      else i = emptyThrough(out, i, CLOSE_TAG);
      continue;
    }
    const open = line.indexOf("<!--");
    const before = line.slice(0, Math.max(0, open));
    if (open === -1 || i > lastComment || isInCode(before)) continue;
    const close = line.indexOf("-->", open);
    if (close !== -1) out[i] = `${before.trimEnd()}${line.slice(close + 3)}`;
    else if (i < lastComment) {
      const start = i;
      i = emptyThrough(out, i, /-->/);
      out[start] = before.trimEnd();
    }
  }
  return out;
}

function isInCode(before: string): boolean {
  return before.split("`").length % 2 === 0;
}

/** Empties everything from line `from` through the closing sign; gives the line of the sign. */
function emptyThrough(out: string[], from: number, closing: RegExp): number {
  let line = from;
  while (!closing.test(out[line] ?? "")) out[line++] = "";
  const last = out[line] ?? "";
  const sign = closing.exec(last);
  out[line] = sign ? last.slice(sign.index + sign[0].length).trim() : "";
  return line;
}
