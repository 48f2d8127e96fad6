import { glob, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { TestCommand } from "../../contracts/index.ts";
import { isInside } from "../../lib/files.ts";
import { commandText } from "../commands/commands.ts";
import { configuredFiles } from "./configured-files.ts";
import { scriptTexts, targetText } from "../commands/manifest-rules.ts";
import { readManifest } from "../commands/manifest-text.ts";
import { shellCommands, type ShellCommand } from "../commands/shell-words.ts";

/** Programs that look at or compile what is judged: a file they are given is not the judge. */
const inspectors = new Set(
  `grep egrep fgrep rg cat head tail wc ls stat test [ [[ sed awk jq cp mv rm touch echo printf
  gcc g++ cc c++ clang clang++ rustc tsc javac kotlinc swiftc esbuild
  eslint oxlint biome prettier oxfmt standard xo pylint flake8 pyflakes mypy pyright ruff black isort
  shellcheck rubocop gofmt rustfmt`.split(/\s+/),
);

/** Options with which an interpreter or runner checks sources instead of running tests. */
const inspectingOptions =
  /^(?:--check|--doctest\S*|(?:py_compile|compileall|doctest|pyflakes|pylint|flake8|mypy|black|ruff))$/;

/** Programs before the one that counts. */
const prefixes =
  /^(?:npx|env|time|exec|command|sudo|nice|if|then|else|elif|while|until|do|!|\{|\w+=.*)$/;

/** Programs whose own file says what they run; `make` is read rule by rule. */
const runFiles: Readonly<Record<string, readonly string[]>> = {
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  nox: ["noxfile.py"],
  invoke: ["tasks.py"],
  inv: ["tasks.py"],
  grunt: ["Gruntfile.js", "Gruntfile.cjs"],
  gulp: ["gulpfile.js", "gulpfile.mjs"],
  ant: ["build.xml"],
};

const shells = /^(?:sh|bash|zsh|dash|ksh|source|\.)$/;

/** What a judging script calls or sources judges too where its path says so; else it may be what is tested. */
const judgingPath =
  /(?:^|[/_.-])(?:ci|scripts?|tests?|checks?|verify|specs?|lint|hack)(?:[/_.-]|$)/i;

/** Scripts that call scripts that call scripts. */
const deepest = 4;

/** Files of one glob: nobody's tests are more. */
const mostFiles = 2_000;

const makefiles = ["GNUmakefile", "makefile", "Makefile"];

/** What an interpreter tries behind a name without ending. */
const endings = ["", ".js", ".cjs", ".mjs", ".ts", ".py", "/index.js", "/__main__.py"];

/**
 * Existing files that a trusted test command names, or that the test script of its folder's
 * package.json or its make target names: `node scripts/check.js`, `sh ci/test.sh`, files of its
 * globs, scripts that its shell scripts call, and what the configuration of a runner in that folder
 * names (`globalSetup`, `setupFiles`). Of a `make` also the makefile. They judge the change,
 * whatever they are called.
 * @param root absolute top level of the repository, links resolved.
 * @returns paths relative to `root`.
 */
export async function judgeFiles(
  commands: readonly TestCommand[],
  root: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const command of commands.filter(({ trusted }) => trusted)) {
    const texts = [commandText(command), ...(await scriptsNamedBy(command, root))];
    for (const text of texts) await addNamedBy(text, command.cwd, root, found);
    for (const name of await configuredFiles(command.cwd, root)) {
      await addWord(name, command.cwd, root, found);
    }
  }
  await addCalledScripts(commands, root, found);
  return found;
}

async function scriptsNamedBy(command: TestCommand, root: string): Promise<readonly string[]> {
  const manifest = await readManifest(join(command.cwd, "package.json"), root);
  const words = shellCommands(commandText(command)).flatMap((each) => each.words);
  return manifest === undefined ? [] : scriptTexts(manifest, words);
}

/** Follows `cd` from one simple command to the next, as the shell does. */
async function addNamedBy(
  text: string,
  folder: string,
  root: string,
  found: Set<string>,
): Promise<void> {
  let at = folder;
  for (const command of shellCommands(text)) {
    const start = command.words.findIndex((word) => !prefixes.test(word));
    const words = start === -1 ? [] : command.words.slice(start);
    const [program = "", argument] = words;
    if (program === "cd") at = resolve(at, argument ?? ".");
    else if (basename(program) === "make") await addMake(words, at, root, found);
    else if (Object.hasOwn(runFiles, basename(program))) {
      for (const name of runFiles[basename(program)] ?? []) await addWord(name, at, root, found);
    } else if (!isInspection({ words })) {
      for (const word of words) await addWord(word, at, root, found);
    }
  }
}

/** Follows the shell scripts found so far into those that they call. */
async function addCalledScripts(
  commands: readonly TestCommand[],
  root: string,
  found: Set<string>,
): Promise<void> {
  let unread = [...found].filter(isShellScript);
  for (let depth = 0; depth < deepest && unread.length > 0; depth += 1) {
    const called = new Set<string>();
    for (const script of unread) {
      const text = (await readManifest(join(root, script), root)) ?? "";
      const folders = new Set([...commands.map(({ cwd }) => cwd), dirname(join(root, script))]);
      for (const folder of folders) await addCalls(text, folder, root, called);
    }
    unread = [...called].filter((path) => !found.has(path) && isShellScript(path));
    for (const path of called) found.add(path);
  }
}

/** What a shell script runs or sources as a check, or compares with. */
async function addCalls(
  text: string,
  folder: string,
  root: string,
  found: Set<string>,
): Promise<void> {
  let at = folder;
  const readable = text.replaceAll(/^\s*#.*$/gm, "").replaceAll(hereFolder, ".");
  for (const command of shellCommands(readable)) {
    const start = command.words.findIndex((word) => !prefixes.test(word));
    const words = start === -1 ? [] : command.words.slice(start);
    const [program = "", argument] = words;
    if (program === "cd") at = resolve(at, argument ?? ".");
    else if (/^(?:diff|cmp|comm)$/.test(basename(program))) {
      for (const word of words.slice(1)) await addWord(word, at, root, found);
    } else if (shells.test(basename(program)) || isShellScript(program)) {
      for (const word of words) if (judgingPath.test(word)) await addWord(word, at, root, found);
    }
  }
}

/** How a script names the folder it stands in. */
const hereFolder =
  /"?\$\(\s*(?:cd\s+)?"?\$\(?\s*dirname\s+"?\$(?:0|\{?BASH_SOURCE[^}\s"]*\}?)"?\s*\)?[^)]*\)"?|"?\$\(dirname "?\$0"?\)"?|"?\$\{0%\/\*\}"?/g;

