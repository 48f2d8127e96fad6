import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import {
  git,
  repository,
  snapshot,
  temporaryFolder,
  writeFiles,
} from "../../support/repository.ts";
import { applied, planOf } from "./plans.ts";

const sources = {
  "src/math.js": "export const add = (a, b) => a - b;\n",
  "test/math.test.js": "test\n",
};

/** Applies a wrong fix and takes it back, twice, as two failed attempts do. */
async function failTwice(root: string): Promise<void> {
  const transactions = openTransactions({ root, stateDir: join(root, ".git", "kit") });
  for (const wrong of ["a * b", "a / b"]) {
    const plan = planOf(root, { "src/math.js": wrong, "src/new.js": "new\n" });
    await transactions.rollback(applied(await transactions.apply(plan)));
  }
}

async function succeed(root: string): Promise<void> {
  const transactions = openTransactions({ root, stateDir: join(root, ".git", "kit") });
  const result = applied(await transactions.apply(planOf(root, { "src/math.js": "a + b" })));
  await transactions.accept(result);
}

/** All that git knows beside the files: HEAD, branches, stash and the index to the byte. */
function gitState(root: string): unknown {
  const refs = git(root, "for-each-ref");
  const stash = git(root, "stash", "list");
  const index = existsSync(join(root, ".git/index"))
    ? readFileSync(join(root, ".git/index")).toString("base64")
    : "none";
  const head = readFileSync(join(root, ".git/HEAD"), "utf8");
  return { refs, stash, index, head, worktrees: git(root, "worktree", "list") };
}

describe("a failed change in a user's repository", () => {
  test("leaves unfinished work, untracked and ignored files, HEAD, index and stash as they were", async () => {
    const root = repository(sources);
    writeFiles(root, {
      "src/wip.js": "export const half = 1; // unfinished\n",
      "package.json.notes": "user line\n",
      "test/math.test.js": "test\n\n// user edit\n",
      "out/results.jsonl": "data\n",
      ".gitignore": "out2/\n",
      "out2/keep": "data\n",
    });
    const [before, state] = [snapshot(root), gitState(root)];

    await failTwice(root);

    expect(snapshot(root)).toEqual(before);
    expect(gitState(root)).toEqual(state);
  });

  test("goes back to the user's uncommitted text, not to HEAD", async () => {
    const root = repository(sources);
    writeFileSync(join(root, "src/math.js"), "the user's own text\n");
    await failTwice(root);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe("the user's own text\n");
  });

  test("does not touch an older stash", async () => {
    const root = repository(sources);
    writeFileSync(join(root, "p.txt"), "precious\n");
    git(root, "add", "p.txt");
    git(root, "stash", "-q");

    await failTwice(root);

    expect(git(root, "stash", "list").trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(root, "p.txt"))).toBe(false);
  });

  test("needs no lock of git's: a stale one is neither in the way nor removed", async () => {
    const root = repository(sources);
    const before = snapshot(root);
    writeFileSync(join(root, ".git/index.lock"), "");
    await failTwice(root);
    expect(snapshot(root)).toEqual(before);
    expect(statSync(join(root, ".git/index.lock")).size).toBe(0);
  });
});

describe("a successful change", () => {
  test("is in the working tree alone: what was staged stays staged, what was not does not become so", async () => {
    const root = repository(sources);
    writeFiles(root, {
      "staged.txt": "staged by user\n",
      "test/math.test.js": "test\n// unstaged\n",
    });
    git(root, "add", "staged.txt");
    const state = gitState(root);

    await succeed(root);

    expect(gitState(root)).toEqual(state);
    const status = git(root, "status", "--porcelain")
      .split("\n")
      .filter((line) => line !== "");
    expect(status.toSorted()).toEqual([" M src/math.js", " M test/math.test.js", "A  staged.txt"]);
  });

  test("keeps a partly staged version of the same file staged", async () => {
    const root = repository(sources);
    writeFileSync(join(root, "src/math.js"), "staged version\n");
    git(root, "add", "src/math.js");
    await succeed(root);
    expect(git(root, "show", ":src/math.js")).toBe("staged version\n");
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe("a + b");
  });

  test("works without any commit, and makes none", async () => {
    const root = temporaryFolder();
    git(root, "init", "-q", "-b", "main");
    writeFiles(root, sources);
    await failTwice(root);
    await succeed(root);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe("a + b");
    expect(git(root, "for-each-ref")).toBe("");
  });

  test("works on a detached HEAD, which stays where it is", async () => {
    const root = repository(sources);
    git(root, "commit", "-q", "--allow-empty", "-m", "second");
    git(root, "checkout", "-q", "--detach", "HEAD~1");
    const state = gitState(root);
    await succeed(root);
    expect(gitState(root)).toEqual(state);
  });

  test("works in a linked worktree, whose .git is a file, and keeps its records there", async () => {
    const root = repository(sources);
    const linked = join(temporaryFolder(), "linked");
    git(root, "worktree", "add", "-q", "--detach", linked);
    const stateDir = git(linked, "rev-parse", "--path-format=absolute", "--git-path", "kit").trim();
    const transactions = openTransactions({ root: linked, stateDir });
    const before = snapshot(root);

    const { id } = applied(await transactions.apply(planOf(linked, { "src/math.js": "a + b" })));

    expect(stateDir).toContain(join(".git", "worktrees", "linked", "kit"));
    expect(existsSync(join(stateDir, "transactions", id))).toBe(true);
    expect(snapshot(root)).toEqual(before);
  });

  test("works in a folder without git, with its records in .kit", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    writeFiles(root, sources);
    const transactions = openTransactions({ root, stateDir: join(root, ".kit") });
    const result = applied(await transactions.apply(planOf(root, { "src/math.js": "a + b" })));
    await transactions.rollback(result);
    expect(snapshot(root, [".kit"])).toEqual(snapshot(repository(sources)));
  });
});
