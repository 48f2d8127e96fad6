import type { Excerpt, RankedFile, RepoPath } from "../contracts/index.ts";
import { redact } from "../lib/redaction.ts";
import { offsetsOf } from "./hits.ts";
import type { Query } from "./query.ts";
import type { ReadText } from "./signals/corpus.ts";
import { definitionWords } from "./signals/identifiers.ts";

/** A file of at most so much is shown whole. */
const wholeLines = 120;
const wholeChars = 5_000;

/** Lines shown around a line that matters. */
const around = 6;

/** Bound of one file's excerpts: the best ones are shown at length, the others so that many fit. */
const maxFileChars = 4_000;
const bestFiles = 3;
const maxOtherChars = 1_600;
const maxLineChars = 400;

/** So few files are all shown at length. */
const fewFiles = 6;

/**
 * Line ranges of the ranked files around what the query speaks of, whole files when small, best
 * files first until `maxChars` are used. Redacted.
 */
export function excerptsOf(
  ranked: readonly RankedFile[],
  textOf: (path: RepoPath) => ReadText | undefined,
  query: Query,
  maxChars: number,
): readonly Excerpt[] {
  const excerpts: Excerpt[] = [];
  let room = maxChars;
  for (const [index, { path }] of ranked.entries()) {
    const isBest = index < bestFiles || ranked.length <= fewFiles;
    const read = textOf(path);
    if (read === undefined) continue;
    const lines = read.text.split(/\r\n|\n/);
    if (lines.at(-1) === "") lines.pop();
    if (lines.length === 0) continue;
    const small =
      lines.length <= wholeLines && read.text.length <= (isBest ? wholeChars : maxOtherChars);
    const ranges = small
      ? ([[0, lines.length]] as const)
      : bestRanges(
          lines,
          lineWeights(read, lines, query, path),
          isBest ? maxFileChars : maxOtherChars,
        );
    for (const [from, to] of ranges) {
      const text = redact(lines.slice(from, to).map(shortened).join("\n"));
      if (text.length > room) continue;
      room -= text.length;
      excerpts.push({ path, startLine: from + 1, endLine: to, text });
    }
    if (room < 200) break;
  }
  return excerpts;
}

/** How much each line has to do with the query. */
function lineWeights(
  { text, lower }: ReadText,
  lines: readonly string[],
  query: Query,
  path: RepoPath,
): readonly number[] {
  const weights = Array.from(lines, () => 0);
  const starts = lineStarts(text);
  const add = (line: number, weight: number): void => {
    const before = weights[line];
    if (before !== undefined) weights[line] = before + weight;
  };
  for (const word of query.words) {
    for (const at of offsetsOf(text, lower, word, 200)) add(lineAt(starts, at), 1);
  }
  for (const word of query.outputWords) {
    for (const at of offsetsOf(text, lower, word, 50)) add(lineAt(starts, at), 0.3);
  }
  for (const line of query.frames.get(path) ?? []) add(line - 1, 8);
  for (const [index, line] of lines.entries()) {
    const defines = query.identifiers.some(
      (name) => line.includes(name) && new RegExp(`\\b(?:${definitionWords})\\b`).test(line),
    );
    if (defines) add(index, 4);
  }
  return weights;
}

/** Windows around the heaviest lines within the file's bound, in the order of the file. */
function bestRanges(
  lines: readonly string[],
  weights: readonly number[],
  maxChars: number,
): readonly (readonly [from: number, to: number])[] {
  const order = weights
    .map((weight, line) => ({ weight, line }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.line - b.line);
  const shown = new Set<number>();
  let room = maxChars;
  for (const { line } of order) {
    if (shown.has(line)) continue;
    const window: number[] = [];
    for (
      let at = Math.max(0, line - around);
      at <= Math.min(lines.length - 1, line + around);
      at += 1
    ) {
      if (!shown.has(at)) window.push(at);
    }
    const size = window.reduce(
      (sum, at) => sum + Math.min(maxLineChars, lines[at]?.length ?? 0) + 1,
      0,
    );
    if (size > room) break;
    room -= size;
    for (const at of window) shown.add(at);
  }
  if (shown.size === 0) return [[0, Math.min(lines.length, 2 * around)]];
  const ranges: [number, number][] = [];
  for (const line of [...shown].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && line <= last[1] + 1) last[1] = line + 1;
    else ranges.push([line, line + 1]);
  }
  return ranges;
}

function shortened(line: string): string {
  return line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars)}…`;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the line that holds an offset, by bisection. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
