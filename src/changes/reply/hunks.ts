import type { EditHunk } from "../../contracts/index.ts";
import { isFenceLine } from "./fences.ts";
import { outdent } from "./outdent.ts";
import { readHunkMark, type HunkMarkLine } from "./markers.ts";

/** What was read from a SEARCH mark on. `next` is the line after it, counted from 0. */
export type HunkReading =
  | { readonly kind: "hunk"; readonly hunk: EditHunk; readonly next: number }
  | { readonly kind: "broken"; readonly reason: string; readonly next: number }
  /** The text ends inside the hunk. */
  | { readonly kind: "unfinished"; readonly next: number };

/** More look-alikes than this in one hunk are a riddle, not an edit. */
const maxDividers = 8;

/**
 * Reads one search and replace hunk (rule 6). `start` is its SEARCH line, `limit` the line to
 * stop at. Only marks at the indentation of SEARCH count, so a hunk may hold indented ones.
 */
export function readHunk(lines: readonly string[], start: number, limit: number): HunkReading {
  const opening = readHunkMark(lines[start] ?? "");
  if (opening?.mark !== "search") throw new RangeError(`line ${start} is no SEARCH mark`);
  const dividers: number[] = [];
  let at = start + 1;
  for (; at < limit; at += 1) {
    const mark = readHunkMark(lines[at] ?? "");
    if (mark === undefined || !belongsTo(mark, opening)) continue;
    if (mark.mark === "divider") {
      if (mark.length === opening.length) dividers.push(at);
      continue;
    }
    if (mark.mark === "search") break;
    if (dividers.length === 0) {
      return { kind: "broken", reason: "REPLACE stands before any =======", next: at + 1 };
    }
    return hunkOf(lines, start, dividers, at, at + 1);
  }
  const last = dividers.at(-1);
  if (last !== undefined && dividers.length > 1 && closesHunk(lines, last, at, limit)) {
    return hunkOf(lines, start, dividers.slice(0, -1), last, last + 1);
  }
  if (at >= limit) return { kind: "unfinished", next: at };
  return {
    kind: "broken",
    reason: "the next SEARCH begins before this one has its REPLACE",
    next: at,
  };
}

function belongsTo(mark: HunkMarkLine, opening: HunkMarkLine): boolean {
  return mark.indent === opening.indent && mark.tag === opening.tag;
}

/** A second `=======` ends a hunk where the fence, or the next hunk, follows at once. */
function closesHunk(
  lines: readonly string[],
  divider: number,
  stop: number,
  limit: number,
): boolean {
  let at = divider + 1;
  while (at < stop && (lines[at] ?? "").trim() === "") at += 1;
  if (at >= stop) return stop < limit;
  return isFenceLine(lines[at] ?? "");
}

function hunkOf(
  lines: readonly string[],
  start: number,
  dividers: readonly number[],
  end: number,
  next: number,
): HunkReading {
  if (dividers.length > maxDividers) {
    return { kind: "broken", reason: `${dividers.length} lines could be its =======`, next };
  }
  const { indent } = readHunkMark(lines[start] ?? "") ?? { indent: "" };
  const splits = dividers
    .flatMap((divider) => splitAt(lines, start, divider, end, dividers))
    .map((split) =>
      split.search === "" ? { ...split, replace: outdent(split.replace, indent.length) } : split,
    );
  const [first, ...others] = splits;
  if (first === undefined) throw new RangeError("a hunk without a divider");
  const hunk: EditHunk = { ...first, line: start + 1 };
  return {
    kind: "hunk",
    hunk: others.length === 0 ? hunk : { ...hunk, alternatives: others },
    next,
  };
}

type Split = { readonly search: string; readonly replace: string };

/**
 * The ways to split at one divider. A further `=======` right before REPLACE is a slip of the
 * model and no text, unless it can be the underline of the heading above it: then both count.
 */
function splitAt(
  lines: readonly string[],
  start: number,
  divider: number,
  end: number,
  dividers: readonly number[],
): readonly Split[] {
  const search = joinLines(lines, start + 1, divider);
  const whole: Split = { search, replace: joinLines(lines, divider + 1, end) };
  const doubled = end - 1 > divider && dividers.includes(end - 1);
  if (!doubled) return [whole];
  const trimmed: Split = { search, replace: joinLines(lines, divider + 1, end - 1) };
  const heading = (lines[end - 2] ?? "").trim().length;
  const underline = (lines[end - 1] ?? "").trim().length;
  return heading === underline ? [trimmed, whole] : [trimmed];
}

/** Lines as text, each with its LF; no lines are the empty text. */
export function joinLines(lines: readonly string[], start: number, end: number): string {
  return end > start ? `${lines.slice(start, end).join("\n")}\n` : "";
}
