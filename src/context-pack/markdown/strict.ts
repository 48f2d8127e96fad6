import type { PackSnippet } from "../../contracts/index.ts";
import { present } from "../codec.ts";
import { BULLET, headingOf, unescapeLine } from "./escapes.ts";
import type { Dialect, Findings, Item, SectionBody } from "./dialect.ts";
import { oneLine, readFileItem, readSnippetHead } from "./file-grammar.ts";
import { readAttempt, readContextItem, readCriterion, readDecision } from "./item-grammar.ts";
import { OpenItem } from "./open-item.ts";
import { type Line, openerOf, scanLines, splitLines } from "./lines.ts";
import { shown } from "../pack-error.ts";
import { sectionNamed } from "../sections.ts";

/** The sections of a file. Everything that is not exactly the format is an error with its line. */
export function strictSections(text: string, findings: Findings): SectionBody[] {
  const texts = splitLines(text);
  const lines = scanLines(texts, (_opener, at, close) => {
    if (close !== undefined) return { close };
    findings.errors.push({ field: sectionAt(texts, at), line: at + 1, message: "fence left open" });
    return { before: texts.length };
  });
  const title = lines.findIndex((line) => line.text.trim() !== "");
  if (lines[title]?.text.trimEnd() !== "# Context Pack") {
    const hint = text.startsWith("\uFEFF") ? ": the file starts with a byte order mark" : "";
    findings.errors.push({
      field: "",
      line: Math.max(title, 0) + 1,
      message: `missing "# Context Pack" title${hint}`,
    });
    return [];
  }
  return splitSections(lines.slice(title + 1), findings);
}

function sectionAt(texts: readonly string[], at: number): string {
  const heading = texts.slice(0, at).findLast((line) => headingOf(line) !== undefined);
  return heading === undefined ? "" : (headingOf(heading) ?? "");
}

function splitSections(lines: readonly Line[], findings: Findings): SectionBody[] {
  const bodies: (SectionBody & { lines: Line[] })[] = [];
  const seen = new Set<string>();
  let current: Line[] | undefined = [];
  const preamble = current;
  for (const line of lines) {
    const heading = line.role === "text" ? headingOf(line.text) : undefined;
    if (heading === undefined) {
      current?.push(line);
      continue;
    }
    const section = sectionNamed(heading);
    current = [];
    if (!section) error(findings, "", line, `unknown section "## ${shown(heading)}"`);
    else if (seen.has(heading)) error(findings, heading, line, `duplicate section "## ${heading}"`);
    else bodies.push({ name: section.name, line: line.number, lines: current });
    seen.add(heading);
  }
  const stray = preamble.find((line) => line.text.trim() !== "");
  if (stray) error(findings, "", stray, "text before the first section");
  return ofItsVersion(bodies, findings);
}

/** Version 1 has none of the new sections; `## version` with `2` is what makes a version 2. */
function ofItsVersion(bodies: SectionBody[], findings: Findings): SectionBody[] {
  const version = bodies.find((body) => body.name === "version");
  if (version && bodyText(version) === "2") return bodies;
  return bodies.filter((body) => {
    if (sectionNamed(body.name)?.since === 1) return true;
    const hint = body.name === "version" ? "" : ': version 2 has it, add "## version" with 2';
    findings.errors.push({
      field: "",
      line: body.line,
      message: `unknown section "## ${body.name}"${hint}`,
    });
    return false;
  });
}

/** One error for a run of lines that have the same one. */
function error(findings: Findings, field: string, line: Line, message: string): void {
  const last = findings.errors.at(-1);
  if (last?.field === field && last.message === message) return;
  findings.errors.push({ field, line: line.number, message });
}

function bodyText(body: SectionBody): string {
  return body.lines
    .map((line) => (line.role === "text" ? unescapeLine(line.text) : line.text))
    .join("\n")
    .trim();
}

function strictItems(body: SectionBody, findings: Findings): Item[] {
  const items: OpenItem[] = [];
  for (const line of body.lines) {
    const current = items.at(-1);
    const bullet = /^[-*](?:[ \t]+|$|\r$)/.exec(line.text);
    if (bullet && (line.role === "text" || line.role === "open")) {
      const first = line.text.slice(bullet[0].length);
      items.push(new OpenItem(line.number, 2, line.role === "open" ? first : unescapeLine(first)));
    } else if (line.text.startsWith("  ") && current) {
      addFurtherLine(current, line);
    } else if (line.text.trim() === "") {
      current?.blank();
    } else if (line.role === "inside" && current) {
      current.add(line.text.replace(/^ /, ""));
    } else if (line.role === "text" && line.text.trim() === "(none)" && !current) {
      continue;
    } else if (line.role === "text" || line.role === "open") {
      error(
        findings,
        body.name,
        line,
        "expected an item: - text, further lines indented by two blanks",
      );
    }
  }
  return items.map((open) => open.item).filter((item) => item.text !== "");
}

