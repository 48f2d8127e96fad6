import type { RankedFile, RepoPath } from "../contracts/index.ts";
import { contentScores, coverageScores, definitionScores } from "./signals/contents.ts";
import { type Corpus, type Scores, shares } from "./signals/corpus.ts";
import { recentScores, subjectScores, togetherScores } from "./signals/history.ts";
import { identifierScores } from "./signals/identifiers.ts";
import { kindOf } from "./signals/kinds.ts";
import { importScores, pairScores } from "./signals/neighbours.ts";
import { pathScores } from "./signals/paths.ts";

/** One reason to show a file; gives files values from 0 to 1, absent is 0. */
interface Signal {
  readonly name: string;
  readonly weight: number;
  /** The task speaks, not the failing output or the repository. */
  readonly ofTask?: true;
  /** Pointed to, not guessed: what kind of file it is does not matter. */
  readonly isCertain?: true;
  score(corpus: Corpus): Scores;
}

/** How much each reason counts. A file named by the task or by a stack frame wins over words. */
const signals: readonly Signal[] = [
  {
    name: "named in the task",
    weight: 12,
    ofTask: true,
    isCertain: true,
    score: ({ query }) => new Map([...query.named].map((path) => [path, 1])),
  },
  { name: "in the failing output", weight: 8, isCertain: true, score: frameScores },
  {
    name: "path shares words with the task",
    weight: 6,
    ofTask: true,
    score: ({ files, query }) => pathScores(files, query),
  },
  {
    name: "contents share words with the task",
    weight: 4,
    ofTask: true,
    score: (corpus) => contentScores(corpus, corpus.query.words),
  },
  { name: "holds many of the task's words", weight: 1.5, ofTask: true, score: coverageScores },
  { name: "defines what the task speaks of", weight: 1, ofTask: true, score: definitionScores },
  { name: "defines a name of the task", weight: 3, ofTask: true, score: identifierScores },
  { name: "changed for similar tasks", weight: 1.5, ofTask: true, score: subjectScores },
  {
    name: "contents share words with the failing output",
    weight: 1.5,
    score: (corpus) => contentScores(corpus, corpus.query.outputWords),
  },
  {
    name: "used by a failing test",
    weight: 3,
    score: (corpus) => importScores(corpus, frameScores(corpus)),
  },
  { name: "the repository is small", weight: 0.2, score: smallRepository },
];

/** A reason that the best files by the others give; those are worth 1 and less. */
interface Neighbour {
  readonly name: string;
  readonly weight: number;
  /** How many of the best files are looked at. */
  readonly of: number;
  score(corpus: Corpus, best: Scores): Scores;
}

const neighbours: readonly Neighbour[] = [
  { name: "a test and its source", weight: 3, of: 12, score: pairScores },
  { name: "changes together with what fits", weight: 1.5, of: 10, score: togetherScores },
  { name: "imported by what fits", weight: 1.6, of: 6, score: importScores },
];

/** Worth as much as nothing but a tie between files that fit as well. */
const recent = { name: "changed lately", weight: 0.6 };

interface Entry {
  score: number;
  readonly why: string[];
  ofTask: boolean;
}

/**
 * Files that the task is likely about, best first; equal scores by path, so that the same
 * repository and task give the same list everywhere.
 */
export function rank(corpus: Corpus, max: number): readonly RankedFile[] {
  const entries = new Map<RepoPath, Entry>();
  const add = (name: string, weight: number, scores: Scores, ofTask: boolean): void => {
    for (const [path, value] of scores) {
      if (value <= 0) continue;
      const entry = entries.get(path) ?? { score: 0, why: [], ofTask: false };
      entry.score += value * weight;
      entry.why.push(name);
      entry.ofTask ||= ofTask;
      entries.set(path, entry);
    }
  };
  for (const { name, weight, ofTask, isCertain, score } of signals) {
    const scores = isCertain === true ? score(corpus) : weighed(score(corpus));
    add(name, weight, scores, ofTask === true);
  }
  const before = [...entries].map(([path, { score }]) => [path, score] as const);
  before.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  for (const { name, weight, of, score } of neighbours) {
    const best = shares(new Map(before.slice(0, of)));
    add(name, weight, weighed(score(corpus, best)), false);
  }
  // Nothing is shown for its age alone.
  const lately = [...recentScores(corpus)].filter(([path]) => entries.has(path));
  add(recent.name, recent.weight, weighed(new Map(lately)), false);
  return [...entries]
    .map(([path, { score, why, ofTask }]) => ({
      path,
      score: Math.round(score * 1000) / 1000,
      why,
      ...(ofTask ? { forTask: true as const } : {}),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, max);
}

/** Values by what a kind of file is worth beside a source file. */
function weighed(scores: Scores): Scores {
  return new Map([...scores].map(([path, value]) => [path, value * kindOf(path).factor]));
}

/** Frames nearer to the start of the output count more: it begins where it failed. */
function frameScores({ query }: Corpus): Scores {
  const paths = [...query.frames.keys()];
  return new Map(paths.map((path, index) => [path, 1 / (1 + index * 0.15)]));
}

/** In a repository that fits into a prompt everything readable is worth a look. */
function smallRepository({ contents }: Corpus): Scores {
  const { words } = contents;
  return words.size > 30 ? new Map() : new Map([...words.keys()].map((path) => [path, 1]));
}
