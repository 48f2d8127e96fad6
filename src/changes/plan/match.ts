import type { TextLine } from "./file-text.ts";

/** How a search text was found, strictest first (rule 2 of the reply format). */
export const strategies = [
  "exact",
  "line_ends",
  "trailing_blanks",
  "indent_shift",
  "blank_context",
] as const;

export type Strategy = (typeof strategies)[number];

/** The indentation that all lines of the file have more, or less, than the search text. */
export interface Shift {
  readonly kind: "add" | "remove";
  readonly blanks: string;
}

/** Where a search text stands. Lines count from 0, `end` is exclusive. */
export interface Match {
  readonly strategy: Strategy;
  readonly start: number;
  readonly end: number;
  readonly shift?: Shift;
}

export type MatchResult =
  | { readonly kind: "one"; readonly match: Match }
  | { readonly kind: "none" }
  /** Fits in several places; `lines` are their first lines, from 1, at most twenty. */
  | { readonly kind: "many"; readonly count: number; readonly lines: readonly number[] };

/** Finds the one place a search text stands at, by the first strategy that finds any. */
export function findMatch(file: readonly TextLine[], search: readonly string[]): MatchResult {
  if (search.length === 0 || search.length > file.length) return { kind: "none" };
  const exact = occurrences(
    file.length,
    search,
    (at, line) => file[at]?.end === "\n" && file[at]?.text === line,
  );
  if (exact.count > 0) return place(exact, search.length, "exact");
  const byText = occurrences(file.length, search, (at, line) => file[at]?.text === line);
  if (byText.count > 0) return place(byText, search.length, "line_ends");
  const trimmed = search.map((line) => line.trimEnd());
  const byTrimmed = occurrences(
    file.length,
    trimmed,
    (at, line) => file[at]?.text.trimEnd() === line,
  );
  if (byTrimmed.count > 0) return place(byTrimmed, search.length, "trailing_blanks");
  return findShifted(file, trimmed);
}

/** Where a sequence of lines stands: how often, and the first places. */
export interface Occurrences {
  readonly count: number;
  readonly starts: readonly number[];
}

const maxListed = 20;

function place(found: Occurrences, length: number, strategy: Strategy): MatchResult {
  const [start] = found.starts;
  if (start === undefined) return { kind: "none" };
  if (found.count === 1) return { kind: "one", match: { strategy, start, end: start + length } };
  return { kind: "many", count: found.count, lines: found.starts.map((at) => at + 1) };
}

/**
 * Every place, overlapping ones too, where `pattern` stands (Knuth, Morris, Pratt: linear also
 * where every line is the same). `equals` compares a line of the file with a pattern line.
 */
export function occurrences(
  length: number,
  pattern: readonly string[],
  equals: (at: number, line: string) => boolean,
  limit = maxListed,
): Occurrences {
  const borders = bordersOf(pattern);
  const starts: number[] = [];
  let count = 0;
  let matched = 0;
  for (let at = 0; at < length; at += 1) {
    while (matched > 0 && !equals(at, pattern[matched] ?? "")) matched = borders[matched - 1] ?? 0;
    if (equals(at, pattern[matched] ?? "")) matched += 1;
    if (matched < pattern.length) continue;
    count += 1;
    if (starts.length < limit) starts.push(at - pattern.length + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return { count, starts };
}

function bordersOf(pattern: readonly string[]): readonly number[] {
  const borders = [0];
  let matched = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (pattern[at] === pattern[matched]) matched += 1;
    borders.push(matched);
  }
  return borders;
}

/** Line comparisons spent on checking indentation; more means a text of equal lines. */
const maxShiftWork = 2_000_000;

function findShifted(file: readonly TextLine[], search: readonly string[]): MatchResult {
  const bare = search.map((line) => line.trimStart());
  const places = Math.max(maxListed, Math.floor(maxShiftWork / search.length));
  const found = occurrences(
    file.length,
    bare,
    (at, line) => file[at]?.text.trim() === line,
    places,
  );
  if (found.count > found.starts.length) {
    return {
      kind: "many",
      count: found.count,
      lines: found.starts.slice(0, maxListed).map((at) => at + 1),
    };
  }
  const matches = found.starts.flatMap((start) => {
    const shift = shiftBetween(file, start, search);
    return shift === undefined ? [] : { start, shift };
  });
  const [first] = matches;
  if (first === undefined) return { kind: "none" };
  if (matches.length > 1) {
    const lines = matches.slice(0, maxListed).map(({ start }) => start + 1);
    return { kind: "many", count: matches.length, lines };
  }
  const { start, shift } = first;
  return {
    kind: "one",
    match: { strategy: "indent_shift", start, end: start + search.length, shift },
  };
}

/** The one shift that turns the search text into the file's lines; lines at column 0 in both are exempt. */
function shiftBetween(
  file: readonly TextLine[],
  start: number,
  search: readonly string[],
): Shift | undefined {
  let shift: Shift | undefined;
  for (const [index, line] of search.entries()) {
    if (line === "") continue;
    const wanted = indentOf(line);
    const found = indentOf(file[start + index]?.text ?? "");
    if (wanted === "" && found === "") continue;
    const own = shiftOfLine(wanted, found);
    if (own === undefined) return undefined;
    if (shift !== undefined && (own.kind !== shift.kind || own.blanks !== shift.blanks)) {
      return undefined;
    }
    shift = own;
  }
  return shift;
}

function shiftOfLine(wanted: string, found: string): Shift | undefined {
  if (found.length > wanted.length && found.endsWith(wanted)) {
    return { kind: "add", blanks: found.slice(0, found.length - wanted.length) };
  }
  if (wanted.length > found.length && wanted.endsWith(found)) {
    return { kind: "remove", blanks: wanted.slice(0, wanted.length - found.length) };
  }
  return undefined;
}

/** The blanks a line begins with. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
