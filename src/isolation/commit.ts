import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FileOperation, KitError } from "../contracts/index.ts";
import { type Git, GitError } from "../lib/git.ts";

/** A change that becomes a commit of its own. */
export interface CommitRequest {
  readonly git: Git;
  readonly operations: readonly FileOperation[];
  readonly message: string;
  /** A branch that must not exist yet; absent: the current one moves on. */
  readonly branch?: string;
}

/**
 * Asks whether a commit could be made at all, before anything is paid for one.
 * @param branch a new one; absent: the current one
 * @throws KitError `environment` where git does not know the author, `usage` for a branch that
 * exists or cannot be named so, and where HEAD is on none or in the middle of a merge
 */
export async function requireCommittable(git: Git, branch: string | undefined): Promise<void> {
  try {
    for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) await git.run(["var", who]);
  } catch (error) {
    if (error instanceof GitError) throw unknownAuthor(error);
    throw error;
  }
  if (branch === undefined) return requireOwnBranch(git);
  // git itself takes no such name from people, as commands would read it as an option.
  if (branch.startsWith("-")) throw badBranch(branch);
  const ref = `refs/heads/${branch}`;
  try {
    await git.run(["check-ref-format", ref]);
  } catch (error) {
    if (error instanceof GitError) throw badBranch(branch, error);
    throw error;
  }
  const found = await git.run(["rev-parse", "--verify", "--quiet", ref], { okCodes: [0, 1] });
  if (found.length > 0) throw badBranch(branch);
}

/** A commit on a detached HEAD is soon nobody's, and one in a merge would lose the other side. */
async function requireOwnBranch(git: Git): Promise<void> {
  if ((await text(git, ["rev-parse", "--symbolic-full-name", "HEAD"])) === "HEAD") {
    throw new KitError("usage", "HEAD is on no branch, so a commit would be on none.", {
      next: "Switch to a branch first, or name a new one: --branch NAME",
    });
  }
  for (const name of ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]) {
    const found = await git.run(["rev-parse", "--verify", "--quiet", name], { okCodes: [0, 1] });
    if (found.length === 0) continue;
    throw new KitError("usage", `git is in the middle of something (${name}).`, {
      next: "Finish it first, or let the change become a branch: --branch NAME",
    });
  }
}

function unknownAuthor(cause: GitError): KitError {
  return new KitError("environment", "git does not know who the author of a commit is.", {
    cause,
    next: "Tell it: git config user.name …, git config user.email …",
  });
}

function badBranch(branch: string, cause?: GitError): KitError {
  return new KitError("usage", `The branch "${branch}" exists already or cannot be named so.`, {
    cause,
    next: "Name another one: --branch NAME",
  });
}

/**
 * Asks whether the files of a change are as HEAD has them, before the change reaches the tree: a
 * commit of theirs would hold the user's own edits too.
 * @throws KitError `conflict` naming the first that is not
 */
export async function requireCommitted(
  git: Git,
  operations: readonly FileOperation[],
): Promise<void> {
  const paths = operations.flatMap(({ kind, path }) => (kind === "create" ? [] : [path]));
  if (paths.length === 0) return;
  const head = await entriesIn(git, ["ls-tree", "-z", "--full-tree", "HEAD"], paths);
  const index = await entriesIn(git, ["ls-files", "-z", "--stage"], paths);
  for (const path of paths) {
    // The content itself, as git can be told not to look at a file (assume-unchanged).
    const object = await text(git, ["hash-object", "--", path]);
    const [mode, committed] = (head.get(path) ?? "").split(" ");
    if (object === committed && index.get(path) === `${mode} ${committed}`) continue;
    throw new KitError("conflict", `${path} holds edits of yours that are not committed.`, {
      next: "Commit them first, or let the change land in the tree",
    });
  }
}

/** Mode and object of each path, from a listing of git's. */
async function entriesIn(
  git: Git,
  args: readonly string[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const said = await git.run([...args, "--", ...paths.map((path) => `:(top,literal)${path}`)]);
  const lines = said.toString("utf8").split("\0").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [words = "", path = ""] = line.split("\t");
      const [mode = "", object = ""] = words.split(" ").filter((word) => word !== "blob");
      return [path, `${mode} ${object}`];
    }),
  );
}

/**
 * Commits the paths of a change on top of HEAD, and nothing else of the tree or the index. No
 * hook runs and nothing is signed; line ends are converted as the repository's attributes say.
 * @returns the commit's id
 * @throws KitError `usage` for a branch that exists or cannot be named so and for filtered files,
 * `conflict` where HEAD moved meanwhile, `environment` where git refuses.
 */
