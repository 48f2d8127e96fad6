import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseRepoPath, type RepoPath } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import type { Git } from "../lib/git.ts";
import { decodeUtf8 } from "../lib/text.ts";
import { ignoreRules } from "./ignore-rules.ts";
import type { LeftOut } from "./left-out.ts";
import { isInstalled } from "./unread.ts";

/** The files of a repository: on disk, not ignored, no links; and what was passed over. */
export interface FileList {
  /** By code unit. */
  readonly files: readonly RepoPath[];
  readonly leftOut: readonly LeftOut[];
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
  const [tracked, others, deleted] = await Promise.all([
    git.run(["ls-files", "-z", "-t", "--stage"]),
    git.run(["ls-files", "-z", "--others", "--exclude-standard"]),
    git.run(["ls-files", "-z", "--deleted"]),
  ]);
  const files = new Set<RepoPath>();
  const leftOut = new Map<RepoPath, string>();
  const gone = new Set(entriesOf(deleted));
  for (const entry of entriesOf(tracked)) {
    // `H 100644 <object> <stage>\t<path>`; the tag S is a sparse checkout's absent file.
    const tab = entry.indexOf("\t");
    const [tag, mode = ""] = entry.slice(0, tab).split(" ");
    const text = entry.slice(tab + 1);
    if (gone.has(text) || tag === "S" || isOwn(text)) continue;
    const [path, reason] = named(text);
    const why = reason ?? modes[mode];
    if (why === undefined) files.add(path);
    else leftOut.set(path, why);
  }
  for (const text of entriesOf(others)) {
    if (isOwn(text)) continue;
    const nested = text.endsWith("/");
    const [path, reason] = named(nested ? text.slice(0, -1) : text);
    const why =
      reason ?? (nested ? "nested repository" : isInstalled(path) ? "installed" : undefined);
    if (why === undefined) files.add(path);
    else leftOut.set(path, why);
  }
  return { files: [...files].sort(), leftOut: listed(leftOut) };
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
    if (entries.some(({ name }) => name === ".gitignore")) await rules.read(root, folder);
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
  return { files: files.sort(), leftOut: listed(leftOut) };
}

/** kit's own records are not part of what it works on. */
function isOwn(path: string): boolean {
  return path === ".kit" || path.startsWith(".kit/");
}

function entriesOf(output: Buffer): readonly string[] {
  // Strict first: a name that is no UTF-8 must be noticed, not opened under another name.
  const text = decodeUtf8(output) ?? output.toString("utf8");
  return text.split("\0").filter((entry) => entry !== "");
}

/** A path as a RepoPath; with a reason where it cannot be named in a pack or a reply. */
function named(text: string): readonly [path: RepoPath, reason: string | undefined] {
  const parsed = parseRepoPath(text);
  if (parsed.ok && !text.includes("\uFFFD")) return [parsed.path, undefined];
  const shown = text.replaceAll(/[\0\r\n\\]/g, "?").replace(/^[/~]|^[A-Za-z]:|^file:/, "?");
  return [shown as RepoPath, parsed.ok ? "its name is not UTF-8" : parsed.reason];
}

function listed(leftOut: ReadonlyMap<RepoPath, string>): readonly LeftOut[] {
  return [...leftOut].map(([path, reason]) => ({ path, reason }));
}
