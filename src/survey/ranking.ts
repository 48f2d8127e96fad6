import type { RankedFile, RepoPath } from "../contracts/index.ts";
import { wordsOf } from "../lib/words.ts";
import { offsetsOf } from "./hits.ts";
import type { Query } from "./query.ts";

/** A file whose contents were read. */
export interface ReadText {
  readonly text: string;
  readonly lower: string;
}

/** What signals look at. */
export interface Corpus {
  readonly files: readonly RepoPath[];
  readonly texts: ReadonlyMap<string, ReadText>;
  readonly query: Query;
}

/** One reason to show a file; gives files values from 0 to 1, absent is 0. */
interface Signal {
  readonly name: string;
  readonly weight: number;
  /** The task speaks, not the failing output or the repository. */
  readonly ofTask?: true;
  score(corpus: Corpus): ReadonlyMap<string, number>;
}

/** How much each reason counts. A file named by the task or by a stack frame wins over words. */
const signals: readonly Signal[] = [
  {
    name: "named in the task",
    weight: 10,
    ofTask: true,
    score: ({ query }) => new Map([...query.named].map((path) => [path, 1])),
  },
  { name: "in the failing output", weight: 6, score: frameScores },
  { name: "path shares words with the task", weight: 4, ofTask: true, score: pathScores },
  {
    name: "contents share words with the task",
    weight: 4,
    ofTask: true,
    score: ({ texts, query }) => contentScores(texts, query.words),
  },
  { name: "defines what the task speaks of", weight: 3, ofTask: true, score: definitionScores },
  { name: "used by a failing test", weight: 3, score: importScores },
  {
    name: "contents share words with the failing output",
    weight: 1.5,
    score: ({ texts, query }) => contentScores(texts, query.outputWords),
  },
  { name: "the repository is small", weight: 0.2, score: smallRepository },
];

/** What a kind of file is worth beside a source file. */
const kinds: readonly { readonly pattern: RegExp; readonly factor: number }[] = [
  { pattern: /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|LICEN[CS]E|AUTHORS)\b/i, factor: 0.2 },
  { pattern: /\.(?:md|mdx|rst|txt|adoc|html?)$/i, factor: 0.5 },
  { pattern: /\.(?:json|ya?ml|toml|ini|cfg|lock|csv|tsv|xml|svg|po)$/i, factor: 0.5 },
  {
    pattern:
      /(?:^|\/)(?:tests?|__tests__|spec|e2e|fixtures?|examples?|benchmarks?)\/|[._](?:test|spec)\./i,
    factor: 0.8,
  },
];

/**
 * Files that the task is likely about, best first; equal scores by path, so that the same
 * repository and task give the same list everywhere.
 */
export function rank(corpus: Corpus, max: number): readonly RankedFile[] {
  const scores = new Map<string, { score: number; why: string[]; ofTask: boolean }>();
  for (const signal of signals) {
    for (const [path, value] of signal.score(corpus)) {
      if (value <= 0) continue;
      const entry = scores.get(path) ?? { score: 0, why: [], ofTask: false };
      entry.score += value * signal.weight * (signal.weight >= 6 ? 1 : factorOf(path));
      entry.why.push(signal.name);
      entry.ofTask ||= signal.ofTask === true;
      scores.set(path, entry);
    }
  }
  return corpus.files
    .flatMap((path) => {
      const entry = scores.get(path);
      if (entry === undefined) return [];
      const { why, ofTask } = entry;
      const score = Math.round(entry.score * 1000) / 1000;
      return [{ path, score, why, ...(ofTask ? { forTask: true as const } : {}) }];
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, max);
}

function factorOf(path: string): number {
  return kinds.find(({ pattern }) => pattern.test(path))?.factor ?? 1;
}

/** Frames nearer to the start of the output count more: it begins where it failed. */
function frameScores({ query }: Corpus): ReadonlyMap<string, number> {
  const paths = [...query.frames.keys()];
  return new Map(paths.map((path, index) => [path, 1 / (1 + index * 0.15)]));
}

/** Share of the task's words in the path; the file's own name counts double. */
export function pathScores({
  files,
  query,
}: Pick<Corpus, "files" | "query">): ReadonlyMap<string, number> {
  const wanted = query.words;
  if (wanted.length === 0) return new Map();
  const scores = new Map<string, number>();
  const folders = new Map<string, ReadonlySet<string>>();
  for (const path of files) {
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, cut));
    let folderWords = folders.get(folder);
    if (folderWords === undefined) {
      folderWords = new Set(wordsOf(folder));
      folders.set(folder, folderWords);
    }
    const nameWords = new Set(wordsOf(path.slice(cut + 1)));
    let hits = 0;
    for (const word of wanted) hits += nameWords.has(word) ? 1 : folderWords.has(word) ? 0.5 : 0;
    if (hits > 0) scores.set(path, Math.min(1, hits / Math.min(wanted.length, 4)));
  }
  return scores;
}

