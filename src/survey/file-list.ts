import { statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseRepoPath, type RepoPath } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import type { Git } from "../lib/git.ts";
import { ignoreRules } from "./ignore-rules.ts";
import type { LeftOut } from "./left-out.ts";
import { RepositoryReader } from "./reading.ts";
import { isInstalled } from "./unread.ts";

/** The files of a repository: on disk, not ignored, no links; and what was passed over. */
export interface FileList {
  /** By code unit. */
  readonly files: readonly RepoPath[];
  readonly leftOut: readonly LeftOut[];
  /** Files that hold what git's index says: first 16 digits of their blob ids. */
  keys(): Promise<ReadonlyMap<RepoPath, string>>;
}

/** `git ls-files` modes of what is no file of this repository. */
const modes: Readonly<Record<string, string>> = {
  "120000": "symbolic link",
  "160000": "submodule",
};

/**
 * Tracked files that are on disk and untracked ones that are not ignored, as git sees them.
 * Submodules and nested repositories are named in `leftOut`, not entered.
 * @throws GitError when git fails.
 */
export async function listWithGit(git: Git): Promise<FileList> {
  const { outputs, changed } = isLarge(git) ? await askInParts(git) : await askAtOnce(git);
  const files = new Set<RepoPath>();
  const keys = new Map<RepoPath, string>();
  const leftOut = new Map<RepoPath, string>();
  const gone = new Set<RepoPath>();
  for (const { tag, mode, key, text } of outputs.flatMap(entriesOf)) {
    if (isOwn(text)) continue;
    const nested = tag === "?" && text.endsWith("/");
    const [path, unnamed] = named(nested ? text.slice(0, -1) : text);
    const installed = tag === "?" && isInstalled(path) ? "installed" : undefined;
    const why = unnamed ?? (nested ? "nested repository" : (installed ?? modes[mode]));
    if (tag === "R" || tag === "S") gone.add(path);
    else if (why === undefined) {
      files.add(path);
      if (key !== "") keys.set(path, key);
    } else leftOut.set(path, why);
  }
  for (const path of gone) {
    files.delete(path);
    leftOut.delete(path);
  }
  return {
    files: sorted(files),
    leftOut: listed(leftOut),
    async keys() {
      for (const path of changed?.keys() ?? (await changesOf(git)).keys()) {
        keys.delete(path as RepoPath);
      }
      return keys;
    },
  };
}

/** What git says of its files; `changed` where it was asked for that too. */
interface Said {
  readonly outputs: readonly Buffer[];
  readonly changed?: ReadonlyMap<string, string>;
}

async function askAtOnce(git: Git): Promise<Said> {
  const listing = ["--stage", "--others", "--deleted", "--exclude-standard"];
  return { outputs: [await git.run(["ls-files", "-z", "-t", ...listing])] };
}

/** A git index from this size on is of some ten thousand files. */
const largeIndexBytes = 1_000_000;

function isLarge(git: Git): boolean {
  const index = statSync(join(dirname(git.stateFolder), "index"), { throwIfNoEntry: false });
  return index !== undefined && index.size > largeIndexBytes;
}

/** The same in three calls side by side: each goes through the whole tree in its own way. */
async function askInParts(git: Git): Promise<Said> {
  const [tracked, others, changed] = await Promise.all([
    git.run(["ls-files", "-z", "-t", "--stage"]),
    git.run(["ls-files", "-z", "-t", "--others", "--exclude-standard"]),
    changesOf(git),
  ]);
  const deleted = [...changed].filter(([, status]) => status === "D");
  const gone = Buffer.from(deleted.map(([path]) => `R 000000 0\t${path}\0`).join(""));
  return { outputs: [tracked, others, gone], changed };
}

/** Tracked files that are gone (`D`), or may not hold what the index says: git has not looked. */
async function changesOf(git: Git): Promise<ReadonlyMap<string, string>> {
  const output = await git.run(["diff-files", "--raw", "-z", "--no-renames"]);
  const fields = output.toString("utf8").split("\0");
  const changes = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.set(fields[at + 1] ?? "", fields[at]?.at(-1) ?? "");
  }
  return changes;
}

/** By code unit; git's own order is nearly that, and is kept where it is. */
function sorted(files: Iterable<RepoPath>): readonly RepoPath[] {
  const list = [...files];
  const isSorted = list.every((path, index) => index === 0 || (list[index - 1] ?? "") <= path);
  return isSorted ? list : list.sort();
}

