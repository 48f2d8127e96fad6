import type { RepoPath } from "../../contracts/index.ts";
import { type Corpus, rarity, type Scores, shares } from "./corpus.ts";

/** Files of earlier commits whose subject lines share rare words with the task. */
export function subjectScores({ commits, query }: Corpus): Scores {
  const having = new Map<string, number>();
  for (const { words } of commits) {
    for (const word of query.words) {
      if (words.has(word)) having.set(word, (having.get(word) ?? 0) + 1);
    }
  }
  const telling = (word: string): number =>
    rarity(having.get(word) ?? 0, commits.length) * (query.weights.get(word) ?? 1);
  const scores = new Map<RepoPath, number>();
  for (const { words, files } of commits) {
    const shared = query.words.filter((word) => words.has(word));
    if (shared.length === 0) continue;
    const likeness = shared.reduce((sum, word) => sum + telling(word), 0) ** 1.5;
    // One of many files is less likely the one that the subject speaks of.
    const share = likeness / Math.sqrt(files.length);
    for (const path of files) scores.set(path, (scores.get(path) ?? 0) + share);
  }
  // Files of every commit gather likeness of every kind.
  const damped = [...scores].map(([path, score]) => [path, Math.sqrt(score)] as const);
  return shares(new Map(damped));
}

/** Half of what a commit counts is gone after so many more. */
const halfLife = 60;

/** Files that were changed often and lately. */
export function recentScores({ commits }: Corpus): Scores {
  const scores = new Map<RepoPath, number>();
  for (const [age, { files }] of commits.entries()) {
    const weight = 0.5 ** (age / halfLife) / Math.sqrt(files.length);
    for (const path of files) scores.set(path, (scores.get(path) ?? 0) + weight);
  }
  return shares(new Map([...scores].map(([path, score]) => [path, Math.sqrt(score)])));
}

/** Files that changed together with the best ones so far. */
export function togetherScores({ commits }: Corpus, best: Scores): Scores {
  const changes = new Map<RepoPath, number>();
  const together = new Map<RepoPath, Map<RepoPath, number>>();
  for (const { files } of commits) {
    for (const path of files) changes.set(path, (changes.get(path) ?? 0) + 1);
    for (const path of files) {
      if (!best.has(path)) continue;
      const others = together.get(path) ?? new Map<RepoPath, number>();
      together.set(path, others);
      for (const other of files) {
        if (other !== path) others.set(other, (others.get(other) ?? 0) + 1);
      }
    }
  }
  const scores = new Map<RepoPath, number>();
  for (const [path, others] of together) {
    const weight = best.get(path) ?? 0;
    for (const [other, count] of others) {
      if (count < 2) continue;
      const share = count / ((changes.get(path) ?? 0) + 3);
      scores.set(other, Math.max(scores.get(other) ?? 0, weight * share));
    }
  }
  return scores;
}
