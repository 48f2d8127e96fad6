import type { RepoPath } from "../../contracts/index.ts";
import { wordsOf } from "../../lib/words.ts";
import type { FileNumber } from "../file-table.ts";
import type { Query } from "../query.ts";
import { otherSpellings } from "../spellings.ts";
import { rarity, type Scores } from "./corpus.ts";

/** What a word of the task counts where it stands in a path. */
const inName = 1;
const inFolder = 0.4;
/** `config` and `configuration`, `filesystem` and `file-system`. */
const nearly = 0.6;
const nearLength = 4;

/** A path taken apart. */
interface PathWords {
  readonly name: ReadonlySet<string>;
  readonly folder: ReadonlySet<string>;
  /** The name's letters without separators. */
  readonly squashed: string;
}

/** Rare words of the task in the path, above all in the file's own name. */
export function pathScores(files: readonly RepoPath[], query: Query): Scores {
  const { words, weights } = query;
  const scores = new Float64Array(files.length);
  if (words.length === 0) return scores;
  const hits = new Map<FileNumber, number[]>();
  const others = words.map(otherSpellings);
  const having = words.map(() => 0);
  const names = new Map<FileNumber, number>();
  for (const [file, parts] of pathWords(files, [...words, ...others.flat()])) {
    const found = words.map((word, index) => hitOf(word, others[index] ?? [], parts));
    if (!found.some((hit) => hit > 0)) continue;
    hits.set(file, found);
    names.set(file, parts.name.size);
    for (const [index, hit] of found.entries()) {
      if (hit > 0) having[index] = (having[index] ?? 0) + 1;
    }
  }
  const telling = words.map(
    (word, index) => rarity(having[index] ?? 0, files.length) * (weights.get(word) ?? 1),
  );
  // A long task has many words that are in no path at all.
  const most = [...telling]
    .sort((a, b) => b - a)
    .slice(0, 4)
    .reduce((sum, each) => sum + each, 0);
  for (const [file, found] of hits) {
    let score = 0;
    let inOwnName = 0;
    for (const [index, hit] of found.entries()) {
      score += hit * (telling[index] ?? 0);
      if (hit > inFolder) inOwnName += 1;
    }
    // `save.ts` is about saving as a whole, `save-all-open-tabs.ts` in part.
    const covered = inOwnName / Math.max(1, names.get(file) ?? 1);
    scores[file] = Math.min(1, (score / most) * (0.8 + 0.4 * Math.min(1, covered)));
  }
  return scores;
}

function hitOf(
  word: string,
  others: readonly string[],
  { name, folder, squashed }: PathWords,
): number {
  if (name.has(word)) return inName;
  if (others.some((each) => name.has(each))) return nearly;
  if (word.length >= nearLength) {
    for (const each of name) {
      if (each.length >= nearLength && (each.startsWith(word) || word.startsWith(each)))
        return nearly;
    }
    if (word.length > nearLength && squashed.includes(word)) return nearly;
  }
  return folder.has(word) ? inFolder : 0;
}

/** Folders and names are taken apart once each: repositories repeat them. */
function* pathWords(
  files: readonly RepoPath[],
  words: readonly string[],
): Generator<readonly [FileNumber, PathWords]> {
  const empty: ReadonlySet<string> = new Set();
  // A quick no for most: no word starts anywhere in the text.
  const starts = words.map((word) => word.slice(0, nearLength)).join("|");
  const mayHold = new RegExp(starts, "iu");
  // Paths come by folder: the last one's words stand for the next.
  let folder = "";
  let folderWords = empty;
  for (const [file, path] of files.entries()) {
    const cut = path.lastIndexOf("/");
    if (cut !== folder.length || !path.startsWith(folder)) {
      folder = path.slice(0, Math.max(0, cut));
      folderWords = mayHold.test(folder) ? new Set(wordsOf(folder)) : empty;
    }
    const name = path.slice(cut + 1);
    const isHit = mayHold.test(name);
    if (!isHit && folderWords.size === 0) continue;
    const stem = name.replace(/\.[A-Za-z]\w{0,9}$/, "");
    const squashed = isHit ? stem.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "") : "";
    yield [file, { name: isHit ? new Set(wordsOf(stem)) : empty, folder: folderWords, squashed }];
  }
}