/** BM25 over the texts that were read, as a share of the best one. */
function contentScores(
  texts: ReadonlyMap<string, ReadText>,
  words: readonly string[],
): ReadonlyMap<string, number> {
  const saturation = 1.2;
  const lengthShare = 0.6;
  const counts = new Map<string, Map<string, number>>();
  const documents = new Map<string, number>();
  let length = 0;
  for (const [path, { text, lower }] of texts) {
    length += text.length;
    const found = new Map<string, number>();
    for (const word of words) {
      const hits = offsetsOf(text, lower, word, 50).length;
      if (hits === 0) continue;
      found.set(word, hits);
      documents.set(word, (documents.get(word) ?? 0) + 1);
    }
    if (found.size > 0) counts.set(path, found);
  }
  const average = length / Math.max(1, texts.size);
  const scores = new Map<string, number>();
  let best = 0;
  for (const [path, found] of counts) {
    const relative = (texts.get(path)?.text.length ?? 0) / Math.max(1, average);
    let score = 0;
    for (const [word, hits] of found) {
      const df = documents.get(word) ?? 1;
      const idf = Math.log(1 + (texts.size - df + 0.5) / (df + 0.5));
      const damped = hits + saturation * (1 - lengthShare + lengthShare * relative);
      score += (idf * hits * (saturation + 1)) / damped;
    }
    scores.set(path, score);
    best = Math.max(best, score);
  }
  for (const [path, score] of scores) scores.set(path, best === 0 ? 0 : score / best);
  return scores;
}

/** Words before a name where most languages define one. */
export const definitionWords =
  "function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var|val|static|public|private|protected|module|object|record";

const definitions = new RegExp(
  `(?:^|[^\\w$])(?:${definitionWords})[*\\s]+(?:\\([^()\\n]{0,80}\\)\\s*)?([\\w$]{2,80})|^\\s{0,40}(?:async )?([\\w$]{2,80})(?=\\([^()\\n]{0,200}\\)\\s*\\{)`,
  "gm",
);

/** An identifier of the task that is defined here is 1; words of the task in defined names less. */
function definitionScores({ texts, query }: Corpus): ReadonlyMap<string, number> {
  const identifiers = new Set(query.identifiers);
  const scores = new Map<string, number>();
  for (const [path, { text, lower }] of texts) {
    if (!query.words.some((word) => lower.includes(word))) continue;
    const met = new Set<string>();
    for (const match of text.matchAll(definitions)) {
      const name = match[1] ?? match[2] ?? "";
      if (identifiers.has(name)) scores.set(path, 1);
      const small = name.toLowerCase();
      for (const word of query.words) {
        if (!met.has(word) && offsetsOf(name, small, word, 1).length > 0) met.add(word);
      }
    }
    const share = (0.6 * met.size) / Math.min(3, Math.max(1, query.words.length));
    scores.set(path, Math.max(scores.get(path) ?? 0, Math.min(0.6, share)));
  }
  return scores;
}

/** What the tests of the failing output import, one step far. */
function importScores({ files, texts, query }: Corpus): ReadonlyMap<string, number> {
  const known = new Set<string>(files);
  const scores = new Map<string, number>();
  for (const path of query.frames.keys()) {
    const text = texts.get(path)?.text ?? "";
    for (const [, specifier = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+)["']/g)) {
      const target = resolveImport(path, specifier, known);
      if (target !== undefined) scores.set(target, 1);
    }
    for (const [, module = ""] of text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)) {
      const suffix = `${module.replaceAll(".", "/")}.py`;
      const target = files.find((file) => file === suffix || file.endsWith(`/${suffix}`));
      if (target !== undefined) scores.set(target, 1);
    }
  }
  return scores;
}

const importEndings = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js"];

function resolveImport(
  from: string,
  specifier: string,
  known: ReadonlySet<string>,
): string | undefined {
  const segments = from.split("/").slice(0, -1);
  for (const segment of specifier.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  const path = segments.join("/");
  const written = [path, path.replace(/\.js(x?)$/, ".ts$1")];
  return written
    .flatMap((each) => importEndings.map((end) => each + end))
    .find((each) => known.has(each));
}

/** In a repository that fits into a prompt everything readable is worth a look. */
function smallRepository({ texts }: Corpus): ReadonlyMap<string, number> {
  return texts.size > 30 ? new Map() : new Map([...texts.keys()].map((path) => [path, 1]));
}
