import type { FileNumber } from "../file-table.ts";
import {
  addTo,
  type Best,
  type Corpus,
  noScores,
  raiseTo,
  rarity,
  type Scores,
  shares,
} from "./corpus.ts";

/** Files of earlier commits whose subject lines share rare words with the task. */
export function subjectScores(corpus: Corpus): Scores {
  const { commits, query } = corpus;
  const having = new Map<string, number>();
  for (const { words } of commits) {
    for (const word of query.words) {
      if (words.has(word)) having.set(word, (having.get(word) ?? 0) + 1);
    }
  }
  const telling = (word: string): number =>
    rarity(having.get(word) ?? 0, commits.length) * (query.weights.get(word) ?? 1);
  const scores = noScores(corpus);
  for (const { words, files } of commits) {
    const shared = query.words.filter((word) => words.has(word));
    if (shared.length === 0) continue;
    const likeness = shared.reduce((sum, word) => sum + telling(word), 0) ** 1.5;
    // One of many files is less likely the one that the subject speaks of.
    const share = likeness / Math.sqrt(files.length);
    for (const file of files) addTo(scores, file, share);
  }
  // Files of every commit gather likeness of every kind.
  return shares(scores.map(Math.sqrt));
}

/** Half of what a commit counts is gone after so many more. */
const halfLife = 60;

/** Files that were changed often and lately. */
export function recentScores(corpus: Corpus): Scores {
  const scores = noScores(corpus);
  for (const [age, { files }] of corpus.commits.entries()) {
    const weight = 0.5 ** (age / halfLife) / Math.sqrt(files.length);
    for (const file of files) addTo(scores, file, weight);
  }
  return shares(scores.map(Math.sqrt));
}

/** Files that changed together with the best ones so far. */
export function togetherScores(corpus: Corpus, best: Best): Scores {
  const changes = new Map<FileNumber, number>();
  const together = new Map<FileNumber, Map<FileNumber, number>>();
  for (const { files } of corpus.commits) {
    for (const file of files) changes.set(file, (changes.get(file) ?? 0) + 1);
    for (const file of files) {
      if (!best.has(file)) continue;
      const others = together.get(file) ?? new Map<FileNumber, number>();
      together.set(file, others);
      for (const other of files) {
        if (other !== file) others.set(other, (others.get(other) ?? 0) + 1);
      }
    }
  }
  const scores = noScores(corpus);
  for (const [file, others] of together) {
    const weight = best.get(file) ?? 0;
    for (const [other, count] of others) {
      if (count < 2) continue;
      raiseTo(scores, other, (weight * count) / ((changes.get(file) ?? 0) + 3));
    }
  }
  return scores;
}
