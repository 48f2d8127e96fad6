/**
 * One line of a document and its part in a fenced block. There is one scanner for all levels:
 * what is inside a fence is content for sections, snippets and items alike.
 */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly role: "text" | "open" | "inside" | "close";
}

/** An opening fence: what stands before the run, the run, and the words after it. */
export interface Opener {
  /** Blanks, and a bullet where the fence opens an item. */
  readonly lead: string;
  readonly sign: "`" | "~";
  readonly run: number;
  readonly info: string;
  /** More than three blanks in: an indented line cannot close a fence that is not indented. */
  readonly deep: boolean;
}

const OPENER = /^([ \t]*(?:[-*+][ \t]{1,4})?)(`{3,}|~{3,})/;
const CLOSER = /^([ \t]*)(`{3,}|~{3,})[ \t\r]*$/;

/** The opening fence that this line is, where it is one. Backticks in the info text make it none. */
export function openerOf(text: string): Opener | undefined {
  const match = OPENER.exec(text);
  if (!match) return undefined;
  const [whole, lead = "", fence = ""] = match;
  const info = text.slice(whole.length).trim();
  const sign = fence[0] === "~" ? "~" : "`";
  if (sign === "`" && info.includes("`")) return undefined;
  return { lead, sign, run: fence.length, info, deep: isDeep(lead) };
}

function isDeep(lead: string): boolean {
  return lead.replaceAll("\t", "    ").length > 3;
}

interface Closer {
  readonly sign: "`" | "~";
  readonly run: number;
  readonly deep: boolean;
}

function closerOf(text: string): Closer | undefined {
  const match = CLOSER.exec(text);
  if (!match) return undefined;
  const [, lead = "", fence = ""] = match;
  return { sign: fence[0] === "~" ? "~" : "`", run: fence.length, deep: isDeep(lead) };
}

function closes(closer: Closer | undefined, opener: Opener): boolean {
  return (
    closer !== undefined &&
    closer.sign === opener.sign &&
    closer.run >= opener.run &&
    (opener.deep || !closer.deep)
  );
}

/** Finds where fences close, in linear time over all questions asked in ascending order. */
export function closingLines(
  texts: readonly string[],
): (opener: Opener, at: number) => number | undefined {
  const closers = texts.map(closerOf);
  if (closers.every((closer) => closer === undefined)) return () => undefined;
  // longest[sign + depth][i]: the longest closing run at or after line i, so that a fence that
  // nothing closes is told without a look at every line.
  const longest = new Map(
    ["`", "~"].flatMap((sign) =>
      [true, false].map((deepToo) => {
        const from = Array.from<number>({ length: texts.length + 1 }).fill(0);
        for (let i = texts.length - 1; i >= 0; i--) {
          const closer = closers[i];
          const counts = closer?.sign === sign && (deepToo || !closer.deep);
          from[i] = Math.max(from[i + 1] ?? 0, counts ? closer.run : 0);
        }
        return [`${sign}${deepToo}`, from] as const;
      }),
    ),
  );
  return (opener, at) => {
    const runs = longest.get(`${opener.sign}${opener.deep}`);
    if ((runs?.[at + 1] ?? 0) < opener.run) return undefined;
    let line = at + 1;
    while (line < texts.length && !closes(closers[line], opener)) line++;
    return line;
  };
}

/** Where a fenced block ends: with its closing line, or before a line without one. */
export type FenceEnd = { readonly close: number } | { readonly before: number };

/**
 * The lines with their roles.
 * @param endOf says where the block of an opener at line index `at` ends; `close` is the index of
 *   the first later line that closes it, where there is one.
 * @param offset lines that precede `texts` in the document.
 */
export function scanLines(
  texts: readonly string[],
  endOf: (opener: Opener, at: number, close: number | undefined) => FenceEnd,
  offset = 0,
): Line[] {
  const lines: Line[] = [];
  const closing = closingLines(texts);
  const add = (index: number, role: Line["role"]): void => {
    lines.push({ text: texts[index] ?? "", number: offset + index + 1, role });
  };
  for (let i = 0; i < texts.length; i++) {
    const opener = openerOf(texts[i] ?? "");
    if (!opener) {
      add(i, "text");
      continue;
    }
    const end = endOf(opener, i, closing(opener, i));
    const last = "close" in end ? end.close : end.before - 1;
    add(i, "open");
    while (++i < last) add(i, "inside");
    if (i === last) add(i, "close" in end ? "close" : "inside");
    else i = last;
  }
  return lines;
}

/** A document's lines without line breaks; CR LF throughout, told by the first line, is LF. */
export function splitLines(text: string): string[] {
  const first = text.indexOf("\n");
  const isCrLf = first > 0 && text[first - 1] === "\r";
  return (isCrLf ? text.replaceAll("\r\n", "\n") : text).split("\n");
}
