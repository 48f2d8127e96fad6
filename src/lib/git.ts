import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "./files.ts";
import { homeFolder } from "./home-folder.ts";
import { gitSettings, isHarmless, verbs } from "./git-verbs.ts";
import { runProcess, type ProcessResult } from "./processes/index.ts";

/** One repository, seen from its top level. No call runs a program that the repository names. */
export interface Git {
  /** Absolute top level of the working tree, links resolved. */
  readonly root: string;
  /** Absolute folder for kit's own state, per working tree (`git rev-parse --git-path kit`). */
  readonly stateFolder: string;
  /** Absolute folder that all working trees share (`--git-common-dir`): hooks, settings, objects. */
  readonly commonFolder: string;
  /**
   * Runs a git verb of `verbs` in `root` and gives its stdout.
   * @throws GitError where the exit code is not in `okCodes` (default 0), RangeError for a verb
   * that is not known to be harmless.
   */
  run(args: readonly string[], options?: GitOptions): Promise<Buffer>;
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly okCodes?: readonly number[];
  /** Absolute file that stands in for the repository's index. */
  readonly indexFile?: string;
}

export type GitErrorCode =
  | "not_found"
  | "not_a_repository"
  /** A bare repository, or a folder inside `.git`. */
  | "no_working_tree"
  | "dubious_ownership"
  | "other";

/** A git call that failed; the message holds git's own words and advice. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly args: readonly string[];
  readonly exitCode: number | undefined;
  readonly stderr: string;
  readonly code: GitErrorCode;

  constructor(args: readonly string[], stderr: string, code: GitErrorCode, exitCode?: number) {
    const said = stderr.trim() === "" ? "it said nothing" : stderr.trim();
    super(`git ${args[0] ?? ""}${exitCode === undefined ? "" : ` (exit ${exitCode})`}: ${said}`);
    this.args = args;
    this.stderr = stderr;
    this.code = code;
    this.exitCode = exitCode;
  }
}

/**
 * Which configuration files git reads, and who makes a commit, is the user's choice; every other
 * `GIT_*` could redirect.
 */
const keptGitVariables: ReadonlySet<string> = new Set([
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_GLOBAL",
  ...["AUTHOR", "COMMITTER"].flatMap((who) =>
    ["NAME", "EMAIL", "DATE"].map((what) => `GIT_${who}_${what}`),
  ),
]);

/**
 * The environment for git: the caller's without its other `GIT_*` (a `GIT_DIR` left by a hook would
 * send every call to another repository), no questions, no locks for reading, English messages,
 * no relative folders in PATH (they would name folders of the repository).
 */
export function gitEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("GIT_") || keptGitVariables.has(name),
  );
  const path = (env["PATH"] ?? "").split(":").filter((folder) => isAbsolute(folder));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(":"),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_PAGER: "cat",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    LC_ALL: "C",
  };
}

const timeoutMs = 120_000;
const maxOutputBytes = 1024 * 1024 * 1024;

/**
 * The repository that holds `folder`; `undefined` where there is none, or no git program.
 * @throws GitError `no_working_tree` where `folder` is git's own; `dubious_ownership` with git's advice where the repository is another user's;
 * `other` where git fails, or its settings move the working tree elsewhere. An Error with code
 * ENOENT where the folder does not exist.
 */
export async function openGit(folder: string): Promise<Git | undefined> {
  // Throws ENOENT for a missing folder, which would otherwise look like a missing git.
  const from = realpathSync(folder);
  const query = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir"];
  let answer: Buffer;
  try {
    answer = await callGit(from, [...query, "--git-common-dir", "--git-path", "kit"], {});
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.code === "not_found" || error.code === "not_a_repository") return undefined;
    throw error;
  }
  const [top, gitFolder, commonFolder, stateFolder, ...rest] = answer
    .toString("utf8")
    .trimEnd()
    .split("\n");
  if (
    top === undefined ||
    gitFolder === undefined ||
    commonFolder === undefined ||
    stateFolder === undefined ||
    rest.length > 0
  ) {
    throw new GitError(query, "the repository's path holds a line break", "other");
  }
  const root = realpathSync(top);
  if (!isInside(root, from) || !isGitFolderOf(root, gitFolder)) {
    throw new GitError(
      query,
      `core.worktree moves the working tree of ${from} to ${root}`,
      "other",
    );
  }
  return {
    root,
    stateFolder,
    commonFolder,
    run: async (args, options = {}) => callGit(root, args, options),
  };
}

/** What the git on PATH says it is, `2.43.0`; undefined where there is none, or it does not run. */
export async function gitVersion(): Promise<string | undefined> {
  const { ended, stdout } = await spawnGit("/", ["--version"], {}, {});
  if (ended.by !== "exit" || ended.code !== 0) return undefined;
  return /\d+\.\d+(?:\.\d+)?/.exec(stdout.toString("utf8"))?.[0];
}

/** Absolute folder for kit's own state: inside git's folder, or `.kit/state` where there is no git. */
export function stateFolder(git: Git | undefined, root: string): Promise<string> {
  return Promise.resolve(git?.stateFolder ?? join(root, ".kit", "state"));
}

/**
 * Why kit works without git although the folder, or one above it, holds a `.git`: no program, or a
 * repository that git does not take for one. One sentence; undefined where there is no `.git`.
 *
 * @param folder absolute, one for which `openGit` gave nothing
 */