function isShellScript(path: string): boolean {
  return /\.(?:sh|bash)$/.test(path);
}

function isInspection({ words: [program = "", ...rest] }: ShellCommand): boolean {
  if (inspectors.has(basename(program))) return true;
  // `node -c` checks a file; `sh -c` runs a text.
  if (basename(program) === "node" && rest[0] === "-c") return true;
  return rest.some((word) => inspectingOptions.test(word));
}

async function addMake(
  words: readonly string[],
  folder: string,
  root: string,
  found: Set<string>,
): Promise<void> {
  const other = words.indexOf("-C");
  const at = other === -1 ? folder : resolve(folder, words[other + 1] ?? ".");
  for (const name of makefiles) {
    const text = await readManifest(join(at, name), root);
    if (text === undefined) continue;
    await addWord(name, at, root, found);
    for (const line of targetText(text, words.slice(1)).split("\n")) {
      const recipe = /^\t[@+-]*(?<command>.*)$/.exec(line)?.groups?.["command"];
      // A recipe that calls make again names another target of the same file.
      if (recipe !== undefined && !/^\S*make\b|\$[({]MAKE[)}]/.test(recipe)) {
        await addNamedBy(recipe, at, root, found);
      }
    }
    return;
  }
}

/** A word, or what stands behind the `=` of an option, where it names a file of the repository. */
async function addWord(
  word: string,
  folder: string,
  root: string,
  found: Set<string>,
): Promise<void> {
  const name = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  if (name === "" || name.startsWith("-")) return;
  if (/[*?[{]/.test(name)) return addGlob(name, folder, root, found);
  const isModule = /^\w+(?:\.\w+)+$/.test(name);
  for (const each of isModule ? [name, name.replaceAll(".", "/")] : [name]) {
    for (const ending of endings) {
      const file = resolve(folder, each + ending);
      if (!isInside(root, file) || !(await isFile(file))) continue;
      const real = await realpath(file);
      for (const path of [file, real]) if (isInside(root, path)) found.add(relative(root, path));
      return;
    }
  }
}

async function addGlob(
  pattern: string,
  folder: string,
  root: string,
  found: Set<string>,
): Promise<void> {
  let left = mostFiles;
  const exclude = (path: string): boolean => /(?:^|\/)(?:node_modules|\.git|\.kit)$/.test(path);
  for await (const name of glob(pattern, { cwd: folder, exclude })) {
    const file = resolve(folder, name);
    if (isInside(root, file) && (await isFile(file))) found.add(relative(root, file));
    left -= 1;
    if (left === 0) return;
  }
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
