import { closingLines, openerOf } from "./lines.ts";

/**
 * At the start of a line, after its blanks, a `\` before `\`, `#`, a bullet or a fence is
 * dropped on reading. Writing adds one where reading would drop one, and where the plain line
 * would be read as a heading, a nested bullet or the start of a fence that nothing closes.
 */
const ESCAPED = /^([ \t]*)\\(?=[\\#]|[-*+](?:[ \t\r]|$)|`{3}|~{3})/;

/** A line as it was before it was written. */
export function unescapeLine(line: string): string {
  return line.replace(ESCAPED, "$1");
}

/** `## name`: what starts a section when it stands outside a fence. */
export function headingOf(line: string): string | undefined {
  if (!/^##[ \t]/.test(line)) return undefined;
  const name = line.slice(2).trim();
  return name === "" ? undefined : name;
}

/** A bullet that strict reading knows, behind any blanks. */
export const BULLET = /^[ \t]*[-*](?:[ \t\r]|$)/;

/** A scalar's lines, so that they read back as this text; `first` precedes its first line. */
export function writeText(text: string, first = ""): string[] {
  return writeLines(`${first}${text}`.split("\n"), 0, (line) => headingOf(line) !== undefined);
}

/** An item's lines: the bullet, and two blanks before every further line. */
export function writeItem(text: string): string[] {
  const raw = text.split("\n").map((line, index) => `${index === 0 ? "- " : "  "}${line}`);
  return writeLines(raw, 2, (line, index) => index > 0 && BULLET.test(line.slice(2)));
}

/** @param from column at which the text's own part of a line begins. */
function writeLines(
  raw: readonly string[],
  from: number,
  isStructure: (line: string, index: number) => boolean,
): string[] {
  const closing = closingLines(raw);
  const written: string[] = [];
  for (let i = 0; i < raw.length; i++) {
    const line = raw[i] ?? "";
    const opener = openerOf(line);
    const structure = isStructure(line, i);
    const close = opener && !structure ? closing(opener, i) : undefined;
    if (close === undefined) {
      const escape = structure || opener !== undefined || ESCAPED.test(line.slice(from));
      written.push(escape ? escapeAt(line, from) : line);
    } else {
      // A whole fenced block is content: the reader takes it as it stands.
      written.push(...raw.slice(i, close + 1));
      i = close;
    }
  }
  return written;
}

function escapeAt(line: string, from: number): string {
  const own = line.slice(from);
  const blanks = own.length - own.replace(/^[ \t]+/, "").length;
  return `${line.slice(0, from + blanks)}\\${own.slice(blanks)}`;
}
