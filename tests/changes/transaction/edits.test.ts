import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
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
import { applied, refused } from "./plans.ts";
import { applyReply, fileBlock } from "./reply.ts";

const sources = {
  "package.json": '{"name":"fixture","version":"1.0.0","private":true}\n',
  "src/math.js": "export const add = (a, b) => a - b;\n",
  "test/math.test.js": "import test from 'node:test';\n",
};
const fixed = "export const add = (a, b) => a + b;\n";

const modeOf = (file: string): number => lstatSync(file).mode & 0o777;
const text = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

/** The repository of `sources` and more, beside empty and filled folders of similar names. */
function inFolder(more: Readonly<Record<string, string>> = {}): { outer: string; root: string } {
  const outer = temporaryFolder();
  writeFiles(outer, { "outside/victim.txt": "original\n" });
  mkdirSync(join(outer, "repo-evil"));
  const root = join(outer, "repo");
  writeFiles(root, { ...sources, ...more });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  return { outer, root };
}

describe("what a coder's reply does to a repository", () => {
  test("executable bits and private modes survive, forth and back", async () => {
    const root = repository({ ...sources, "run.sh": "#!/bin/sh\necho old\n" });
    chmodSync(join(root, "run.sh"), 0o755);
    git(root, "commit", "-qam", "mode");
    chmodSync(join(root, "src/math.js"), 0o640);
    const reply = fileBlock("run.sh", "#!/bin/sh\necho new\n") + fileBlock("src/math.js", fixed);

    const result = applied(await applyReply(root, reply, { files: ["run.sh", "src/math.js"] }));

    expect(git(root, "diff", "--summary")).toBe("");
    expect([modeOf(join(root, "run.sh")), modeOf(join(root, "src/math.js"))]).toEqual([
      0o755, 0o640,
    ]);
    await openTransactions({ root, stateDir: join(root, ".git/kit") }).rollback(result);
    expect([modeOf(join(root, "run.sh")), modeOf(join(root, "src/math.js"))]).toEqual([
      0o755, 0o640,
    ]);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  test.for(["outbox/a.txt", "victim.txt", "draft.txt", "loop/x.txt"])(
    "nothing is written through the link of %s, and the link is named",
    async (path) => {
      const { outer, root } = inFolder();
      symlinkSync("../outside", join(root, "outbox"));
      symlinkSync("../outside/victim.txt", join(root, "victim.txt"));
      symlinkSync("../outside/not-yet.txt", join(root, "draft.txt"));
      symlinkSync(".", join(root, "loop"));
      const before = snapshot(outer);

      const reply = fileBlock("src/math.js", fixed) + fileBlock(path);
      const result = await applyReply(root, reply, { files: ["src/math.js", path] });

      expect(refused(result)).toMatchObject({
        kind: "apply",
        message: expect.stringContaining("link to"),
      });
      expect(snapshot(outer, ["repo/.git"])).toEqual(without(before, "repo/.git"));
    },
  );

  test.for([
    "../escape.txt",
    "src/../../escape.txt",
    "/tmp/kit-e07-abs.txt",
    "~/kit-e07-home.txt",
    "C:\\kit-e07.txt",
    "C:/kit-e07.txt",
    "\\\\host\\share\\x",
    "..\\escape.txt",
    "file:///tmp/kit-e07-abs.txt",
    "../repo-evil/x.txt",
    "a/./b//c.txt",
    ".",
    "",
    "src/",
    "nul\0l.txt",
    "src/x.js:stream",
    ".git/hooks/post-checkout",
    ".GIT/config",
    "nul",
    "src/NUL",
    "con.txt",
    "aux.js",
    "com1",
    "src/trail.",
    "src/q?.js",
    "src/star*.js",
    `src/${"x".repeat(300)}.js`,
  ])("the path %j is refused, and nothing changes anywhere", async (path) => {
    const { outer, root } = inFolder();
    const before = snapshot(outer, ["repo/.git"]);

    const reply = fileBlock("src/math.js", fixed) + fileBlock(path);
    const result = await applyReply(root, reply, { files: ["src/math.js", path], create: [path] });

    expect(refused(result).message).toMatch(/^.{10,}$/u);
    expect(refused(result).message).not.toMatch(/\bat .*:\d+:\d+|E[A-Z]{4,}/);
    expect(snapshot(outer, ["repo/.git"])).toEqual(before);
    expect(existsSync("/tmp/kit-e07-abs.txt")).toBe(false);
  });

  test.for(["%2e%2e/escape.txt", "$HOME/kit-e07.txt"])(
    "%s is a name like any other: nothing in it is decoded",
    async (path) => {
      const { outer, root } = inFolder();
      applied(await applyReply(root, fileBlock(path), { create: [path] }));
      expect(text(root, path)).toBe("x\n");
      expect(readdirSync(outer).toSorted()).toEqual(["outside", "repo", "repo-evil"]);
    },
  );

  test("a backslash never becomes part of a name", async () => {
    const { root } = inFolder();
    await applyReply(root, fileBlock("src\\win.js"), { create: ["src/win.js"] });
    expect([...snapshot(root).keys()].some((path) => path.includes("\\"))).toBe(false);
    expect(text(root, "src/win.js")).toBe("x\n");
  });

  test.for([
    ["docs", "docs is a folder"],
    ["lib/util.js", "lib is a file"],
    ["new,new/deep.js", "new is both a file and a folder in this reply"],
  ])(
    "files and folders in each other's place are refused in words: %s",
    async ([paths = "", says]) => {
      const { root } = inFolder({ lib: "i am a file\n", "docs/a.md": "x\n" });
      const blocks = paths.split(",").map((path) => fileBlock(path));
      const result = await applyReply(root, blocks.join(""), { create: paths.split(",") });
      expect(refused(result).message).toContain(says);
      expect(git(root, "status", "--porcelain")).toBe("");
    },
  );

  test("a file that appeared since the pack was made is not replaced by a new one", async () => {
    const { root } = inFolder();
    writeFileSync(join(root, "src/late.js"), "made by someone else\n");
    const result = await applyReply(root, fileBlock("src/late.js"), { create: ["src/late.js"] });
    expect(refused(result)).toMatchObject({ kind: "apply" });
    expect(text(root, "src/late.js")).toBe("made by someone else\n");
  });

  test("half of a reply is never applied", async () => {
    const { root } = inFolder();
    const reply = fileBlock("src/math.js", fixed) + fileBlock("../out.js") + fileBlock("src/b.js");
    const result = await applyReply(root, reply, { files: ["src/math.js"], create: ["src/b.js"] });
    expect(refused(result)).toMatchObject({ kind: "out_of_scope" });
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  test("a folder that may not be written refuses the whole reply and is named", async () => {
    const { root } = inFolder({ "src/locked/a.js": "x\n" });
    chmodSync(join(root, "src/locked"), 0o555);
    const files = ["src/math.js", "src/locked/a.js"];
    const reply = fileBlock("src/math.js", fixed) + fileBlock("src/locked/a.js", "y\n");
    const result = await applyReply(root, reply + fileBlock("src/b.js"), {
      files,
      create: ["src/b.js"],
    });
    chmodSync(join(root, "src/locked"), 0o755);
    expect(refused(result)).toMatchObject({
      kind: "environment",
      message: "The folder src/locked is read-only. Nothing was changed.",
      mend: "chmod u+w 'src/locked'",
    });
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  test("a file that git ignores is changed and restored like any other", async () => {
    const { root } = inFolder({ ".gitignore": "local.settings.json\n" });
    writeFileSync(join(root, "local.settings.json"), '{"a": 1}\n');
    const files = ["local.settings.json", "src/math.js"];
    const reply = fileBlock("local.settings.json", '{"a": 2}\n') + fileBlock("src/math.js", fixed);

    const result = applied(await applyReply(root, reply, { files }));
    expect(text(root, "local.settings.json")).toBe('{"a": 2}\n');
    await openTransactions({ root, stateDir: join(root, ".git/kit") }).rollback(result);

    expect(text(root, "local.settings.json")).toBe('{"a": 1}\n');
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  test("moving over another file, or what is not there, is refused; moving to a free name works", async () => {
    const { root } = inFolder({
      "src/a.js": "export const a = 1;\n",
      "src/b.js": "export const b = 2;\n",
    });
    const wish = { files: ["src/a.js", "src/b.js"], create: ["src/c.js"] };
    const bad = [
      "RENAME: src/a.js -> src/b.js",
      "DELETE: src/missing.js",
      "DELETE: src",
      "RENAME: src/a.js -> ../a.js",
    ];
    for (const block of [...bad, "DELETE: test/math.test.js"]) {
      const reply = `=== ${block} ===\n${fileBlock("src/b.js", "export const b = 3;\n")}`;
      expect(refused(await applyReply(root, reply, wish)).message).not.toBe("");
      expect(git(root, "status", "--porcelain")).toBe("");
    }

    applied(await applyReply(root, "=== RENAME: src/a.js -> src/c.js ===\n", wish));

    git(root, "add", "-A");
    expect(git(root, "diff", "--cached", "--name-status", "-M")).toBe("R100\tsrc/a.js\tsrc/c.js\n");
  });

  test("brackets, blanks and other signs in paths mean nothing but themselves", async () => {
    const files = ["app/[id]/page.js", "docs/my file (1).md", "docs/日本語.md", "-rf.txt"];
    const { root } = inFolder({
      ...Object.fromEntries(files.map((path) => [path, "one\n"])),
      "app/i/page.js": "other\n",
    });

    const reply = files.map((path) => fileBlock(path, "two\n")).join("");
    const result = applied(await applyReply(root, reply, { files }));

    const changed = git(root, "diff", "--name-only", "-z")
      .split("\0")
      .filter((path) => path !== "");
    expect(changed.toSorted()).toEqual(files.toSorted());
    expect(text(root, "app/i/page.js")).toBe("other\n");
    const report = await openTransactions({ root, stateDir: join(root, ".git/kit") }).rollback(
      result,
    );
    expect(report.restored.toSorted()).toEqual(files.toSorted());
    expect(git(root, "status", "--porcelain")).toBe("");
  });
});

function without(entries: ReadonlyMap<string, string>, folder: string): Map<string, string> {
  return new Map(
    [...entries].filter(([path]) => path !== folder && !path.startsWith(`${folder}/`)),
  );
}
