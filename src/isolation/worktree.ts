import { mkdir, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { KitError } from "../contracts/index.ts";
import { type Git, GitError, openGit } from "../lib/git.ts";
import { codeOf } from "../lib/files.ts";
import { acquireLock } from "../lib/lock.ts";
import { copyEntries } from "./copy-tree.ts";
import { dropLock, worktreeLock } from "./orphans.ts";
import { inTurn } from "./turns.ts";

/** What a worktree is made from. */
export interface WorktreeRequest {
  /** The user's repository. */
  readonly git: Git;
  /** Absolute folder that holds kit's worktrees, outside of every repository. */
  readonly folder: string;
  /** The run's id; names the worktree. */
  readonly id: string;
  /** Ignored entries that are linked: a name anywhere in the tree, or a path from its top. */
  readonly link: readonly string[];
  /** The same for those that are copied. */
  readonly copy: readonly string[];
}

/** An ignored folder of the user's tree that tests often need and that was not brought along. */
export interface Missing {
  /** Relative, `/` between segments. */
  readonly path: string;
}

/** A tree of its own with the user's files as they were when it was made. */
export interface Worktree {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly git: Git;
  readonly missing: readonly Missing[];
  /** Takes the tree and git's knowledge of it away; never throws. */
  remove(): Promise<void>;
}

/** Ignored entries that tests commonly need. */
const commonlyNeeded: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  "vendor",
  ".env",
  ".env.test",
  ".tox",
  "target",
]);

/**
 * Makes a worktree of HEAD and fills it with the user's files as they stand, edits and untracked
 * files too. git checks nothing out, so no filter of the repository runs and every byte is the
 * user's.
 * @throws KitError `usage` without a commit, `environment` where git or the disk refuses.
 */
export async function openWorktree(request: WorktreeRequest): Promise<Worktree> {
  const { git, folder, id } = request;
  await requireCommit(git);
  const root = join(folder, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(worktreeLock(root), { holder: id });
  if ("heldBy" in lock) {
    throw new KitError("conflict", `Another kit works on the run ${id}.`, {
      next: "Wait for it to end, or end it where it runs",
    });
  }
  const remove = async (): Promise<void> => {
    await rm(root, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    await inTurn(git, () => git.run(["worktree", "prune", "--expire=now"])).catch(() => undefined);
    await dropLock(lock, root).catch(() => undefined);
  };
  try {
    const add = ["worktree", "add", "--quiet", "--no-checkout", "--detach", root, "HEAD"];
    await inTurn(git, () => git.run(add));
    const own = await openGit(root);
    if (own === undefined) throw new Error(`git made no worktree in ${root}`);
    await own.run(["read-tree", "HEAD"]);
    const [files, ignored] = await Promise.all([filesOf(git), ignoredOf(git)]);
    await copyEntries(git.root, own.root, files);
    const isNamed = (names: readonly string[], path: string): boolean =>
      names.includes(path) || names.includes(basename(path));
    const linked = ignored.filter((path) => isNamed(request.link, path));
    const copied = ignored.filter((path) => isNamed(request.copy, path));
    for (const path of linked) await linkEntry(git.root, own.root, path);
    await copyEntries(git.root, own.root, copied);
    const brought = new Set([...linked, ...copied]);
    const missing = ignored
      .filter((path) => commonlyNeeded.has(basename(path)) && !brought.has(path))
      .map((path) => ({ path }));
    return { root: own.root, git: own, missing, remove };
  } catch (error) {
    await remove();
    if (!(error instanceof GitError)) throw error;
    throw new KitError("environment", `No worktree could be made: ${error.message}`, {
      cause: error,
      next: "Run without --isolate, or mend the repository",
    });
  }
}

async function requireCommit(git: Git): Promise<void> {
  try {
    await git.run(["rev-parse", "--verify", "--quiet", "HEAD"]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new KitError("usage", "An isolated run needs a commit to start from.", {
      cause: error,
      next: "Commit something first, or run without --isolate",
    });
  }
}

/** Tracked files, submodules and what is neither tracked nor ignored; kit's own records are not. */
async function filesOf(git: Git): Promise<string[]> {
  const listed = await git.run(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  const paths = entriesOf(listed);
  return [...new Set(paths)].filter((path) => path !== ".kit" && !path.startsWith(".kit/runs/"));
}

/** Ignored entries, folders as one. */
async function ignoredOf(git: Git): Promise<string[]> {
  const listed = await git.run([
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    "--exclude-standard",
    "--directory",
  ]);
  return entriesOf(listed);
}

function entriesOf(listed: Buffer): string[] {
  return listed
    .toString("utf8")
    .split("\0")
    .map((path) => path.replace(/\/$/, ""))
    .filter((path) => path !== "");
}

async function linkEntry(from: string, to: string, path: string): Promise<void> {
  await mkdir(dirname(join(to, path)), { recursive: true });
  try {
    await symlink(join(from, path), join(to, path));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
