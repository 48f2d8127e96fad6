import { execFileSync } from "node:child_process";
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listByWalking } from "../../src/survey/file-list.ts";
import { ignoreRules } from "../../src/survey/ignore-rules.ts";
import { RepositoryReader } from "../../src/survey/reading.ts";
import { repositoryRules } from "../../src/survey/rules.ts";
import type { RepoPath } from "../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

function folderWith(name: string, kind: "pipe" | "device" | "outside"): string {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, { "a.js": "1;\n" });
  if (kind === "pipe") execFileSync("mkfifo", [join(root, name)]);
  if (kind === "device") symlinkSync("/dev/zero", join(root, name));
  if (kind === "outside") {
    const outside = temporaryFolder();
    writeFiles(outside, { rules: "*.js\n" });
    symlinkSync(join(outside, "rules"), join(root, name));
  }
  return root;
}

const kinds = ["pipe", "device", "outside"] as const;

describe("ignore rules without git", () => {
  test.each(kinds)("a .gitignore that is no regular file says nothing: %s", async (kind) => {
    const { files } = await listByWalking(folderWith(".gitignore", kind), 100);

    expect(files).toEqual(["a.js"]);
  });

  test("a .gitignore of more than 1 MiB says nothing", async () => {
    const root = realpathSync(temporaryFolder());
    writeFiles(root, { ".gitignore": "*.js\n".repeat(300_000) });
    const rules = await ignoreRules();

    rules.read(new RepositoryReader(root), "");

    expect(rules.ignores("a.js", false)).toBe(false);
  });
});

describe("the repository's rules for agents", () => {
  test.each(kinds)("are read from regular files inside it only: %s", (kind) => {
    const reader = new RepositoryReader(folderWith("AGENTS.md", kind));

    const rules = repositoryRules(new Set(["AGENTS.md" as RepoPath]), [], reader, {
      maxFileChars: 1000,
      maxChars: 1000,
    });

    expect(rules).toEqual([]);
  });
});
