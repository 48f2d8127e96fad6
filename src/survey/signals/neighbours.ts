import type { FileNumber } from "../file-table.ts";
import { type Best, type Corpus, noScores, raiseTo, type Scores } from "./corpus.ts";

/** Marks of a test in a file's name: `a.test.ts`, `test_a.py`, `a_spec.rb`, `ATests.java`. */
const testMarks =
  /(?:^tests?[-_.])|(?:[-_.](?:tests?|spec|e2e|it|slow|unit))+$|(?<=[a-z0-9])(?:Tests?|Spec|IT|TestCase)$/g;

/** The name of what a test tests, in lower case without separators; `isTest` by name or folder. */
function subjectOf(path: string): { readonly subject: string; readonly isTest: boolean } {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[A-Za-z]\w{0,9}$/, "");
  const bare = name.replace(testMarks, "").replace(testMarks, "");
  const isTest = bare !== name || /(?:^|\/)(?:tests?|__tests__|specs?)\//.test(path);
  return { subject: bare.toLowerCase().replaceAll(/[-_.]/g, ""), isTest };
}

/** Names that many folders have: the folder tells which one is meant. */
const commonNames =
  /^(?:index|main|mod|lib|init|utils?|helpers?|types?|common|base|setup|conftest)?$/;

/** Tests of the best files and what the best tests test, by name. */
export function pairScores(corpus: Corpus, best: Best): Scores {
  const { paths } = corpus.files;
  const wanted = new Map<string, { file: FileNumber; score: number; isTest: boolean }[]>();
  for (const [file, score] of best) {
    const { subject, isTest } = subjectOf(paths[file] ?? "");
    if (commonNames.test(subject)) continue;
    const same = wanted.get(subject) ?? [];
    wanted.set(subject, same);
    same.push({ file, score, isTest });
  }
  const found = new Map<FileNumber, { file: FileNumber; score: number }[]>();
  const maySpeakOf = startsLike([...wanted.keys()]);
  for (const [file, path] of paths.entries()) {
    if (!maySpeakOf(path)) continue;
    const { subject, isTest } = subjectOf(path);
    for (const other of wanted.get(subject) ?? []) {
      if (other.isTest === isTest) continue;
      const pairs = found.get(other.file) ?? [];
      found.set(other.file, pairs);
      pairs.push({ file, score: other.score * nearness(path, paths[other.file] ?? "") });
    }
  }
  const scores = noScores(corpus);
  for (const pairs of found.values()) {
    // A name that a dozen files have pairs none of them.
    if (pairs.length > 8) continue;
    for (const { file, score } of pairs) raiseTo(scores, file, score);
  }
  return scores;
}

/** A quick no for most paths: their names start neither like a subject nor like `test_`. */
function startsLike(subjects: readonly string[]): (path: string) => boolean {
  const startAt = (text: string, at: number): number =>
    small(text.charCodeAt(at)) * 128 + small(text.charCodeAt(at + 1));
  const starts = new Set([...subjects, "te"].map((subject) => startAt(subject, 0)));
  return (path) => {
    const at = path.lastIndexOf("/") + 1;
    // Separators are no part of a subject, and beyond ASCII case is not so simple.
    const isPlain = isAlphanumeric(path.charCodeAt(at)) && isAlphanumeric(path.charCodeAt(at + 1));
    return !isPlain || starts.has(startAt(path, at));
  };
}

function small(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function isAlphanumeric(code: number): boolean {
  const lower = small(code);
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57);
}

/** From 0.5 to 1: how many folders two paths share, those of tests aside. */
function nearness(one: string, other: string): number {
  const folders = (path: string): readonly string[] =>
    path
      .split("/")
      .slice(0, -1)
      .filter(
        (folder) => !/^(?:src|lib|app|main|tests?|__tests__|specs?|unit|java|python)$/.test(folder),
      );
  const first = folders(one);
  const second = new Set(folders(other));
  if (first.length === 0 && second.size === 0) return 1;
  const shared = first.filter((folder) => second.has(folder)).length;
  return 0.5 + (0.5 * shared) / Math.max(first.length, second.size);
}
