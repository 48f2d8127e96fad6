import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, repository, snapshot, temporaryFolder } from "../support/repository.ts";
import { runKit } from "./support.ts";

/** Folders that hold git's own files, and how each comes about. */
const gitFolders: readonly (readonly [string, () => string])[] = [
  ["a bare repository", bareRepository],
  ["a folder of a bare repository", () => join(bareRepository(), "hooks")],
  [".git", () => join(repository({ "a.txt": "a\n" }), ".git")],
  ["a folder of .git", () => join(repository({ "a.txt": "a\n" }), ".git", "hooks")],
  [".git of a damaged repository", damagedRepository],
];

function bareRepository(): string {
  const bare = temporaryFolder();
  git(bare, "init", "-q", "--bare");
  mkdirSync(join(bare, "hooks"), { recursive: true });
  return bare;
}

function damagedRepository(): string {
  const folder = join(repository({ "a.txt": "a\n" }), ".git");
  rmSync(join(folder, "HEAD"));
  return folder;
}

test.each(gitFolders)("%s is no place to work in: nothing is written there", async (_, make) => {
  const cwd = make();
  mkdirSync(cwd, { recursive: true });
  const before = snapshot(cwd, []);

  const ran = await runKit(["run", "--task", "add a hook", "--test", "true"], { cwd });

  expect(ran).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      `kit: ${cwd} is git's own folder, or in a bare repository.\n` +
      "next: Run kit in a working tree, or name one: --repo FOLDER\n",
  });
  expect(snapshot(cwd, [])).toEqual(before);
});
