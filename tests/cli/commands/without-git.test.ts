import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";

test("what kit keeps in a folder without git is ignored once git comes", async () => {
  const root = temporaryFolder();
  writeFiles(root, { "a.txt": "one\n" });
  const reply = join(temporaryFolder(), "reply.md");
  writeFileSync(reply, "FILE: a.txt\n```\ntwo\n```\n");

  const applied = await runKit(["apply", reply, "--allow", "a.txt"], { cwd: root });
  git(root, "init", "-q");

  expect(applied.exitCode).toBe(0);
  expect(git(root, "status", "--porcelain", "--untracked-files=all")).toBe("?? a.txt\n");
});

test("a repository that git does not take for one is said to be worked in without git", async () => {
  const root = temporaryFolder();
  writeFiles(root, { ".git/config": "", "a.txt": "" });

  const { stderr } = await runKit(["test", "--test", "true"], { cwd: root });

  expect(stderr).toContain(`${join(root, ".git")} is not used: git takes it for no repository`);
});
