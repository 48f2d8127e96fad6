import type { PackFile } from "../../contracts/index.ts";
import { present } from "../codec.ts";
import { codeSpan, codeSpanAt } from "./code-span.ts";
import { DASH } from "./item-escapes.ts";

/** How a file item is written: `` `path` (lines a-b, c-d) — reason ``, both directions. */

/** What a reason would lose or mean at its start: `(new)`, a separator dash, or an escape of them. */
const ESCAPED_REASON = new RegExp(String.raw`^\\(?=\\|\(new\)|${DASH}(?:[ \t]|$))`, "i");
const NEW = /^\(new\)/i;
const AFTER_NEW = new RegExp(String.raw`^[ \t]*(?:${DASH}|:)(?=[ \t]|$)`);
const SEPARATOR = new RegExp(String.raw`^(?:[ \t]*:|[ \t]+${DASH})(?=[ \t]|$)`);
const RANGES = /^[ \t]*\(lines?[ \t]+(\d+(?:-\d+)?(?:,[ \t]*\d+(?:-\d+)?)*)\)/i;

/** A path and what follows it in an item or a snippet's head. */
export interface PathHead {
  readonly path: string;
  readonly rest: string;
}

/** A reason holds no line break: what was wrapped is joined by blanks. */
export function oneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.length === 1 ? text.trim() : lines.filter((line) => line !== "").join(" ");
}

/** The path that a text starts with: a code span, or a word, whose last colon is a separator. */
export function readPath(text: string): PathHead | undefined {
  const span = codeSpanAt(text, 0);
  if (span) return { path: span.content, rest: text.slice(span.end) };
  const word = /^[^\s`][^\s]*/.exec(text)?.[0];
  if (word === undefined) return undefined;
  const path = word.length > 1 && word.endsWith(":") ? word.slice(0, -1) : word;
  return { path, rest: text.slice(path.length) };
}

/** `(lines 1-2, 7)` directly after a path: `["1-2", "7-7"]` and what follows. */
function readRanges(rest: string): { lines: readonly string[]; rest: string } {
  const match = RANGES.exec(rest);
  if (!match) return { lines: [], rest };
  const lines = (match[1] ?? "").split(/,[ \t]*/);
  return {
    lines: lines.map((range) => (range.includes("-") ? range : `${range}-${range}`)),
    rest: rest.slice(match[0].length),
  };
}

/** ` — reason` or `: reason`, with `(new)` read off it; `undefined` for anything else. */
function readReason(rest: string): Pick<PackFile, "reason" | "create"> | undefined {
  if (rest.trim() === "") return {};
  const separator = SEPARATOR.exec(rest);
  if (!separator) return undefined;
  return reasonOf(rest.slice(separator[0].length).trim());
}

/** A reason as written after its separator. */
export function reasonOf(written: string): Pick<PackFile, "reason" | "create"> {
  const isNew = NEW.test(written);
  const own = isNew ? written.replace(NEW, "").replace(AFTER_NEW, "").trim() : written;
  return {
    ...present("reason", own.replace(ESCAPED_REASON, "")),
    ...(isNew && { create: true as const }),
  };
}

/** A file item of a file, or `undefined` where it is none. */
export function readFileItem(text: string): PackFile | undefined {
  const head = readPath(text);
  if (!head) return undefined;
  const { lines, rest } = readRanges(head.rest);
  const reason = readReason(rest);
  return reason && { path: head.path, ...present("lines", lines), ...reason };
}

/** The head of a snippet of a file: a path with its range and nothing else. */
export function readSnippetHead(
  text: string,
): { path: string; lines: readonly string[] } | undefined {
  const head = readPath(text);
  if (!head) return undefined;
  const { lines, rest } = readRanges(head.rest);
  return rest.trim() === "" ? { path: head.path, lines } : undefined;
}

/** `` `path` (lines a-b) ``. */
export function writeHead(path: string, lines: readonly string[] = []): string {
  return lines.length === 0 ? codeSpan(path) : `${codeSpan(path)} (lines ${lines.join(", ")})`;
}

export function writeFileItem(file: PackFile): string {
  const reason = writeReason(file);
  return `${writeHead(file.path, file.lines)}${reason === "" ? "" : ` — ${reason}`}`;
}

function writeReason({ reason, create }: PackFile): string {
  if (reason === undefined) return create ? "(new)" : "";
  const isMisread = create ? AFTER_NEW.test(reason) : NEW.test(reason);
  // A colon has no escape; a separator of its own before it says the same.
  if (create && isMisread && reason.startsWith(":")) return `(new) — ${reason}`;
  const escaped = isMisread || ESCAPED_REASON.test(reason) ? `\\${reason}` : reason;
  return create ? `(new) ${escaped}` : escaped;
}
