import type { Findings, Item, SectionBody } from "../markdown/dialect.ts";
import { unescapeLine } from "../markdown/escapes.ts";
import type { Line } from "../markdown/lines.ts";
import { OpenItem } from "../markdown/open-item.ts";
import { isPlaceholder, isRuler } from "./placeholders.ts";
import { isTableRow, tableItem } from "./tables.ts";

const BULLET = /^([ \t]*)((?:[-*+•]|\d{1,3}[.)])(?:[ \t]+|$))/;
/**
 * The items of a list in any dress: bullets of all kinds, indented as a whole or nested, numbered,
 * with task boxes, wrapped, as a table, or as plain paragraphs. A fenced block that belongs to no
 * item is left out and noted.
 */
export function lenientItems(body: SectionBody, findings: Findings): Item[] {
  const items: OpenItem[] = [];
  const rows: Line[] = [];
  let base = Number.POSITIVE_INFINITY;
  let isOwnFence = false;
  for (const line of body.lines) {
    const current = items.at(-1);
    const { text } = line;
    const isStart = line.role === "text" || line.role === "open";
    const isLine = line.role === "text" && isRuler(text);
    const bullet = isStart && !isLine ? BULLET.exec(text) : undefined;
    const indent = blanksBefore(text);
    if (bullet) {
      const first = withoutBox(unescapeLine(text.slice(bullet[0].length)));
      isOwnFence = line.role === "open";
      if (current && indent > base + 1) current.fold(first, joint(first));
      else {
        base = Math.min(base, indent);
        items.push(new OpenItem(line.number, indent + 2, first));
      }
    } else if (line.role !== "text") {
      if (line.role === "open") isOwnFence = current !== undefined && indent > 0;
      if (isOwnFence && current) current.add(line.text.slice(Math.min(indent, current.column)));
      else if (line.role === "open") noteFence(body, line, findings);
    } else if (text.trim() === "" || isLine) {
      current?.blank();
    } else if (isTableRow(text) && (!current || indent < 2)) {
      rows.push(line);
    } else if (current && (!current.isInterrupted || indent >= Math.max(2, current.column))) {
      current.add(unescapeLine(text.slice(Math.min(indent, current.column))));
    } else {
      items.push(new OpenItem(line.number, 0, unescapeLine(text.trim())));
    }
  }
  const read = [
    ...items.filter((open) => !(items.length > 1 && isIntroduction(open))).map((open) => open.item),
    ...rows.flatMap((_row, index) => tableItem(rows, index, body.name) ?? []),
  ].filter((item) => item.text !== "" && !isPlaceholder(item.text, body.name));
  return body.name === "constraints" ? read.map(typedLimit) : read;
}

/** `**MUST NOT:** touch it` as packs write it. */
function typedLimit({ text, line }: Item): Item {
  const limit = /^\*\*(MUST NOT|MUST|BLOCKED BY)(?::\*\*|\*\*:)[ \t]+/.exec(text);
  return limit ? { text: `${limit[1]}: ${text.slice(limit[0].length)}`, line } : { text, line };
}

function blanksBefore(text: string): number {
  return text.length - text.replace(/^[ \t]+/, "").length;
}

function withoutBox(text: string): string {
  return text.replace(/^\[[ xX]?\][ \t]+/, "");
}

/** How a nested bullet joins its parent. */
function joint(text: string): string {
  return /^[*_]*outcome\b/i.test(text) ? " — " : " ";
}

/** `The following limits apply:` above a list. */
function isIntroduction(open: OpenItem): boolean {
  return open.column === 0 && open.item.text.endsWith(":");
}

function noteFence(body: SectionBody, line: Line, findings: Findings): void {
  findings.notes.push({
    line: line.number,
    message: `fenced block in ## ${body.name} belongs to no item and was left out`,
  });
}
