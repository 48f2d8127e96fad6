import type { RankedFile } from "../contracts/index.ts";
import type { FileNumber } from "./file-table.ts";
import { contentScores, coverageScores, definitionScores } from "./signals/contents.ts";
import { type Best, type Corpus, noScores, type Scores } from "./signals/corpus.ts";
import { recentScores, subjectScores, togetherScores } from "./signals/history.ts";
import { identifierScores } from "./signals/identifiers.ts";
import { importScores } from "./signals/imports.ts";
import { pairScores } from "./signals/neighbours.ts";
import { pathScores } from "./signals/paths.ts";
import { type Reason, Tally } from "./tally.ts";

/** One reason to show a file; gives files values from 0 to 1. */
interface Signal extends Reason {
  score(corpus: Corpus): Scores;
}

/** How much each reason counts. A file named by the task or by a stack frame wins over words. */
const signals: readonly Signal[] = [
  {
    name: "named in the task",
    weight: 12,
    ofTask: true,
    isCertain: true,
    score: namedScores,
  },
  { name: "in the failing output", weight: 8, isCertain: true, score: frameScores },
  {
    name: "path shares words with the task",
    weight: 6,
    ofTask: true,
    score: ({ files, query }) => pathScores(files.paths, query),
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
    score: (corpus) => importScores(corpus, framesOf(corpus)),
  },
  { name: "the repository is small", weight: 0.2, score: smallRepository },
];

/** A reason that the best files by the others give; those are worth 1 and less. */
interface Neighbour extends Reason {
  /** How many of the best files are looked at. */
  readonly of: number;
  score(corpus: Corpus, best: Best): Scores;
}

const neighbours: readonly Neighbour[] = [
  { name: "a test and its source", weight: 4, of: 12, score: pairScores },
  { name: "changes together with what fits", weight: 1.5, of: 10, score: togetherScores },
  { name: "imported by what fits", weight: 1.6, of: 6, score: importScores },
];

/** Worth as much as nothing but a tie between files that fit as well. */
const recent = { name: "changed lately", weight: 0.6 };

/**
 * Files that the task is likely about, best first; equal scores by path, so that the same
 * repository and task give the same list everywhere.
 */
export function rank(corpus: Corpus, max: number): readonly RankedFile[] {
  const tally = new Tally(corpus.files);
  for (const signal of signals) tally.add(signal, signal.score(corpus));
  const first = tally.best(Math.max(...neighbours.map(({ of }) => of)));
  const highest = Math.max(...first.map((file) => tally.scoreOf(file)));
  const scored = first.map((file) => [file, tally.scoreOf(file) / highest] as const);
  for (const neighbour of neighbours) {
    tally.add(neighbour, neighbour.score(corpus, new Map(scored.slice(0, neighbour.of))));
  }
  // Nothing is shown for its age alone.
  const lately = recentScores(corpus).map((value, file) => (tally.scoreOf(file) > 0 ? value : 0));
  tally.add(recent, lately);
  return tally.best(max).flatMap((file) => tally.ranked(file));
}

function namedScores(corpus: Corpus): Scores {
  const scores = noScores(corpus);
  for (const path of corpus.query.named) {
    const file = corpus.files.numberOf(path);
    if (file !== undefined) scores[file] = 1;
  }
  return scores;
}

/** Frames nearer to the start of the output count more: it begins where it failed. */
function frameScores(corpus: Corpus): Scores {
  const scores = noScores(corpus);
  for (const [file, value] of framesOf(corpus)) scores[file] = value;
  return scores;
}

function framesOf({ files, query }: Corpus): Best {
  const frames = new Map<FileNumber, number>();
  for (const [index, path] of [...query.frames.keys()].entries()) {
    const file = files.numberOf(path);
    if (file !== undefined) frames.set(file, 1 / (1 + index * 0.15));
  }
  return frames;
}

/** In a repository that fits into a prompt everything readable is worth a look. */
function smallRepository(corpus: Corpus): Scores {
  const { words, texts } = corpus.contents;
  const scores = noScores(corpus);
  return texts > 30 ? scores : scores.map((_, file) => ((words[file] ?? -1) < 0 ? 0 : 1));
}
