import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, snapshot } from "../support/repository.ts";
import { survivorsAfter } from "./processes.ts";
import {
  coderRule,
  crlfRepository,
  editBlock,
  fixedMath,
  machine,
  replyRule,
  scenario,
  task,
} from "./support.ts";

/** What is left of isolated runs on a machine. */
function worktreesOf(home: string, root: string): string[] {
  const folder = join(home, ".local/state/kit/worktrees");
  const left = existsSync(folder) ? readdirSync(folder) : [];
  const known = git(root, "worktree", "list", "--porcelain").match(/^worktree /gm) ?? [];
  return [...left, ...known.slice(1)];
}

const right = scenario([coderRule("p1/first", "a + b")]);
const wrong = scenario([coderRule("p1/first", "a * b"), coderRule("p2/second", "a / b")]);

describe("an isolated run", () => {
  test("reaches the user's tree with its green change alone, and can be undone", async () => {
    const { root, home, kit, run, quick } = await machine({ scenario: right });
    writeFileSync(join(root, "mine.txt"), "untracked");
    const before = snapshot(root, [".git", ".kit"]);
    const { receipt } = await run([...quick, "--isolate"]);
    expect(receipt).toMatchObject({ outcome: "success", landed: { to: "tree" } });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
    expect(worktreesOf(home, root)).toEqual([]);
    expect((await kit(["undo"])).code).toBe(0);
    expect(snapshot(root, [".git", ".kit"])).toEqual(before);
  });

  test("never touches the user's tree where no change is green", async () => {
    const { root, home, run, quick } = await machine({ scenario: wrong });
    const before = snapshot(root, [".git", ".kit"]);
    const { code } = await run([...quick, "--isolate"]);
    expect(code).toBe(1);
    expect(snapshot(root, [".git", ".kit"])).toEqual(before);
    expect(worktreesOf(home, root)).toEqual([]);
  });

  test("becomes a commit on a new branch, the tree as it was", async () => {
    const { root, run, kit, quick } = await machine({ scenario: right });
    nameAuthor(root);
    const before = snapshot(root, [".git", ".kit"]);
    const { receipt } = await run([...quick, "--branch", "fix/sum"]);
    expect(receipt).toMatchObject({ outcome: "success", landed: { branch: "fix/sum" } });
    expect(git(root, "log", "-1", "--format=%s", "fix/sum").trim()).toBe(task);
    expect(git(root, "cat-file", "blob", "fix/sum:src/math.js")).toBe(fixedMath);
    expect(snapshot(root, [".git", ".kit"])).toEqual(before);
    expect(await kit(["undo"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("git branch -D fix/sum"),
    });
  });

  test("becomes a commit on the current branch", async () => {
    const { root, run, quick } = await machine({ scenario: right });
    nameAuthor(root);
    const { receipt } = await run([...quick, "--commit"]);
    expect(receipt).toMatchObject({ outcome: "success", landed: { to: "commit" } });
    expect(git(root, "log", "-1", "--format=%H").trim()).toBe(receipt.landed?.commit);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  });

  test("asks for what a commit needs before any model is paid", async () => {
    const { root, kit, quick, server } = await machine({ scenario: right });
    const commit = ["run", task, ...quick, "--commit"];
    expect(await kit(commit)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("git config user.name"),
    });
    nameAuthor(root);
    for (const branch of ["main", "no..good", "-x y"]) {
      const { code, stderr } = await kit(["run", task, ...quick, `--branch=${branch}`]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(branch) });
    }
    expect(server.requests).toEqual([]);
  });

  test("ends in a conflict where the user changed the file meanwhile, and keeps both", async () => {
    const mine = crlfRepository["src/math.js"].replace("add", "sum");
    const { root, run, quick } = await machine({ scenario: right });
    const [pack, file] = quick;
    const { code, receipt } = await run([
      pack ?? "",
      file ?? "",
      "--isolate",
      // The test plays the user, and writes where a confined one could not.
      "--sandbox",
      "off",
      "--test",
      `grep -q 'a + b' src/math.js && printf '%s' '${mine}' > ${join(root, "src/math.js")}`,
    ]);
    expect({ code, receipt }).toMatchObject({ code: 1, receipt: { outcome: "conflict" } });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(mine);
  });

  test("is set up by the user's commands, whose failure is the environment's", async () => {
    const { home, root, run, quick } = await machine({
      scenario: right,
      settings: "worktree: { setup: ['test ! -e .git/HEAD', 'echo no such thing; exit 3'] }\n",
    });
    const { code, receipt } = await run([...quick, "--isolate"]);
    expect({ code, receipt }).toMatchObject({
      code: 5,
      receipt: {
        outcome: "environment",
        error: { message: expect.stringContaining("no such thing") },
      },
    });
    expect(worktreesOf(home, root)).toEqual([]);
  });

  test("that was killed leaves a tree that the next one removes", async () => {
    const { home, root, quick, start, run } = await machine({ scenario: right });
    const killed = start(["run", task, ...quick, "--isolate", "--test", "sleep 300"]);
    await expect
      .poll(() => worktreesOf(home, root).length, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(3);
    killed.process.kill("SIGKILL");
    await killed.ended;
    expect(await survivorsAfter(home, 5_000)).toEqual([]);
    await run([...quick, "--isolate"]);
    expect(worktreesOf(home, root)).toEqual([]);
  });

  test("is one of eight at once in one repository, each landing its own file", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `f${index}`);
    const files = Object.fromEntries(
      names.map((name) => [`src/${name}.js`, "  return a - b;\n"] as const),
    );
    const { root, home, env, start } = await machine({
      files: { ...crlfRepository, ...files },
      scenario: scenario(
        names.map((name) => {
          const path = `src/${name}.js`;
          const text = editBlock(path, "  return a - b;", "  return a + b;");
          return replyRule(`{ contains: ${path} }`, text)
            .replace("when: { model: ", "when: ")
            .replace(" } }", " }");
        }),
      ),
    });
    const runs = names.map((name) => {
      const pack = join(home, `${name}.md`);
      writeFileSync(pack, packFor(`src/${name}.js`));
      return start(
        ["run", "--pack", pack, "--test", `grep -q 'a + b' src/${name}.js`, "--isolate", "--json"],
        { env },
      ).ended;
    });
    const ended = await Promise.all(runs);
    expect(
      ended.map(({ code, signal, stdout, stderr }) =>
        code === 0 ? code : [code, signal, stdout, stderr],
      ),
    ).toEqual(names.map(() => 0));
    for (const name of names) {
      expect(readFileSync(join(root, `src/${name}.js`), "utf8")).toBe("  return a + b;\n");
    }
    expect(git(root, "status", "--porcelain").trim().split("\n")).toHaveLength(8);
    expect(worktreesOf(home, root)).toEqual([]);
  });
});

/** The machine's HOME has no git configuration. */
function nameAuthor(root: string): void {
  git(root, "config", "user.name", "Ada");
  git(root, "config", "user.email", "ada@example.org");
}

function packFor(path: string): string {
  return `# Context Pack\n\n## task\nMend ${path}\n\n## goal\nIt adds.\n\n## constraints\n- Touch only the listed files.\n\n## relevant_files\n- \`${path}\` — wrong sum\n\n## expected_output\nA change to ${path}.\n`;
}
