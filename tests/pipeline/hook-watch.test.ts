import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { watchHooks } from "../../src/pipeline/index.ts";
import { git, repository, temporaryFolder, writeFiles } from "../support/repository.ts";
import { candidate, fileBlock, fixedMath, mathPack, play, type Played } from "./support.ts";

const planted = "mkdir -p .husky/_; echo 'echo evil' > .husky/_/pre-commit; chmod +x .husky/_/*";

/** A repository whose hooks come from `folder`, with `script` for a test. */
function repositoryWith(script: string, files: Record<string, string> = {}): string {
  const root = repository({
    "src/math.js": "export const add = (a, b) => a - b;\n",
    "check.sh": `${script}\ngrep -q 'a + b' src/math.js\n`,
    ...files,
  });
  git(root, "config", "core.hooksPath", ".husky/_");
  return root;
}

function playIn(root: string): Promise<Played> {
  return play({
    root,
    pack: mathPack,
    coder: [candidate("p1/a")],
    answer: () => fileBlock("src/math.js", fixedMath),
  });
}

const warnings = ({ events }: Played): string[] =>
  events.flatMap((event) =>
    event.type === "note" && event.level === "warning" ? [event.message] : [],
  );

describe("hooks that tests write", () => {
  test("into a folder that was missing are moved into the record, and said", async () => {
    const root = repositoryWith(planted);

    const played = await playIn(root);

    expect(played.outcome.outcome).toBe("success");
    expect(existsSync(join(root, ".husky/_/pre-commit"))).toBe(false);
    expect(warnings(played)[0]).toContain(
      "Tests changed what git runs as hooks, and kit put it right: .husky/_/pre-commit.",
    );
    const kept = join(root, ".kit/runs", played.id, "kept/hooks/baseline/.husky/_/pre-commit");
    expect(readFileSync(kept, "utf8")).toBe("echo evil\n");
  });

  test("in the place of a folder that they moved away are replaced by what was there", async () => {
    const root = repositoryWith(`mv .husky .h2; ${planted}`, { ".husky/_/pre-commit": "true\n" });

    const played = await playIn(root);

    expect(warnings(played)[0]).toContain("put it right: .husky/_/pre-commit.");
    expect(readFileSync(join(root, ".husky/_/pre-commit"), "utf8")).toBe("true\n");
    expect(statSync(join(root, ".husky/_/pre-commit")).mode & 0o111).toBe(0);
  });

  test("only with the change in the tree refuse it, and nothing of it stays", async () => {
    const root = repositoryWith(`if grep -q 'a + b' src/math.js; then ${planted}; fi`);

    const { outcome } = await playIn(root);

    expect(outcome.failure).toMatchObject({ kind: "conflict", paths: [".husky/_/pre-commit"] });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toContain("a - b");
    expect(existsSync(join(root, ".husky/_/pre-commit"))).toBe(false);
  });
});

describe("putting hooks right", () => {
  test.each([
    { name: "a hook in git's own folder", script: "echo x > .git/hooks/post-checkout" },
    { name: "a hook written over", script: "echo x > .husky/pre-commit" },
    { name: "a hook made executable", script: "chmod +x .husky/pre-commit" },
    { name: "a hook deleted", script: "rm .husky/pre-commit" },
    { name: "a link in the place of the folder", script: 'rm -r .husky; ln -s "$OUT" .husky' },
    { name: "a file in the place of the folder", script: "rm -r .husky; echo x > .husky" },
    {
      name: "a folder in the place of a link",
      script: "rm .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-push",
    },
    { name: "a hook behind a link", script: "echo x > linked/pre-push" },
  ])("undoes $name", async ({ script }) => {
    const root = repositoryWith("", { ".husky/pre-commit": "true\n", "linked/pre-merge": "" });
    execFileSync("sh", ["-c", "rm -rf .git/hooks; ln -s ../linked .git/hooks"], { cwd: root });
    const outside = temporaryFolder();
    writeFiles(outside, { "pre-commit": "of somebody else\n" });
    const state = (): string =>
      execFileSync("sh", ["-c", "ls -lR .husky linked; readlink .git/hooks; cat .husky/*"], {
        cwd: root,
        encoding: "utf8",
      }).replaceAll(/ \w{3} +\d+ [\d:]+ |^total .*$/gm, " ");
    const before = state();
    const watch = await watchHooks({ root, commonFolder: join(root, ".git") });

    execFileSync("sh", ["-c", script], { cwd: root, env: { ...process.env, OUT: outside } });
    const changed = watch.putRight(join(temporaryFolder(), "kept"));

    expect(changed).not.toEqual([]);
    expect(state()).toBe(before);
    expect(lstatSync(join(root, ".git/hooks")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(outside, "pre-commit"), "utf8")).toBe("of somebody else\n");
    expect(watch.putRight(join(temporaryFolder(), "again"))).toEqual([]);
  });
});