export async function commitPaths(request: CommitRequest): Promise<string> {
  const { git, branch, message } = request;
  const index = join(git.stateFolder, `index-${process.pid}`);
  await mkdir(git.stateFolder, { recursive: true });
  try {
    const head = await text(git, ["rev-parse", "--verify", "HEAD"]);
    await requireNoFilters(request);
    await git.run(["read-tree", head], { indexFile: index });
    const none = "0".repeat(head.length);
    const entries = await entriesOf(request, none);
    await git.run(["update-index", "-z", "--index-info"], { indexFile: index, input: entries });
    const tree = (await git.run(["write-tree"], { indexFile: index })).toString("utf8").trim();
    const commit = await text(git, ["commit-tree", tree, "-p", head], message);
    const [ref, old] = branch === undefined ? ["HEAD", head] : [`refs/heads/${branch}`, none];
    await git.run(["update-ref", "-m", "kit run", ref, commit, old]);
    // Without its index the branch would hold a commit that the next one takes back.
    const back = async (error: unknown): Promise<never> => {
      await git.run(["update-ref", "-m", "kit run: taken back", "HEAD", head, commit]);
      throw error;
    };
    // The user's index then says of these paths what the commit says; every other entry stays.
    if (branch === undefined) {
      await git.run(["update-index", "-z", "--index-info"], { input: entries }).catch(back);
    }
    return commit;
  } catch (error) {
    throw error instanceof GitError ? refusalOf(error, request) : error;
  } finally {
    await rm(index, { force: true });
  }
}

/**
 * The last step of `commitPaths` on the current branch, where a crash kept it from being taken: the
 * index says of these paths what the commit says. An entry that is not as before the commit is the
 * user's and stays.
 */
export async function finishCommit(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const [before, after, index] = await Promise.all([
    entriesIn(git, ["ls-tree", "-z", "--full-tree", `${commit}^`], paths),
    entriesIn(git, ["ls-tree", "-z", "--full-tree", commit], paths),
    entriesIn(git, ["ls-files", "-z", "--stage"], paths),
  ]);
  const none = `0 ${"0".repeat(commit.length)}`;
  const lines = paths
    .filter((path) => index.get(path) === before.get(path))
    .map((path) => `${after.get(path) ?? none}\t${path}\0`);
  if (lines.length > 0) {
    await git.run(["update-index", "-z", "--index-info"], { input: lines.join("") });
  }
}

async function text(git: Git, args: readonly string[], input?: string): Promise<string> {
  const said = await git.run(args, input === undefined ? {} : { input });
  return said.toString("utf8").trim();
}

/** Content of a filtered file (LFS) is not what git stores, and the filter is the repository's program. */
async function requireNoFilters({ git, operations }: CommitRequest): Promise<void> {
  const paths = operations.map((operation) =>
    operation.kind === "rename" ? operation.to : operation.path,
  );
  const said = await git.run(["check-attr", "-z", "--stdin", "filter"], {
    input: paths.map((path) => `${path}\0`).join(""),
  });
  const fields = said.toString("utf8").split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2] ?? "";
    if (value === "unspecified" || value === "unset") continue;
    throw new KitError("usage", `${fields[at] ?? ""} is stored through the filter "${value}".`, {
      next: "Let the change land in the tree, and commit it with git yourself",
    });
  }
}

/** Lines for `update-index --index-info`: mode, object, path; mode 0 takes a path out. */
async function entriesOf({ git, operations }: CommitRequest, none: string): Promise<string> {
  const lines: string[] = [];
  for (const operation of operations) {
    if (operation.kind === "delete" || operation.kind === "rename") {
      lines.push(`0 ${none}\t${operation.path}`);
    }
    if (operation.kind === "delete") continue;
    const path = operation.kind === "rename" ? operation.to : operation.path;
    const mode = operation.kind === "create" ? operation.mode : operation.before.mode;
    const object = await git.run(["hash-object", "-w", "--stdin", "--path", path], {
      input: operation.after,
    });
    const bits = (mode & 0o100) === 0 ? "100644" : "100755";
    lines.push(`${bits} ${object.toString("utf8").trim()}\t${path}`);
  }
  return lines.map((line) => `${line}\0`).join("");
}

function refusalOf(error: GitError, { branch }: CommitRequest): KitError {
  const [verb] = error.args;
  if (verb === "update-ref" && branch !== undefined) return badBranch(branch, error);
  if (verb === "update-ref") {
    return new KitError("conflict", "HEAD moved while kit worked.", { cause: error });
  }
  return new KitError("environment", `The change could not be committed: ${error.message}`, {
    cause: error,
  });
}
