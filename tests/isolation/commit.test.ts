import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FileOperation, RepoPath } from "../../src/contracts/index.ts";
import { commitPaths, requireCommittable, requireCommitted } from "../../src/isolation/index.ts";
import { type Git, openGit } from "../../src/lib/git.ts";
import { git, repository, temporaryFolder, writeFiles } from "../support/repository.ts";

const state = { hash: "", mode: 0o644 };
const path = (text: string): RepoPath => text as RepoPath;
const bytes = (text: string): Uint8Array => Buffer.from(text);

async function gitOf(root: string): Promise<Git> {
  const opened = await openGit(root);
  if (opened === undefined) throw new Error("no repository");
  return opened;
}

const operations: readonly FileOperation[] = [
  { kind: "edit", path: path("a.txt"), before: state, after: bytes("A\n"), strategy: "exact" },
  { kind: "create", path: path("new/tool.sh"), after: bytes("#!/bin/sh\n"), mode: 0o755 },
  { kind: "delete", path: path("old.txt"), before: state },
  { kind: "rename", path: path("b.txt"), to: path("c.txt"), before: state, after: bytes("b\n") },
];

const files = { "a.txt": "a\n", "b.txt": "b\n", "old.txt": "o\n", "other.txt": "x\n" };

/** Known by the repository itself, whatever the environment says. */
function repositoryWithAuthor(content: Record<string, string>): string {
  const root = repository(content);
  git(root, "config", "user.name", "Ada");
  git(root, "config", "user.email", "ada@example.org");
  return root;
}

describe("who makes a commit", () => {
  const names = ["AUTHOR", "COMMITTER"].flatMap((who) => [`GIT_${who}_NAME`, `GIT_${who}_EMAIL`]);

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("is taken from the environment, as git does", async () => {
    const root = repository(files);
    git(root, "config", "user.useConfigOnly", "true");
    for (const name of names) vi.stubEnv(name, name.toLowerCase());
    const repo = await gitOf(root);

    await requireCommittable(repo, "fix/it");
    const commit = await commitPaths({ git: repo, operations, message: "x\n", branch: "fix/it" });

    expect(git(root, "show", "--no-patch", "--format=%an %ae, %cn %ce", commit).trim()).toBe(
      "git_author_name git_author_email, git_committer_name git_committer_email",
    );
  });

  test.each(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"])(
    "is asked for before anything is paid where %s alone is missing",
    async (missing) => {
      const root = repository(files);
      git(root, "config", "user.useConfigOnly", "true");
      for (const name of names) vi.stubEnv(name, name === missing ? undefined : "x");

      await expect(requireCommittable(await gitOf(root), "fix/it")).rejects.toMatchObject({
        kind: "environment",
        message: "git does not know who the author of a commit is.",
      });
    },
  );
});

