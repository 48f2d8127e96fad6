import { dirname, join, relative, sep } from "node:path";
import type { TestCommand } from "../../contracts/index.ts";
import { recognise } from "../reports/recognise.ts";

/** What the repository says where a command is narrowed. Paths are relative to its top level. */
export interface NarrowFacts {
  /** Absolute top level. */
  readonly root: string;
  /** Scripts of the package.json that a package manager reads in the command's folder. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly isFile: (path: string) => boolean;
  /** Text of a manifest; undefined where there is none. */
  readonly manifest: (path: string) => string | undefined;
}

/** What of a change a runner is pointed at. */
interface Change {
  /** Files of the change below the command's folder, relative to it, beginning with `./`. */
  readonly paths: readonly string[];
  /** Relative to the top level. */
  readonly fromTop: readonly string[];
  readonly cwd: string;
  readonly facts: NarrowFacts;
}

/** How a runner selects the tests of a change. */
interface Narrowing {
  /** `name` of the runner's row. */
  readonly runner: string;
  /** The words behind the runner's own that it goes on with; undefined: it cannot be narrowed. */
  readonly words: (change: Change) => readonly string[] | undefined;
  /** Words that the others replace: what selects everything. */
  readonly everything?: string;
}

/** More files than a change of one task has; their words would not fit a command line. */
const maxPaths = 100;

export const narrowings: readonly Narrowing[] = [
  // `vitest related` is another verb, which no script takes; what git sees as changed is the same.
  { runner: "vitest", words: () => ["--changed"] },
  { runner: "jest", words: ({ paths }) => ["--passWithNoTests", "--findRelatedTests", ...paths] },
  { runner: "pytest", words: (change) => testsOf(change, "py") },
  { runner: "node:test", words: (change) => testsOf(change, "js") },
  {
    runner: "go test",
    everything: "./...",
    words: ({ paths }) => folders(paths.filter((path) => path.endsWith(".go"))),
  },
  { runner: "cargo test", words: cratesOf },
];

/**
 * The narrowest form of a command that covers a change, for its runner selects: files related to
 * the changed ones, tests of the changed name, packages they stand in. Undefined where the command
 * is of no such runner, selects already, or the change touches what all tests depend on.
 * @param changed paths of files that the change writes, relative to the top level.
 */
export function narrowCommand(
  command: TestCommand,
  changed: readonly string[],
  facts: NarrowFacts,
): TestCommand | undefined {
  const found = recognise(command, facts.scripts);
  const narrowing = narrowings.find(({ runner }) => runner === found?.runner.name);
  if (found?.withWords === undefined || narrowing === undefined) return undefined;
  const { everything } = narrowing;
  const selects = found.words
    .slice(1)
    .filter((word, index) => !isFlag(word, index) && word !== everything);
  if (selects.length > 0 || changed.length === 0 || changed.length > maxPaths) return undefined;
  const paths = changed.map((path) =>
    relative(command.cwd, join(facts.root, path)).split(sep).join("/"),
  );
  if (paths.some((path) => path.startsWith("../"))) return undefined;
  const change = {
    paths: paths.map((path) => `./${path}`),
    fromTop: changed,
    cwd: command.cwd,
    facts,
  };
  const words = narrowing.words(change);
  if (words === undefined || words.length === 0) return undefined;
  return everything === undefined ? found.withWords(words) : replaced(command, everything, words);
}

/** Verbs and modules that start the runner, and options without a value beside them. */
function isFlag(word: string, index: number): boolean {
  if (/^-{1,2}[\w-]+(?:=.*)?$/.test(word)) return true;
  return index <= 1 && /^(?:run|test|t|pytest|unittest|related)$/.test(word);
}

function replaced(
  command: TestCommand,
  everything: string,
  words: readonly string[],
): TestCommand | undefined {
  const line = command.command;
  if ("argv" in line) {
    if (!line.argv.includes(everything)) return undefined;
    const argv = line.argv.flatMap((word) => (word === everything ? words : [word]));
    return { ...command, command: { argv } };
  }
  const parts = line.shell.split(` ${everything}`);
  const plain = words.every((word) => /^[\w./-]+$/.test(word));
  if (parts.length !== 2 || !plain) return undefined;
  return { ...command, command: { shell: parts.join(` ${words.join(" ")}`) } };
}

/** Changed tests, and those of the names of changed sources, where conventions put them. */
function testsOf({ paths, cwd, facts }: Change, language: "py" | "js"): readonly string[] {
  const isThere = (path: string): boolean =>
    facts.isFile(relative(facts.root, join(cwd, path)).split(sep).join("/"));
  const found = paths.flatMap((path) => namesOf(path, language).filter(isThere));
  // A source without a test of its own: whoever uses it is not known.
  return [...new Set(found)];
}

function namesOf(path: string, language: "py" | "js"): readonly string[] {
  const folder = dirname(path);
  const file = path.slice(folder.length + 1);
  const name = file.replace(/\.\w+$/, "");
  const below = folder.replace(/^\.\/(?:src|lib)(?=\/|$)/, ".");
  const inFolders = ["tests", "test"].flatMap((tests) => [`./${tests}`, `./${tests}/${below}`]);
  if (language === "py") {
    if (!file.endsWith(".py")) return [];
    if (/^test_|_test\.py$/.test(file)) return [path];
    const inPackage = below.replace(/^\.\/[^/]+/, ".");
    return [
      folder,
      `${folder}/tests`,
      ...inFolders,
      ...inFolders.map((each) => `${each}/${inPackage}`),
    ].flatMap((each) => [`${each}/test_${name}.py`, `${each}/${name}_test.py`].map(plainPath));
  }
  const [, ending] = /\.([cm]?[jt]sx?)$/.exec(file) ?? [];
  if (ending === undefined) return [];
  if (/[.-](?:test|spec)\.\w+$/.test(file)) return [path];
  return [folder, ...inFolders].flatMap((each) =>
    [`${name}.test.${ending}`, `${name}.spec.${ending}`, `${name}-test.${ending}`].map((test) =>
      plainPath(`${each}/${test}`),
    ),
  );
}

function plainPath(path: string): string {
  return `./${join(path).split(sep).join("/")}`;
}

function folders(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => dirname(path)))];
}

/** `-p` for each crate of a workspace that the change stands in; none where one has no name. */
function cratesOf({ fromTop, cwd, facts }: Change): readonly string[] | undefined {
  const top = relative(facts.root, cwd).split(sep).join("/") || ".";
  const names = new Set<string>();
  for (const path of fromTop) {
    const found = crateOf(dirname(path), top, facts);
    if (found === undefined) return undefined;
    names.add(found);
  }
  return [...names].flatMap((name) => ["-p", name]);
}

function crateOf(folder: string, top: string, facts: NarrowFacts): string | undefined {
  for (let at = folder; at !== top && at !== "."; at = dirname(at)) {
    const text = facts.manifest(`${at}/Cargo.toml`);
    if (text === undefined) continue;
    return /^\[package\][^[]*?^name\s*=\s*"([\w-]{1,100})"/ms.exec(text)?.[1];
  }
  return undefined;
}
