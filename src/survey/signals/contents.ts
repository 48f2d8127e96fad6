import type { FileNumber } from "../file-table.ts";
import type { WordHit } from "../terms/search.ts";
import { addTo, type Corpus, noScores, rarity, type Scores, shares } from "./corpus.ts";

const saturation = 1.2;
const lengthShare = 0.6;

/** BM25 of words over the contents, as a share of the best one. */
export function contentScores(corpus: Corpus, words: readonly string[]): Scores {
  const { contents, query } = corpus;
  const scores = noScores(corpus);
  for (const word of words) {
    const hits = contents.hits.get(word);
    if (hits === undefined || hits.size === 0) continue;
    const telling = rarity(hits.size, contents.texts) * (query.weights.get(word) ?? 1);
    for (const [file, { count }] of hits) {
      const relative = (contents.words[file] ?? 0) / Math.max(1, contents.averageWords);
      const damped = count + saturation * (1 - lengthShare + lengthShare * relative);
      addTo(scores, file, (telling * count * (saturation + 1)) / damped);
    }
  }
  return shares(scores);
}

/** Share of the task's words that a file holds at all, however often. */
export function coverageScores(corpus: Corpus): Scores {
  const { contents, query } = corpus;
  const scores = noScores(corpus);
  let sum = 0;
  for (const word of query.words) {
    const hits = contents.hits.get(word);
    if (hits === undefined) continue;
    const telling = rarity(hits.size, contents.texts) * (query.weights.get(word) ?? 1);
    sum += telling;
    for (const file of hits.keys()) addTo(scores, file, telling);
  }
  return sum === 0 ? noScores(corpus) : scores.map((score) => score / sum);
}

/** Rare words of the task in names that a file defines. */
export function definitionScores(corpus: Corpus): Scores {
  const { contents, query } = corpus;
  const scores = noScores(corpus);
  const none: ReadonlyMap<FileNumber, WordHit> = new Map();
  for (const word of query.words) {
    const files: FileNumber[] = [];
    for (const [file, { isDefined }] of contents.hits.get(word) ?? none) {
      if (isDefined) files.push(file);
    }
    const telling = rarity(files.length, contents.texts) * (query.weights.get(word) ?? 1);
    for (const file of files) addTo(scores, file, telling);
  }
  return shares(scores);
}
