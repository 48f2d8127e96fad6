import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, platform } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  findOrphans,
  openWorktree,
  removeOrphans,
  type Worktree,
} from "../../src/isolation/index.ts";
import { type Git, openGit } from "../../src/lib/git.ts";
import { git, repository, snapshot, temporaryFolder, writeFiles } from "../support/repository.ts";

async function gitOf(root: string): Promise<Git> {
  const opened = await openGit(root);
  if (opened === undefined) throw new Error("no repository");
  return opened;
}

async function worktreeOf(
  root: string,
  more: { link?: readonly string[]; copy?: readonly string[]; folder?: string } = {},
): Promise<Worktree> {
  const { link = [], copy = [], folder = temporaryFolder() } = more;
  const worktree = await openWorktree({ git: await gitOf(root), folder, id: "run-1", link, copy });
  onTestFinished(() => worktree.remove());
  return worktree;
}

describe("a worktree", () => {
  test("holds the user's files as they stand: edits, modes, links, untracked files, deletions", async () => {
    const root = repository({
      "a.txt": "one\r\ntwo",
      "tool.sh": "#!/bin/sh\n",
      "gone.txt": "x",
      "deep/er/b.bin": Buffer.from([0, 255]),
      ".gitignore": "ignored/\n",
    });
    chmodSync(join(root, "tool.sh"), 0o755);
    writeFiles(root, { "a.txt": "edited\r\n", "new/file.txt": "mine", "ignored/x": "no" });
    symlinkSync("a.txt", join(root, "link"));
    rmSync(join(root, "gone.txt"));
    mkdirSync(join(root, ".kit/runs"), { recursive: true });

    const worktree = await worktreeOf(root);

    const except = [".git", ".kit", "ignored"];
    expect(snapshot(worktree.root, except)).toEqual(snapshot(root, except));
    expect(existsSync(join(worktree.root, "ignored"))).toBe(false);
    expect(git(worktree.root, "rev-parse", "HEAD")).toBe(git(root, "rev-parse", "HEAD"));
    expect(git(worktree.root, "status", "--porcelain")).toBe(git(root, "status", "--porcelain"));
  });

  test("is one of many made and removed at once, none in another's way", async () => {
    const git = await gitOf(repository({ "a.txt": "one" }));
    const folder = temporaryFolder();
    const ids = Array.from({ length: 6 }, (_, index) => `run-${index}`);
    const opened = ids.map(async (id) => {
      const worktree = await openWorktree({ git, folder, id, link: [], copy: [] });
      await worktree.remove();
      return readdirSync(folder).includes(id);
    });
    expect(await Promise.all(opened)).toEqual(ids.map(() => false));
  });

  test("leaves no trace in the repository once it is removed", async () => {
    const root = repository({ "a.txt": "a" });
    const before = snapshot(root, []);
    const worktree = await worktreeOf(root);
    await worktree.remove();
    expect(existsSync(worktree.root)).toBe(false);
    expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(1);
    const names = (tree: Map<string, string>): string[] =>
      [...tree.keys()].filter((path) => !path.startsWith(".git/"));
    expect(names(snapshot(root, []))).toEqual(names(before));
  });

  test("runs no program that the repository's settings name", async () => {
    const root = repository({ "a.txt": "a", ".gitattributes": "* filter=trap\n" });
    const marker = join(temporaryFolder(), "marker");
    const trap = join(temporaryFolder(), "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
    for (const key of ["filter.trap.smudge", "filter.trap.clean", "core.fsmonitor"]) {
      git(root, "config", key, trap);
    }
    writeFiles(root, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${marker}\n` });
    chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
    rmSync(marker, { force: true });

    const worktree = await worktreeOf(root);
    await worktree.remove();

    expect(existsSync(marker)).toBe(false);
  });

  test("brings ignored entries by link or copy, by name anywhere or by path, and names what is missing", async () => {
    const root = repository({ ".gitignore": "node_modules\n.env\nbuild\nvendor\n", "a.txt": "a" });
    writeFiles(root, {
      "node_modules/dep/index.js": "1",
      "packages/p/node_modules/own/index.js": "2",
      ".env": "A=1",
      "vendor/v.txt": "v",
      "build/out.txt": "o",
    });

    const worktree = await worktreeOf(root, { link: ["node_modules"], copy: ["build"] });

    expect(readlinkSync(join(worktree.root, "node_modules"))).toBe(join(root, "node_modules"));
    expect(readFileSync(join(worktree.root, "packages/p/node_modules/own/index.js"), "utf8")).toBe(
      "2",
    );
    expect(statSync(join(worktree.root, "build/out.txt")).ino).not.toBe(
      statSync(join(root, "build/out.txt")).ino,
    );
    expect(worktree.missing).toEqual([{ path: ".env" }, { path: "vendor" }]);
  });

  test("holds what a submodule holds, without its repository", async () => {
    const inner = repository({ "lib.txt": "inner" });
    const root = repository({ "a.txt": "a" });
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    git(root, "commit", "-q", "-m", "sub");

    const worktree = await worktreeOf(root);

    expect(readFileSync(join(worktree.root, "sub/lib.txt"), "utf8")).toBe("inner");
    expect(existsSync(join(worktree.root, "sub/.git"))).toBe(false);
  });

  test("reads nothing through a link that stands where a tracked folder was", async () => {
    const outside = temporaryFolder();
    writeFiles(outside, { "secret.txt": "secret" });
    const root = repository({ "dir/secret.txt": "tracked", "a.txt": "a" });
    rmSync(join(root, "dir"), { recursive: true });
    symlinkSync(outside, join(root, "dir"));

    const worktree = await worktreeOf(root);

    const real = join(worktree.root, "dir/secret.txt");
    expect(existsSync(real) && realpathSync(real).startsWith(worktree.root)).toBe(false);
  });

  test("needs a commit", async () => {
    const root = temporaryFolder();
    git(root, "init", "-q");
    await expect(worktreeOf(root)).rejects.toMatchObject({ kind: "usage" });
  });
});

describe("orphans", () => {
  test("are found where nobody living holds their lock, and finding them touches nothing", async () => {
    const root = repository({ "a.txt": "a" });
    const folder = temporaryFolder();
    const repo = await gitOf(root);
    const open = (id: string, from = repo): Promise<Worktree> =>
      openWorktree({ git: from, folder, id, link: [], copy: [] });
    const [alive, foreign] = [
      await open("alive"),
      await open("foreign", await gitOf(repository({ "b.txt": "b" }))),
    ];
    const host = hostname();
    const holders = {
      "no-holder": undefined,
      unreadable: "{",
      "ended-process": JSON.stringify({ holder: "r1", pid: 2 ** 22 + 1, host }),
      "another-process-of-its-number": JSON.stringify({
        holder: "r2",
        pid: process.pid,
        started: "1",
        host,
      }),
      "another-machine": JSON.stringify({ holder: "r3", pid: 2 ** 22 + 1, host: `not-${host}` }),
    };
    for (const [id, holder] of Object.entries(holders)) {
      git(root, "worktree", "add", "-q", "--detach", join(folder, id));
      writeFiles(folder, {
        [`${id}.lock`]: "",
        ...(holder !== undefined && { [`${id}.lock.holder`]: holder }),
      });
    }
    writeFiles(folder, { "somebody/file.txt": "else", "somebody.lock": "", "unlocked/f": "" });
    const before = snapshot(folder, []);

    const found = await findOrphans(repo, folder);

    expect(found.toSorted()).toEqual([
      ...(platform() === "linux" ? ["another-process-of-its-number"] : []),
      "ended-process",
      "no-holder",
      "unreadable",
    ]);
    expect(snapshot(folder, [])).toEqual(before);
    await alive.remove();
    await foreign.remove();
  });

  test("are found and removed behind a link; a link to a worktree of the user's is neither", async () => {
    const root = repository({ "a.txt": "a" });
    const [state, link] = [temporaryFolder(), join(temporaryFolder(), "state")];
    const [place, folder] = [join(state, "worktrees"), join(link, "worktrees")];
    const mine = join(temporaryFolder(), "mine");
    symlinkSync(state, link);
    git(root, "worktree", "add", "-q", "--detach", join(place, "dead"));
    git(root, "worktree", "add", "-q", "--detach", mine);
    symlinkSync(mine, join(place, "linked"));
    writeFiles(place, { "dead.lock": "", "linked.lock": "" });
    const repo = await gitOf(root);

    expect(await findOrphans(repo, folder)).toEqual(["dead"]);
    expect(await removeOrphans(repo, folder)).toEqual(["dead"]);

    expect(await findOrphans(repo, folder)).toEqual([]);
    expect(readdirSync(place).toSorted()).toEqual(["linked", "linked.lock"]);
    expect(existsSync(join(mine, "a.txt"))).toBe(true);
  });

  test("are nowhere where kit never made a worktree", async () => {
    const repo = await gitOf(repository({ "a.txt": "a" }));
    expect(await findOrphans(repo, join(temporaryFolder(), "missing"))).toEqual([]);
  });

  test("are removed where their run is dead, and only those of this repository", async () => {
    const root = repository({ "a.txt": "a" });
    const folder = temporaryFolder();
    const repo = await gitOf(root);
    const open = (id: string, from = repo): Promise<Worktree> =>
      openWorktree({ git: from, folder, id, link: [], copy: [] });
    const alive = await open("alive");
    const foreign = await open("foreign", await gitOf(repository({ "b.txt": "b" })));
    // As a killed kit leaves it: its files, and a lock that nobody holds.
    git(root, "worktree", "add", "-q", "--detach", join(folder, "dead"));
    writeFiles(folder, { "dead.lock": "", "somebody/file.txt": "else", "somebody.lock": "" });

    expect(await removeOrphans(repo, folder)).toEqual(["dead"]);

    expect(readdirSync(folder).filter((name) => name.startsWith("dead"))).toEqual([]);
    expect([alive.root, foreign.root, join(folder, "somebody/file.txt")].map(existsSync)).toEqual([
      true,
      true,
      true,
    ]);
    await alive.remove();
    await foreign.remove();
    expect(readdirSync(folder).toSorted()).toEqual(["somebody", "somebody.lock"]);
  });
});
