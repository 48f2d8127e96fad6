import { statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseRepoPath, type RepoPath } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import type { Git } from "../lib/git.ts";
import { ignoreRules } from "./ignore-rules.ts";
import { FileTable } from "./file-table.ts";
import type { LeftOut } from "./left-out.ts";
import { RepositoryReader } from "./reading.ts";
import { type BlobKey, keyAt, unknownKey } from "./terms/blob-key.ts";
import { isInstalled } from "./unread.ts";

/** The files of a repository: on disk, not ignored, no links; and what was passed over. */
export interface FileList {
  /** By code unit, each once. */
  readonly files: readonly RepoPath[];
  readonly leftOut: readonly LeftOut[];
  /**
   * For each file the start of its blob's id, where it holds what git's index says; else
   * `unknownKey`.
   */
  keys(): Promise<Float64Array>;
}

/** `git ls-files` modes of what is no file of this repository. */
const modes: Readonly<Record<string, string>> = {
  "120000": "symbolic link",
  "160000": "submodule",
};

/**
 * Tracked files that are on disk and untracked ones that are not ignored, as git sees them.
 * Submodules and nested repositories are named in `leftOut`, not entered.
 * @param meanwhile work of the caller's for the time in which git goes through a large tree.
 * @throws GitError when git fails.
 */
export async function listWithGit(git: Git, meanwhile?: () => void): Promise<FileList> {
  return isLarge(git) ? listInParts(git, meanwhile) : listAtOnce(git);
}

async function listAtOnce(git: Git): Promise<FileList> {
  const listing = ["--stage", "--others", "--deleted", "--exclude-standard"];
  const found = new Listing();
  found.take(await git.run(["ls-files", "-z", "-t", ...listing]));
  return found.list(() => changesOf(git));
}

/** The same in three calls side by side: each goes through the whole tree in its own way. */
async function listInParts(git: Git, meanwhile?: () => void): Promise<FileList> {
  const found = new Listing();
  const others = git.run(["ls-files", "-z", "-t", "--others", "--exclude-standard"]);
  const changes = changesOf(git);
  // Both take longer than what git knows by heart, which is read meanwhile.
  const readTracked = async (): Promise<void> => {
    found.take(await git.run(["ls-files", "-z", "-t", "--stage"]));
    meanwhile?.();
  };
  const [untracked, changed] = await Promise.all([others, changes, readTracked()]);
  found.take(untracked);
  for (const [path, status] of changed) if (status === "D") found.gone(path);
  return found.list(() => Promise.resolve(changed));
}

/** What git says of its files, gathered. */
class Listing {
  readonly #paths: RepoPath[] = [];
  readonly #keys: BlobKey[] = [];
  readonly #leftOut = new Map<RepoPath, string>();
  readonly #gone = new Set<string>();
  /** The paths came by code unit so far, each once. */
  #isSorted = true;

  /** Output of `git ls-files -z -t`, with or without `--stage`. */
  take(output: Buffer): void {
    forEachEntry(output, (tag, mode, key, text) => {
      if (isOwn(text)) return;
      const nested = tag === "?" && text.endsWith("/");
      const [path, unnamed] = named(nested ? text.slice(0, -1) : text);
      if (tag === "R" || tag === "S") {
        this.#gone.add(path);
        return;
      }
      const installed = tag === "?" && isInstalled(path) ? "installed" : undefined;
      const why = unnamed ?? (nested ? "nested repository" : (installed ?? modes[mode]));
      if (why !== undefined) this.#leftOut.set(path, why);
      else if (path === this.#paths.at(-1)) {
        // A conflict has one entry a side, and none says what is on disk.
        this.#keys[this.#keys.length - 1] = unknownKey;
      } else {
        this.#isSorted &&= this.#paths.length === 0 || (this.#paths.at(-1) ?? "") < path;
        this.#paths.push(path);
        this.#keys.push(key);
      }
    });
  }

  /** A tracked file that is not on disk. */
  gone(text: string): void {
    this.#gone.add(named(text)[0]);
  }

  list(changes: () => Promise<ReadonlyMap<string, string>>): FileList {
    for (const path of this.#gone) this.#leftOut.delete(path as RepoPath);
    const isWhole = this.#isSorted && this.#gone.size === 0;
    const order = isWhole ? undefined : this.#order();
    const files = order?.map((at) => this.#paths[at] as RepoPath) ?? this.#paths;
    return {
      files,
      leftOut: listed(this.#leftOut),
      keys: async () => {
        const inOrder = order?.map((at) => this.#keys[at] ?? unknownKey) ?? this.#keys;
        const keys = Float64Array.from(inOrder);
        const table = new FileTable(files);
        for (const path of (await changes()).keys()) {
          const file = table.numberOf(path);
          if (file !== undefined) keys[file] = unknownKey;
        }
        return keys;
      },
    };
  }

  /** Places of the files that are there, by code unit of their paths, each once. */
  #order(): readonly number[] {
    const paths = this.#paths;
    const order = [...paths.keys()].filter((at) => !this.#gone.has(paths[at] ?? ""));
    if (this.#isSorted) return order;
    // Git's own order is nearly that: bytes of UTF-8, the untracked ones last.
    const compare = (one: string, other: string): number => (one < other ? -1 : 1);
    order.sort((a, b) => (paths[a] === paths[b] ? b - a : compare(paths[a] ?? "", paths[b] ?? "")));
    return order.filter((at, index) => index === 0 || paths[at] !== paths[order[index - 1] ?? -1]);
  }
}

/** A git index from this size on is of some ten thousand files. */
const largeIndexBytes = 1_000_000;

function isLarge(git: Git): boolean {
  const index = statSync(join(dirname(git.stateFolder), "index"), { throwIfNoEntry: false });
  return index !== undefined && index.size > largeIndexBytes;
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
  return {
    files: files.sort(),
    leftOut: listed(leftOut),
    keys: () => Promise.resolve(new Float64Array(files.length)),
  };
}

/** kit's own records are not part of what it works on. */
function isOwn(path: string): boolean {
  return path === ".kit" || path.startsWith(".kit/");
}

/** What a line of `git ls-files -t --stage` holds. */
type EntryReader = (
  /** `?` untracked, `R` deleted on disk, `S` absent in a sparse checkout, else tracked. */
  tag: string,
  /** Empty for an untracked file. */
  mode: string,
  key: BlobKey,
  text: string,
) => void;

/** Reads `? path` and `H 100644 <object> <stage>\t<path>`. */
function forEachEntry(output: Buffer, read: EntryReader): void {
  // A name that is no UTF-8 gets replacement characters, by which `named` knows it.
  const text = output.toString("utf8");
  for (let at = 0, end = text.indexOf("\0"); end !== -1; end = text.indexOf("\0", at)) {
    const tag = text[at] ?? "";
    const tab = tag === "?" ? -1 : text.indexOf("\t", at);
    if (tab === -1) read(tag, "", unknownKey, text.slice(at + 2, end));
    else read(tag, text.slice(at + 2, at + 8), keyAt(text, at + 9), text.slice(tab + 1, end));
    at = end + 1;
  }
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