describe("a commit of a change", () => {
  test("on a new branch holds its paths alone, and moves neither HEAD, index nor tree", async () => {
    const root = repositoryWithAuthor(files);
    writeFiles(root, { "other.txt": "edited by the user\n" });
    git(root, "add", "other.txt");
    const before = [git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")];

    const commit = await commitPaths({
      git: await gitOf(root),
      operations,
      message: "Fix it\n\nwhy\n",
      branch: "fix/it",
    });

    expect(git(root, "rev-parse", "fix/it").trim()).toBe(commit);
    expect(git(root, "show", "--no-renames", "--name-status", "--format=%s|%b", commit)).toBe(
      "Fix it|why\n\n\nM\ta.txt\nD\tb.txt\nA\tc.txt\nA\tnew/tool.sh\nD\told.txt\n",
    );
    expect(git(root, "ls-tree", commit, "new/tool.sh")).toMatch(/^100755 /);
    expect([git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")]).toEqual(before);
  });

  test("on the current branch leaves what else is staged staged", async () => {
    const root = repositoryWithAuthor(files);
    writeFiles(root, { "other.txt": "staged\n" });
    git(root, "add", "other.txt");
    const [edit] = operations;
    if (edit === undefined) throw new Error("no operation");
    writeFileSync(join(root, "a.txt"), "A\n");

    await commitPaths({ git: await gitOf(root), operations: [edit], message: "Fix it\n" });

    expect(git(root, "log", "-1", "--format=%s").trim()).toBe("Fix it");
    expect(git(root, "status", "--porcelain")).toBe("M  other.txt\n");
  });

  test("stores line ends as the attributes say", async () => {
    const root = repositoryWithAuthor({ ...files, ".gitattributes": "*.txt text eol=crlf\n" });
    const crlf: FileOperation = {
      kind: "write",
      path: path("a.txt"),
      before: state,
      after: bytes("one\r\ntwo\r\n"),
    };
    const request = { git: await gitOf(root), operations: [crlf], message: "x\n", branch: "b" };
    await commitPaths(request);
    expect(git(root, "cat-file", "blob", "b:a.txt")).toBe("one\ntwo\n");
  });

  test("runs no hook and no filter, and refuses files that one stores", async () => {
    const root = repositoryWithAuthor({ ...files, ".gitattributes": "a.txt filter=lfs\n" });
    const marker = join(temporaryFolder(), "marker");
    git(root, "config", "filter.lfs.clean", `touch ${marker}`);
    for (const hook of ["pre-commit", "reference-transaction", "post-commit", "commit-msg"]) {
      writeFiles(root, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${marker}\nexit 1\n` });
      chmodSync(join(root, ".git/hooks", hook), 0o755);
    }
    // The test's own commit ran the filter.
    rmSync(marker, { force: true });
    const opened = await gitOf(root);
    await expect(
      commitPaths({ git: opened, operations, message: "x\n", branch: "b" }),
    ).rejects.toMatchObject({ kind: "usage", message: expect.stringContaining("lfs") });
    await commitPaths({ git: opened, operations: operations.slice(1), message: "x\n" });
    expect(existsSync(marker)).toBe(false);
  });

  test("refuses a branch that exists, with the way out", async () => {
    const root = repositoryWithAuthor(files);
    const request = { git: await gitOf(root), operations, message: "x\n", branch: "main" };
    await expect(commitPaths(request)).rejects.toMatchObject({
      kind: "usage",
      next: expect.stringContaining("--branch"),
    });
  });

  test("is not made of files that hold the user's own edits", async () => {
    const root = repositoryWithAuthor(files);
    const opened = await gitOf(root);
    await requireCommitted(opened, operations);
    writeFiles(root, { "b.txt": "mine\n" });
    await expect(requireCommitted(opened, operations)).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("b.txt"),
    });
  });

  test("is not made of edits that git was told not to look at", async () => {
    const root = repositoryWithAuthor(files);
    git(root, "update-index", "--assume-unchanged", "a.txt");
    writeFiles(root, { "a.txt": "private\n" });
    await expect(requireCommitted(await gitOf(root), operations)).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("a.txt"),
    });
  });

  test("is taken back where the user's index cannot be written", async () => {
    const root = repositoryWithAuthor(files);
    const before = git(root, "rev-parse", "HEAD");
    writeFiles(root, { ".git/index.lock": "" });
    const request = { git: await gitOf(root), operations, message: "x\n" };
    await expect(commitPaths(request)).rejects.toMatchObject({ kind: "environment" });
    expect(git(root, "rev-parse", "HEAD")).toBe(before);
  });

  test("is refused on no branch, in the middle of a merge, and for a name that is an option", async () => {
    const root = repositoryWithAuthor(files);
    const opened = await gitOf(root);
    await requireCommittable(opened, undefined);
    await expect(requireCommittable(opened, "--orphan")).rejects.toMatchObject({ kind: "usage" });
    const head = git(root, "rev-parse", "HEAD");
    writeFiles(root, { ".git/MERGE_HEAD": head });
    await expect(requireCommittable(opened, undefined)).rejects.toMatchObject({ kind: "usage" });
    rmSync(join(root, ".git/MERGE_HEAD"));
    git(root, "checkout", "-q", "--detach");
    await expect(requireCommittable(opened, undefined)).rejects.toMatchObject({
      kind: "usage",
      next: expect.stringContaining("--branch"),
    });
  });
});