export async function whyNoGit(folder: string): Promise<string | undefined> {
  let at = folder;
  while (!existsSync(join(at, ".git"))) {
    if (at === dirname(at)) return undefined;
    at = dirname(at);
  }
  const { ended } = await spawnGit(folder, ["--version"], {}, {});
  const isMissing = ended.by === "spawn_error" && ended.code === "ENOENT";
  const why = isMissing ? "there is no git program on PATH" : "git takes it for no repository";
  return `${join(at, ".git")} is not used: ${why}. kit works without git: ignore rules, history and the check of HEAD are missing`;
}

/** `.git` of a working tree is the folder itself, or a file that names it. */
function isGitFolderOf(root: string, gitFolder: string): boolean {
  const dotGit = join(root, ".git");
  if (!existsSync(dotGit)) return false;
  const real = realpathSync(gitFolder);
  if (realpathSync(dotGit) === real) return true;
  try {
    const named = /^gitdir: (.*)$/m.exec(readFileSync(dotGit, "utf8"))?.[1] ?? "";
    return realpathSync(resolve(dirname(dotGit), named)) === real;
  } catch {
    return false;
  }
}

async function callGit(cwd: string, args: readonly string[], options: GitOptions): Promise<Buffer> {
  const verb = verbs.get(args[0] ?? "");
  const isAllowed = verb?.allows?.(args) ?? true;
  if (verb === undefined || !isAllowed || !isHarmless(args)) {
    throw new RangeError(`git ${args.join(" ")} is not known to be harmless`);
  }
  const filters = verb.filters?.(args) === true;
  const excludes = verb.excludes?.(args) === true;
  const harmless =
    filters || excludes ? await withoutSurprises(cwd, { filters, excludes }, options.signal) : {};
  const full = [args[0] ?? "", ...(verb.flags ?? []), ...args.slice(1)];
  const result = await spawnGit(cwd, full, options, harmless);
  const { ended } = result;
  if (ended.by === "exit" && (options.okCodes ?? [0]).includes(ended.code)) return result.stdout;
  throw errorOf(args, result);
}

/**
 * Settings that empty every filter driver, and take away an ignore file that is none. Drivers are
 * named by settings alone (attributes only point to them), so the list is complete; it is read
 * anew each time, as tests may change it.
 */
async function withoutSurprises(
  cwd: string,
  { filters, excludes }: { readonly filters: boolean; readonly excludes: boolean },
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
  const args = ["config", "--null", "--get-regexp", "^filter\\.|^core\\.excludesfile$"];
  const result = await spawnGit(cwd, args, signal === undefined ? {} : { signal }, {});
  const { ended } = result;
  if (ended.by !== "exit" || ended.code > 1) throw errorOf(args, result);
  const drivers = new Set<string>();
  let ignoreFile: string | undefined;
  for (const entry of result.stdout.toString("utf8").split("\0")) {
    const [name = "", value = ""] = entry.split("\n", 2);
    if (name === "core.excludesfile") ignoreFile = value;
    else if (name !== "" && filters) drivers.add(name.slice(0, name.lastIndexOf(".")));
  }
  const pairs = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ""],
    [`${driver}.smudge`, ""],
    [`${driver}.process`, ""],
    [`${driver}.required`, "false"],
  ]);
  if (excludes && ignoreFile !== undefined && isNoFile(resolve(cwd, atHome(ignoreFile)))) {
    pairs.push(["core.excludesFile", "/dev/null"]);
  }
  // Through the environment, as a driver's name may hold "=", which `-c` splits at.
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(pairs.length)],
    ...pairs.flatMap(([key = "", value = ""], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

/** `~/` as git expands it. */
function atHome(path: string): string {
  return path.startsWith("~/") ? join(homeFolder(process.env), path.slice(2)) : path;
}

/** Something stands there that git would wait for, or read for ever: a pipe, a device, a socket. */
function isNoFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function spawnGit(
  cwd: string,
  args: readonly string[],
  { input, signal, indexFile }: GitOptions,
  env: Readonly<Record<string, string>>,
): Promise<ProcessResult> {
  return runProcess({
    program: "git",
    args: ["--no-pager", ...gitSettings.flatMap((setting) => ["-c", setting]), ...args],
    cwd,
    env: {
      ...gitEnvironment(),
      ...env,
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    },
    timeoutMs,
    maxStdoutBytes: maxOutputBytes,
    label: "git",
    startsOthers: false,
    ...(input === undefined ? {} : { input }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function errorOf(args: readonly string[], { ended, stderr }: ProcessResult): GitError {
  if (ended.by === "spawn_error") {
    return new GitError(args, ended.message, ended.code === "ENOENT" ? "not_found" : "other");
  }
  if (ended.by !== "exit") {
    // A pipe in the place of a file (.gitignore, an included configuration) is never read to its end.
    const why =
      ended.by === "deadline" ? "it did not answer; is a pipe where it reads a file?" : "";
    return new GitError(args, `${stderr}\nended by ${ended.by}: ${why}`, "other");
  }
  const code = messages.find(({ pattern }) => pattern.test(stderr))?.code ?? "other";
  return new GitError(args, stderr, code, ended.code);
}

/** git's words (LC_ALL=C) and what they mean. */
const messages: readonly { readonly pattern: RegExp; readonly code: GitErrorCode }[] = [
  // fatal: detected dubious ownership in repository at '/x' (2.35.3 and later)
  // fatal: unsafe repository ('/x' is owned by someone else) (2.35.2)
  { pattern: /dubious ownership|^fatal: unsafe repository/m, code: "dubious_ownership" },
  // fatal: not a git repository (or any of the parent directories): .git
  { pattern: /^fatal: not a git repository/m, code: "not_a_repository" },
  // fatal: this operation must be run in a work tree (bare, or inside .git)
  { pattern: /^fatal: this operation must be run in a work tree/m, code: "no_working_tree" },
];
