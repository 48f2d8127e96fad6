import type { FileNumber } from "../file-table.ts";
import { type Best, type Corpus, noScores, raiseTo, type Scores } from "./corpus.ts";

/** Marks of a test in a file's name: `a.test.ts`, `test_a.py`, `a_spec.rb`, `ATests.java`. */
const testMarks =
  /(?:^tests?[-_.])|^Test(?=[A-Z])|(?:[-_.](?:tests?|spec|e2e|it|slow|unit|unittests?|cy|bench))+$|(?<=[a-z0-9])(?:Tests?|Specs?|IT|TestCase|Suite)$/g;

/** Folders of tests: `tests/`, `t/`, `src/test/`, `Shop.Tests/`, `unit-tests/`, `ShopUITests/`. */
const testFolder = /(?:^|\/)(?:(?:[^/]*[._-])?tests?|__tests__|specs?|t|testing|[^/]*Tests)\//;

/** A file's place in a pair. Its subject: the name in lower case without marks and separators. */
interface Subject {
  readonly subject: string;
  readonly isTest: boolean;
  /** Declares what another file of the name defines: a header, types beside a script. */
  readonly declares: boolean;
}

function subjectOf(path: string): Subject {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const declares = /\.(?:h|hh|hpp|hxx|d\.[cm]?ts|pyi|mli|fsi)$/.test(file);
  const name = file.replace(/(?:\.d)?\.[A-Za-z]\w{0,9}$/, "");
  const bare = name.replace(testMarks, "").replace(testMarks, "");
  const isTest = bare !== name || testFolder.test(path);
  return { subject: bare.toLowerCase().replaceAll(/[-_.]/g, ""), isTest, declares };
}

/** Names that many folders have: the folder tells which one is meant. */
const commonNames =
  /^(?:index|main|mod|lib|init|utils?|helpers?|types?|common|base|setup|conftest)?$/;

/** Tests of the best files and what the best tests test, by name. */
export function pairScores(corpus: Corpus, best: Best): Scores {
  const { paths } = corpus.files;
  const wanted = new Map<string, (Subject & { file: FileNumber; score: number })[]>();
  for (const [file, score] of best) {
    const subject = subjectOf(paths[file] ?? "");
    if (commonNames.test(subject.subject)) continue;
    const same = wanted.get(subject.subject) ?? [];
    wanted.set(subject.subject, same);
    same.push({ ...subject, file, score });
  }
  const found = new Map<FileNumber, { file: FileNumber; score: number }[]>();
  const maySpeakOf = startsLike([...wanted.keys()]);
  for (const [file, path] of paths.entries()) {
    if (!maySpeakOf(path)) continue;
    const { subject, isTest, declares } = subjectOf(path);
    for (const other of wanted.get(subject) ?? []) {
      if (other.isTest === isTest && other.declares === declares) continue;
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
        (folder) =>
          !/^(?:src|lib|app|main|include|tests?|__tests__|specs?|t|unit|java|kotlin|python)$/.test(
            folder,
          ),
      );
  const first = folders(one);
  const second = new Set(folders(other));
  if (first.length === 0 && second.size === 0) return 1;
  const shared = first.filter((folder) => second.has(folder)).length;
  return 0.5 + (0.5 * shared) / Math.max(first.length, second.size);
}