/** Folders a walk does not enter: version control, what was installed, what was built. */
const skippedFolders =
  /^(?:\.git|\.hg|\.svn|\.kit|node_modules|bower_components|dist|build|out|target|coverage|\.venv|venv|__pycache__|\.tox|\.cache|\.gradle|\.idea|\.next|Pods)$/;

/**
 * Files of a folder that is no git repository: `.gitignore` files are obeyed, links are not
 * followed, nested repositories are named and not entered; ends after `maxFiles`.
 */
export async function listByWalking(root: string, maxFiles: number): Promise<FileList> {
  const files: RepoPath[] = [];
  const leftOut = new Map<RepoPath, string>();
  const rules = await ignoreRules();
  const reader = new RepositoryReader(await realpath(root));
  const visit = async (folder: string): Promise<void> => {
    const absolute = join(root, folder);
    const entries = await readdir(absolute, { withFileTypes: true }).catch((error: unknown) => {
      if (folder === "") throw error;
      leftOut.set(named(folder)[0], `unreadable (${codeOf(error) ?? "unknown"})`);
      return [];
    });
    if (folder !== "" && entries.some(({ name }) => name === ".git")) {
      leftOut.set(named(folder)[0], "nested repository");
      return;
    }
    if (entries.some(({ name }) => name === ".gitignore")) rules.read(reader, folder);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length >= maxFiles) return;
      const text = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (rules.ignores(text, entry.isDirectory())) continue;
      if (entry.isDirectory()) {
        if (!skippedFolders.test(entry.name)) await visit(text);
        continue;
      }
      const [path, reason] = named(text);
      if (reason !== undefined) leftOut.set(path, reason);
      else if (entry.isSymbolicLink()) leftOut.set(path, "symbolic link");
      else if (entry.isFile()) files.push(path);
    }
  };
  await visit("");
  if (files.length >= maxFiles) leftOut.set(named("…")[0], `more than ${maxFiles} files`);
  return { files: files.sort(), leftOut: listed(leftOut), keys: () => Promise.resolve(new Map()) };
}

/** kit's own records are not part of what it works on. */
function isOwn(path: string): boolean {
  return path === ".kit" || path.startsWith(".kit/");
}

/** One line of `git ls-files -t --stage`. */
interface Entry {
  /** `?` untracked, `R` deleted on disk, `S` absent in a sparse checkout, else tracked. */
  readonly tag: string;
  /** Empty for an untracked file. */
  readonly mode: string;
  /** First 16 digits of the blob's id. */
  readonly key: string;
  readonly text: string;
}

/** Reads `? path` and `H 100644 <object> <stage>\t<path>`. */
function entriesOf(output: Buffer): readonly Entry[] {
  // A name that is no UTF-8 gets replacement characters, by which `named` knows it.
  const text = output.toString("utf8");
  const entries: Entry[] = [];
  for (let at = 0, end = text.indexOf("\0"); end !== -1; end = text.indexOf("\0", at)) {
    const tag = text[at] ?? "";
    const tab = tag === "?" ? -1 : text.indexOf("\t", at);
    if (tab === -1) entries.push({ tag, mode: "", key: "", text: text.slice(at + 2, end) });
    else {
      const mode = text.slice(at + 2, at + 8);
      entries.push({ tag, mode, key: text.slice(at + 9, at + 25), text: text.slice(tab + 1, end) });
    }
    at = end + 1;
  }
  return entries;
}

/** Paths without anything that `parseRepoPath` looks for, told by one look. */
const plain = /^[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/;

/** A path as a RepoPath; with a reason where it cannot be named in a pack or a reply. */
function named(text: string): readonly [path: RepoPath, reason: string | undefined] {
  if (plain.test(text)) return [text as RepoPath, undefined];
  const parsed = parseRepoPath(text);
  if (parsed.ok && !text.includes("\uFFFD")) return [parsed.path, undefined];
  const shown = text.replaceAll(/[\0\r\n\\]/g, "?").replace(/^[/~]|^[A-Za-z]:|^file:/, "?");
  return [shown as RepoPath, parsed.ok ? "its name is not UTF-8" : parsed.reason];
}

function listed(leftOut: ReadonlyMap<RepoPath, string>): readonly LeftOut[] {
  const entries = [...leftOut].map(([path, reason]) => ({ path, reason }));
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}
