import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "./cases.ts";

const stopWords = new Set(
  "a an and are as at be by for from in into is it its not of on or that the this to when with".split(
    " ",
  ),
);

/** Words of a subject line as anyone would search for them. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !stopWords.has(word));
}

/** Files by how many of the words `git grep` finds in them, then by how many lines. */
export function rankByGrep(root: string, subject: string): readonly string[] {
  const found = new Map<string, { words: number; lines: number }>();
  for (const word of wordsOf(subject)) {
    let output: string;
    try {
      output = runGit(root, "grep", "-I", "-i", "-F", "-c", "-z", "-e", word);
    } catch {
      continue;
    }
    for (const line of output.split("\n")) {
      const [path = "", count = ""] = line.split("\0");
      if (path === "") continue;
      const entry = found.get(path) ?? { words: 0, lines: 0 };
      found.set(path, { words: entry.words + 1, lines: entry.lines + Number(count) });
    }
  }
  return [...found]
    .sort(([, a], [, b]) => b.words - a.words || b.lines - a.lines)
    .map(([path]) => path);
}

/** Words of a document: identifiers split at humps and underscores. */
function terms(text: string): readonly string[] {
  const split = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return split.match(/[a-z0-9]{2,}/g) ?? [];
}

const documents = new Map<string, { counts: ReadonlyMap<string, number>; length: number }>();

/** Plain BM25 (k1 1.2, b 0.75) over paths and contents of all tracked text files. */
export function rankByWords(root: string, subject: string): readonly string[] {
  const query = [...new Set(terms(subject))].filter((word) => !stopWords.has(word));
  const read = runGit(root, "ls-files", "-s", "-z")
    .split("\0")
    .flatMap((line) => {
      const [info = "", path = ""] = line.split("\t");
      const [mode = "", blob = ""] = info.split(" ");
      return mode.startsWith("100") ? [{ path, ...documentOf(root, path, blob) }] : [];
    });
  const average = read.reduce((sum, { length }) => sum + length, 0) / Math.max(1, read.length);
  const scores = read.map(({ path }) => ({ path, score: 0 }));
  for (const word of query) {
    const having = read.filter(({ counts }) => counts.has(word)).length;
    const rarity = Math.log(1 + (read.length - having + 0.5) / (having + 0.5));
    for (const [index, { counts, length }] of read.entries()) {
      const count = counts.get(word) ?? 0;
      const entry = scores[index];
      if (count === 0 || entry === undefined) continue;
      entry.score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    }
  }
  return scores
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

function documentOf(
  root: string,
  path: string,
  blob: string,
): { counts: ReadonlyMap<string, number>; length: number } {
  const key = `${blob}:${path}`;
  const known = documents.get(key);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(root, path));
  const isText = bytes.length <= 1024 * 1024 && !bytes.subarray(0, 8_000).includes(0);
  const words = terms(isText ? `${path}\n${bytes.toString("utf8")}` : path);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const document = { counts, length: words.length };
  documents.set(key, document);
  return document;
}

/** How many of the wanted files share any word with the subject, in path or contents. */
export function reachable(root: string, subject: string, wanted: readonly string[]): number {
  const words = wordsOf(subject);
  return wanted.filter((path) => {
    const text = `${path}\n${readFileSync(join(root, path), "utf8")}`.toLowerCase();
    return words.some((word) => text.includes(word));
  }).length;
}