function addFurtherLine(item: OpenItem, line: Line): void {
  const text = line.text.slice(2);
  if (line.role !== "text") item.add(text);
  else if (BULLET.test(text)) item.fold(unescapeLine(text.replace(BULLET, "").trim()));
  else item.add(unescapeLine(text));
}

/** The lines between an opening fence and its end, without the opener's own indentation. */
export function fencedContent(lines: readonly Line[], open: number, indent: number): string {
  const inside: string[] = [];
  for (let i = open + 1; lines[i]?.role === "inside"; i++) {
    const text = lines[i]?.text ?? "";
    const blanks = text.length - text.replace(/^ +/, "").length;
    inside.push(text.slice(Math.min(blanks, indent)));
  }
  return inside.join("\n");
}

function strictSnippets(
  body: SectionBody,
  findings: Findings,
): (PackSnippet & { readonly line: number })[] {
  const snippets: (PackSnippet & { readonly line: number })[] = [];
  let head: { path: string; lines: readonly string[]; line: Line } | undefined;
  const headWithoutFence = (): void => {
    if (head)
      error(findings, body.name, head.line, "a snippet needs one fenced block under its head");
  };
  for (const [index, line] of body.lines.entries()) {
    if (line.role === "inside" || line.role === "close" || line.text.trim() === "") continue;
    const opener = line.role === "open" ? openerOf(line.text) : undefined;
    if (opener && head) {
      snippets.push({
        path: head.path,
        ...present("lines", head.lines[0]),
        ...present("language", opener.info.split(/\s/)[0]),
        content: fencedContent(body.lines, index, opener.lead.length),
        line: head.line.number,
      });
      head = undefined;
      continue;
    }
    const read = /^###[ \t]/.test(line.text)
      ? readSnippetHead(line.text.slice(3).trim())
      : undefined;
    if (!read || read.lines.length > 1) {
      error(
        findings,
        body.name,
        line,
        "expected a head: ### `path` (lines a-b), then one fenced block",
      );
      continue;
    }
    headWithoutFence();
    head = { ...read, line };
  }
  headWithoutFence();
  return snippets;
}

/** Fences and items, each one error. */
function strictErrors(body: SectionBody, findings: Findings): Item[] {
  const errors: Item[] = [];
  let rest: Line[] = [];
  const takeItems = (): void => {
    errors.push(...strictItems({ ...body, lines: rest }, findings));
    rest = [];
  };
  for (let i = 0; i < body.lines.length; i++) {
    const line = body.lines[i];
    if (!line) break;
    const opener = line.role === "open" ? openerOf(line.text) : undefined;
    if (!opener || opener.lead.length > 1) {
      rest.push(line);
      continue;
    }
    takeItems();
    errors.push({
      text: fencedContent(body.lines, i, opener.lead.length),
      line: line.number,
    });
    while (body.lines[i + 1]?.role === "inside" || body.lines[i + 1]?.role === "close") i++;
  }
  takeItems();
  return errors;
}

/** One pair of backticks is taken off. */
function commandOf(text: string): string {
  const isTicked = text.length > 2 && text.startsWith("`") && text.endsWith("`");
  return isTicked ? text.slice(1, -1).trim() : text;
}

const STATUS = /^(\S+)(?:[ \t]+(?:—|–|--|-)(?:[ \t]+|$)|$|[ \t]*\r?\n)/;

/** The format as files have it; nothing is forgiven but CR LF and `*` bullets. */
export const strict: Dialect = {
  misreadings: "errors",
  text: bodyText,
  items: strictItems,
  files: strictItems,
  file(item, body, findings) {
    const file = readFileItem(oneLine(item.text));
    if (!file) {
      findings.errors.push({
        field: body.name,
        line: item.line,
        message: "expected a file: - `path` (lines a-b) — reason",
      });
    }
    return file ? [file] : [];
  },
  snippets: strictSnippets,
  errors: strictErrors,
  commands: (body, findings) =>
    strictItems(body, findings).map(({ text, line }) => ({ text: commandOf(text), line })),
  attempt: readAttempt,
  discovery(text) {
    const match = STATUS.exec(text);
    if (!match) return { status: text };
    return { status: match[1] ?? "", ...present("note", text.slice(match[0].length).trim()) };
  },
  decision: readDecision,
  criterion: readCriterion,
  contextItem: readContextItem,
};
