/**
 * Escapes inside one item, above the escapes of its lines. A separator that belongs to the text
 * is written with a `\` before it; a text that already holds `\` there gets one more.
 */

/** Dashes that separate when they stand between blanks. */
export const DASH = "(?:—|–|--|-)";

/** The place where an item splits: the text before, and the text after. */
export interface Split {
  readonly before: string;
  readonly after: string;
}

/** A kind of separator, as the pattern of what follows the `\`s; it needs a blank before it. */
export interface Separator {
  readonly pattern: RegExp;
}

/** @param source of the separator itself, without the blank before it. */
export function separator(source: string): Separator {
  return { pattern: new RegExp(`([ \\t])(\\\\*)(${source})`, "g") };
}

/** The first separator without `\`, where there is one; the text before it loses its escapes. */
export function splitAt(text: string, { pattern }: Separator): Split | undefined {
  for (const match of text.matchAll(pattern)) {
    if (match[2] !== "" || text.slice(0, match.index).trim() === "") continue;
    return {
      before: unescapeSeparators(text.slice(0, match.index), { pattern }).trimEnd(),
      after: text.slice(match.index + match[0].length).trimStart(),
    };
  }
  return undefined;
}

/** `text` so that `splitAt` finds no separator in it. */
export function escapeSeparators(text: string, { pattern }: Separator): string {
  return text.replace(pattern, "$1\\$2$3");
}

/** `text` as it was before `escapeSeparators`. */
export function unescapeSeparators(text: string, { pattern }: Separator): string {
  return text.replace(pattern, (whole, blank: string, escapes: string, found: string) =>
    escapes === "" ? whole : `${blank}${escapes.slice(1)}${found}`,
  );
}
