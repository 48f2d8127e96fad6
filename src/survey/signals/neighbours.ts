import type { RepoPath } from "../../contracts/index.ts";
import type { Corpus, Scores } from "./corpus.ts";

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
export function pairScores({ files }: Corpus, best: Scores): Scores {
  const wanted = new Map<string, { path: RepoPath; score: number; isTest: boolean }[]>();
  for (const [path, score] of best) {
    const { subject, isTest } = subjectOf(path);
    if (commonNames.test(subject)) continue;
    const same = wanted.get(subject) ?? [];
    wanted.set(subject, same);
    same.push({ path, score, isTest });
  }
  const found = new Map<RepoPath, { path: RepoPath; score: number }[]>();
  for (const path of files) {
    const { subject, isTest } = subjectOf(path);
    for (const other of wanted.get(subject) ?? []) {
      if (other.isTest === isTest) continue;
      const pairs = found.get(other.path) ?? [];
      found.set(other.path, pairs);
      pairs.push({ path, score: other.score * nearness(path, other.path) });
    }
  }
  const scores = new Map<RepoPath, number>();
  for (const pairs of found.values()) {
    // A name that a dozen files have pairs none of them.
    if (pairs.length > 8) continue;
    for (const { path, score } of pairs) scores.set(path, Math.max(scores.get(path) ?? 0, score));
  }
  return scores;
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

/** What files import, one step far. */
export function importScores(corpus: Corpus, from: Scores): Scores {
  const scores = new Map<RepoPath, number>();
  for (const [path, score] of from) {
    const text = corpus.text(path)?.text;
    if (text === undefined) continue;
    const targets = importsOf(path, text, corpus);
    // A file that imports everything says little about each.
    const share = score / Math.sqrt(Math.max(1, targets.size / 4));
    for (const target of targets) scores.set(target, Math.max(scores.get(target) ?? 0, share));
  }
  return scores;
}

function importsOf(path: RepoPath, text: string, { known, files }: Corpus): ReadonlySet<RepoPath> {
  const targets = new Set<RepoPath>();
  const add = (target: string | undefined): void => {
    if (target !== undefined && target !== path) targets.add(target as RepoPath);
  };
  for (const [, specifier = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+)["']/g)) {
    add(resolveImport(path, specifier, known));
  }
  for (const [, module = ""] of text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)) {
    const suffix = `${module.replaceAll(".", "/")}.py`;
    if (!path.endsWith(".py")) break;
    add(known.has(suffix) ? suffix : files.find((file) => file.endsWith(`/${suffix}`)));
  }
  for (const [, header = ""] of text.matchAll(/^\s*#\s*include\s+"([^"\n]+)"/gm)) {
    add(resolveImport(path, `./${header}`, known));
  }
  return targets;
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
