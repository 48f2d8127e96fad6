import type { TextLine } from "./file-text.ts";

/** Lines shown at most, and characters a line. */
const maxShownLines = 24;
const maxShownWidth = 160;
/** Longer files are compared by whole lines only. */
const maxFuzzyLines = 5_000;

/**
 * The lines of the file that a search text most likely meant, with their numbers, ready for the
 * next prompt. Undefined where nothing in the file resembles it.
 */
export function nearestLines(
  file: readonly TextLine[],
  search: readonly string[],
): string | undefined {
  const start = bestWindow(file, search) ?? bestLine(file, search);
  if (start === undefined) return undefined;
  const from = Math.max(0, start - 2);
  const to = Math.min(file.length, start + Math.min(search.length, maxShownLines - 4) + 2);
  const width = String(to).length;
  return file
    .slice(from, to)
    .map(({ text }, index) => `${String(from + index + 1).padStart(width)} | ${shorten(text)}`)
    .join("\n");
}

function shorten(text: string): string {
  return text.length > maxShownWidth ? `${text.slice(0, maxShownWidth)}…` : text;
}

/** Start of the stretch, as long as the search text, that shares most of its lines. */
function bestWindow(file: readonly TextLine[], search: readonly string[]): number | undefined {
  const wanted = new Set(search.map((line) => line.trim()).filter((line) => line.length > 2));
  const isWanted = file.map(({ text }) => (wanted.has(text.trim()) ? 1 : 0));
  let [score, best, bestScore] = [0, undefined as number | undefined, 0];
  for (const [at, hit] of isWanted.entries()) {
    score += hit - (isWanted[at - search.length] ?? 0);
    if (score <= bestScore) continue;
    bestScore = score;
    best = Math.max(0, at - search.length + 1);
  }
  return best === undefined ? undefined : alignWindow(file, search, best, wanted);
}

/** Moves the stretch so that its first shared line stands where it does in the search text. */
function alignWindow(
  file: readonly TextLine[],
  search: readonly string[],
  start: number,
  wanted: ReadonlySet<string>,
): number {
  const end = Math.min(file.length, start + search.length);
  for (let at = start; at < end; at += 1) {
    const text = file[at]?.text.trim() ?? "";
    if (!wanted.has(text)) continue;
    const offset = search.findIndex((line) => line.trim() === text);
    return Math.max(0, at - offset);
  }
  return start;
}

/** Start of the stretch whose one line is most like the longest line of the search text. */
function bestLine(file: readonly TextLine[], search: readonly string[]): number | undefined {
  if (file.length > maxFuzzyLines) return undefined;
  const key = search.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), "");
  const pairs = letterPairs(key);
  if (pairs.size < 3) return undefined;
  let [best, bestScore] = [undefined as number | undefined, 0.5];
  file.forEach(({ text }, at) => {
    const own = letterPairs(text);
    let shared = 0;
    for (const pair of own) if (pairs.has(pair)) shared += 1;
    const score = (2 * shared) / (own.size + pairs.size);
    if (score > bestScore) [best, bestScore] = [at, score];
  });
  return best === undefined ? undefined : Math.max(0, best - search.indexOf(key));
}

function letterPairs(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, maxShownWidth).toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}
