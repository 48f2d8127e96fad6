import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openGit } from "../../src/lib/git.ts";
import { listByWalking, listWithGit, type FileList } from "../../src/survey/file-list.ts";
import { git, repository, temporaryFolder, writeFiles } from "../support/repository.ts";
import { survey, surveyWithGit } from "./support.ts";

async function listed(root: string): Promise<FileList> {
  const opened = await openGit(root);
  if (opened === undefined) throw new Error(`${root} is no git repository`);
  return listWithGit(opened);
}

describe("a git repository", () => {
  test("tracked and untracked files are listed, ignored and deleted ones are not", async () => {
    const root = repository({ ".gitignore": "*.log\n/out/\n", "src/a.js": "", "gone.js": "" });
    writeFiles(root, { "new.js": "", "x.log": "", "out/x.js": "", ".kit/runs/1/receipt.json": "" });
    rmSync(join(root, "gone.js"));

    expect((await listed(root)).files).toEqual([".gitignore", "new.js", "src/a.js"]);
  });

  test("names of any kind are read, those that no pack can hold are reported", async () => {
    const root = repository({
      "ä ö/日本.js": "",
      'quote".js': "",
      "-n": "",
      "a\nb.js": "",
      "c\\d.js": "",
    });

    const { files, leftOut } = await listed(root);

    expect(files).toEqual(["-n", 'quote".js', "ä ö/日本.js"]);
    expect(leftOut.map(({ path }) => path)).toEqual(["a?b.js", "c?d.js"]);
  });

  test("links, submodules and nested repositories are named, not entered", async () => {
    const inner = repository({ "inner.js": "" });
    const root = repository({ "a.js": "" });
    symlinkSync("a.js", join(root, "link.js"));
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    git(root, "add", "-A");
    execFileSync("git", ["clone", "-q", inner, join(root, "nested")]);

    const { files, leftOut } = await listed(root);

    expect(files).toEqual([".gitmodules", "a.js"]);
    expect(leftOut).toEqual([
      { path: "link.js", reason: "symbolic link" },
      { path: "nested", reason: "nested repository" },
      { path: "sub", reason: "submodule" },
    ]);
  });

  test("files of a sparse checkout that are not there are not listed", async () => {
    const root = repository({ "a/x.js": "", "b/y.js": "" });
    git(root, "sparse-checkout", "set", "a");

    expect((await listed(root)).files).toEqual(["a/x.js"]);
  });

  test("a conflicted file is listed once", async () => {
    const root = repository({ "a.js": "1" });
    git(root, "checkout", "-q", "-b", "other");
    writeFiles(root, { "a.js": "2" });
    git(root, "commit", "-qam", "2");
    git(root, "checkout", "-q", "main");
    writeFiles(root, { "a.js": "3" });
    git(root, "commit", "-qam", "3");
    try {
      git(root, "merge", "-q", "other");
    } catch {
      // The conflict is what is wanted.
    }

    expect((await listed(root)).files).toEqual(["a.js"]);
  });

  test("installed packages that nobody ignored are one line", async () => {
    const root = repository({ "a.js": "" });
    for (let index = 0; index < 9; index += 1)
      writeFiles(root, { [`node_modules/p${index}/i.js`]: "" });

    const { files, leftOut } = await surveyWithGit(root, "task");

    expect(files).toEqual(["a.js"]);
    expect(leftOut).toEqual([{ path: "node_modules", reason: "installed (9 files)" }]);
  });

  test("a repository without commits, and the programs its settings name, do no harm", async () => {
    const root = temporaryFolder();
    git(root, "init", "-q");
    const marker = join(root, "ran");
    for (const key of [
      "core.fsmonitor",
      "core.sshCommand",
      "diff.external",
      "filter.x.clean",
      "diff.y.textconv",
    ]) {
      git(root, "config", key, `touch ${marker}; cat`);
    }
    writeFiles(root, { ".gitattributes": "*.js filter=x diff=y\n", "a.js": "add" });

    const { files } = await surveyWithGit(root, "add");

    expect(files).toEqual([".gitattributes", "a.js"]);
    expect((await surveyWithGit(root, "add")).files).not.toContain("ran");
  });
});

describe("a folder without git", () => {
  test("is walked: .gitignore obeyed, built and installed folders skipped, links not followed", async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      ".gitignore": "*.log\n!keep.log\nsecret/\n",
      "a.js": "",
      "x.log": "",
      "keep.log": "",
      "secret/x.js": "",
      "sub/.gitignore": "y.js\n!z.log\n",
      "sub/y.js": "",
      "sub/z.log": "",
      "node_modules/p/i.js": "",
      "build/out.js": "",
      ".git-like/x.js": "",
      ".kit/x.json": "",
    });
    mkdirSync(join(root, "loop"));
    symlinkSync("..", join(root, "loop/up"));

    const { files, leftOut } = await listByWalking(root, 100);

    expect(files).toEqual([
      ".git-like/x.js",
      ".gitignore",
      "a.js",
      "keep.log",
      "sub/.gitignore",
      "sub/z.log",
    ]);
    expect(leftOut).toEqual([{ path: "loop/up", reason: "symbolic link" }]);
  });

  test("nested repositories are named, and the walk is bounded", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "1.js": "", "2.js": "", "3.js": "", "nested/x.js": "" });
    git(join(root, "nested"), "init", "-q");

    expect((await listByWalking(root, 100)).leftOut).toEqual([
      { path: "nested", reason: "nested repository" },
    ]);
    expect(await listByWalking(root, 2)).toMatchObject({
      files: ["1.js", "2.js"],
      leftOut: [{ reason: "more than 2 files" }],
    });
  });

  test("a survey of it says that there is no git", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "add.js": "export const add = 1;" });

    expect(await survey(root, "add")).toMatchObject({ git: false, ranked: [{ path: "add.js" }] });
  });

  test("a missing folder is an error, not an empty repository", async () => {
    await expect(listByWalking(join(temporaryFolder(), "nowhere"), 10)).rejects.toThrow("ENOENT");
  });
});

test("a repository that was moved is read where it stands", async () => {
  const before = repository({ "a.js": "" });
  const after = join(temporaryFolder(), "moved");
  renameSync(before, after);

  expect((await listed(after)).files).toEqual(["a.js"]);
});
