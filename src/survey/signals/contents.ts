import type { RepoPath } from "../../contracts/index.ts";
import { type Corpus, rarity, type Scores, shares } from "./corpus.ts";

const saturation = 1.2;
const lengthShare = 0.6;

/** BM25 of words over the contents, as a share of the best one. */
export function contentScores({ contents, query }: Corpus, words: readonly string[]): Scores {
  const scores = new Map<RepoPath, number>();
  const all = contents.words.size;
  for (const word of words) {
    const hits = contents.hits.get(word);
    if (hits === undefined || hits.size === 0) continue;
    const telling = rarity(hits.size, all) * (query.weights.get(word) ?? 1);
    for (const [path, { count }] of hits) {
      const relative = (contents.words.get(path) ?? 0) / Math.max(1, contents.averageWords);
      const damped = count + saturation * (1 - lengthShare + lengthShare * relative);
      const score = (telling * count * (saturation + 1)) / damped;
      scores.set(path, (scores.get(path) ?? 0) + score);
    }
  }
  return shares(scores);
}

/** Share of the task's words that a file holds at all, however often. */
export function coverageScores({ contents, query }: Corpus): Scores {
  const scores = new Map<RepoPath, number>();
  let sum = 0;
  for (const word of query.words) {
    const hits = contents.hits.get(word);
    if (hits === undefined) continue;
    const telling = rarity(hits.size, contents.words.size) * (query.weights.get(word) ?? 1);
    sum += telling;
    for (const [path] of hits) scores.set(path, (scores.get(path) ?? 0) + telling);
  }
  return new Map([...scores].map(([path, score]) => [path, sum === 0 ? 0 : score / sum]));
}

/** Rare words of the task in names that a file defines. */
export function definitionScores({ contents, query }: Corpus): Scores {
  const scores = new Map<RepoPath, number>();
  for (const word of query.words) {
    const hits = [...(contents.hits.get(word) ?? [])].filter(([, hit]) => hit.isDefined);
    const telling = rarity(hits.length, contents.words.size) * (query.weights.get(word) ?? 1);
    for (const [path] of hits) scores.set(path, (scores.get(path) ?? 0) + telling);
  }
  return shares(scores);
}
