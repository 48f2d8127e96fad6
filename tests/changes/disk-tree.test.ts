import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskTree } from "../../src/changes/index.ts";
import { fileSystem } from "../../src/changes/transaction/file-system.ts";
import { repoPath } from "../../src/contracts/index.ts";
import { git, repository, temporaryFolder, writeFiles } from "../support/repository.ts";

/** A tree whose paths lead out of it by links of every kind, with the folder outside. */
function treeWithLinks(): { root: string; outside: string } {
  const outer = temporaryFolder();
  const [root, outside] = [join(outer, "repo"), join(outer, "outside")];
  writeFiles(outer, { "repo/a.txt": "a", "repo/dir/b.txt": "b", "outside/victim.txt": "original" });
  symlinkSync("../outside", join(root, "outbox"));
  symlinkSync("../outside/victim.txt", join(root, "victim.txt"));
  symlinkSync("../outside/not-yet.txt", join(root, "draft.txt"));
  symlinkSync(".", join(root, "loop"));
  symlinkSync("dir", join(root, "alias"));
  symlinkSync("self", join(root, "self"));
  return { root, outside };
}

describe("the tree on disk", () => {
  test("gives files as bytes with their permission bits", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "bin/run.sh": Uint8Array.of(0, 255, 13, 10) });
    chmodSync(join(root, "bin/run.sh"), 0o755);

    const entry = await diskTree(root).read(repoPath("bin/run.sh"));

    expect(entry).toEqual({ kind: "file", bytes: Buffer.from([0, 255, 13, 10]), mode: 0o755 });
  });

  test("tells folders and missing paths apart", async () => {
    const { root } = treeWithLinks();
    const kinds = ["dir", "dir/none", "none", "none/none", "a.txt/none"].map(async (path) => {
      return (await diskTree(root).read(repoPath(path))).kind;
    });
    expect(await Promise.all(kinds)).toEqual([
      "folder",
      "missing",
      "missing",
      "missing",
      "missing",
    ]);
  });

  test.for([
    ["outbox", "../outside"],
    ["outbox/victim.txt", "../outside"],
    ["outbox/deep/new.txt", "../outside"],
    ["victim.txt", "../outside/victim.txt"],
    ["draft.txt", "../outside/not-yet.txt"],
    ["loop/a.txt", "."],
    ["loop/loop/loop/a.txt", "."],
    ["alias/b.txt", "dir"],
    ["self", "self"],
    ["self/x", "self"],
  ])("names the target of a link and reads nothing through it: %s", async ([path = "", target]) => {
    const { root } = treeWithLinks();
    for (const descriptorFolder of [fileSystem.descriptorFolder, undefined]) {
      const tree = diskTree(root, { ...fileSystem, descriptorFolder });
      expect(await tree.read(repoPath(path))).toEqual({ kind: "link", target });
    }
  });

  test("lists the names of a folder, and none of a link, a file or a missing one", async () => {
    const { root } = treeWithLinks();
    const tree = diskTree(root);
    expect((await tree.names("")).toSorted()).toEqual([
      "a.txt",
      "alias",
      "dir",
      "draft.txt",
      "loop",
      "outbox",
      "self",
      "victim.txt",
    ]);
    expect(await tree.names(repoPath("dir"))).toEqual(["b.txt"]);
    for (const path of ["outbox", "alias", "a.txt", "none"]) {
      expect(await tree.names(repoPath(path))).toEqual([]);
    }
  });

  test("does not enter repositories inside the tree", async () => {
    const root = repository({ "a.txt": "a" });
    git(root, "init", "-q", "clone");
    git(root, "init", "-q", "--bare", "bare.git");
    writeFiles(root, {
      "clone/src/x.js": "x",
      "worktree/.git": "gitdir: /elsewhere/.git/worktrees/w\n",
      "worktree/x.js": "x",
      ".gitmodules":
        '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://example.invalid/lib\n',
    });
    mkdirSync(join(root, "vendor/lib"), { recursive: true });
    const tree = diskTree(root);

    const paths = ["clone", "clone/src/x.js", "bare.git/config", "worktree/x.js", "worktree"];
    for (const path of paths) {
      const what = "a repository of its own";
      expect(await tree.read(repoPath(path))).toEqual({ kind: "other", what });
    }
    for (const path of ["vendor/lib", "vendor/lib/new.js"]) {
      expect(await tree.read(repoPath(path))).toEqual({ kind: "other", what: "a submodule" });
    }
    expect(await tree.read(repoPath("vendor/other.js"))).toEqual({ kind: "missing" });
    expect(await tree.names(repoPath("clone"))).toEqual([]);
  });

  test("does not wait for a writer of a named pipe", async () => {
    const root = temporaryFolder();
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await diskTree(root).read(repoPath("pipe"))).toMatchObject({ kind: "other" });
  });

  test.skipIf(process.getuid?.() === 0)(
    "says of what it may not read that it is there",
    async () => {
      const root = temporaryFolder();
      writeFileSync(join(root, "secret.txt"), "x", { mode: 0o000 });
      const entry = await diskTree(root).read(repoPath("secret.txt"));
      expect(entry).toEqual({ kind: "other", what: "not readable for kit" });
    },
  );
});
