import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { git, repository, snapshot, temporaryFolder, writeFiles } from "../support/repository.ts";
import {
  coderRule,
  crlfRepository,
  endsOf,
  fixedMath,
  grepTest,
  machine,
  packText,
  reached,
  scenario,
  scoutWith,
  task,
  treeOf,
} from "./support.ts";

/** A tree that a user may have, and where in it they start kit. */
interface Place {
  readonly root: string;
  readonly cwd?: string;
  /** Relative to the root; default `src/math.js`. */
  readonly math?: string;
  readonly env?: Record<string, string>;
  /** The text that kit may change `math` to; default that of `crlfRepository`. */
  readonly fixed?: string;
  /** Other folders that are to be the same afterwards. */
  readonly untouched?: readonly string[];
}

const byteOrderMark = "\uFEFF";

const places: Readonly<Record<string, () => Place>> = {
  "with staged, unstaged and untracked work": () => {
    const root = repository({ ...crlfRepository, "docs/a.md": "a\n", ".gitignore": "out2/\n" });
    writeFiles(root, {
      "staged.txt": "staged\n",
      "src/wip.js": "export const half = 1; // unfinished\n",
      "out/results.jsonl": "data\n",
      "out2/keep": "ignored by an uncommitted rule\n",
    });
    git(root, "add", "staged.txt");
    appendFileSync(join(root, "docs/a.md"), "user line\n");
    appendFileSync(join(root, "test/math.test.js"), "\n// user edit\n");
    writeFileSync(join(root, ".gitignore"), "out2/\nout3/\n");
    return { root };
  },
  "with uncommitted work in the very file": () => {
    const root = repository(crlfRepository);
    const math = join(root, "src/math.js");
    appendFileSync(math, "// staged\r\n");
    git(root, "add", "src/math.js");
    appendFileSync(math, "// not staged");
    return { root, fixed: `${fixedMath}// staged\r\n// not staged` };
  },
  "with a stash, on a detached HEAD": () => {
    const root = repository({ ...crlfRepository, "p.txt": "p\n" });
    git(root, "commit", "-q", "--allow-empty", "-m", "second");
    appendFileSync(join(root, "p.txt"), "stashed\n");
    git(root, "stash", "-q");
    git(root, "checkout", "-q", "--detach", "HEAD~1");
    return { root };
  },
  "without commits": () => {
    const root = temporaryFolder();
    git(root, "init", "-q", "-b", "main");
    writeFiles(root, crlfRepository);
    return { root };
  },
  "without git": () => {
    const root = temporaryFolder();
    writeFiles(root, crlfRepository);
    return { root };
  },
  "with an index.lock that somebody left": () => {
    const root = repository(crlfRepository);
    writeFileSync(join(root, ".git/index.lock"), "");
    return { root };
  },
  "that is a linked worktree": () => {
    const main = repository(crlfRepository);
    const root = join(temporaryFolder(), "linked");
    git(main, "worktree", "add", "-q", "-b", "topic", root);
    return { root, untouched: [join(main, "src")] };
  },
  "with a submodule": () => {
    const library = repository({ "lib.js": "export const lib = 1;\n" });
    const root = repository(crlfRepository);
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "vendor");
    git(root, "commit", "-q", "-m", "vendor");
    appendFileSync(join(root, "vendor/lib.js"), "// user edit in the submodule\n");
    return { root };
  },
  "that is a submodule": () => {
    const library = repository(crlfRepository);
    const outer = repository({ "docs/a.txt": "a\n" });
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "vendor");
    return { root: join(outer, "vendor"), untouched: [join(outer, "docs")] };
  },
  "whose path has blanks, quotes and other scripts": () => {
    const root = join(temporaryFolder(), "it's a “déjà vu” 日本");
    mkdirSync(root);
    git(root, "init", "-q", "-b", "main");
    writeFiles(root, crlfRepository);
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "start");
    return { root };
  },
  "whose file has a byte-order mark and no line break at its end": () => {
    const text = `${byteOrderMark}${crlfRepository["src/math.js"].trimEnd()}`;
    const root = repository({ ...crlfRepository, "src/math.js": text });
    return { root, fixed: text.replace("a - b", "a + b") };
  },
  "with git's variables pointing to another repository": () => {
    const root = repository(crlfRepository);
    const victim = repository({ "v.txt": "v\n" });
    return {
      root,
      untouched: [victim],
      env: {
        GIT_DIR: join(victim, ".git"),
        GIT_WORK_TREE: victim,
        GIT_INDEX_FILE: join(victim, ".git/index"),
        GIT_COMMON_DIR: join(victim, ".git"),
        GIT_OBJECT_DIRECTORY: join(victim, ".git/objects"),
        GIT_CEILING_DIRECTORIES: "/",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.bare",
        GIT_CONFIG_VALUE_0: "true",
      },
    };
  },
};

/** A test that works in a repository of its own, wherever git's variables point. */
const makesRepository = 'd=$(mktemp -d) && git init -q "$d" && test -d "$d/.git" && rm -r "$d"';

/** Git's own view of a tree, without asking git to write anything. */
function gitStateOf(root: string): unknown {
  if (!existsSync(join(root, ".git"))) return undefined;
  const folder = git(root, "rev-parse", "--absolute-git-dir").trim();
  const index = join(folder, "index");
  return {
    index: existsSync(index) ? readFileSync(index, "base64") : undefined,
    head: readFileSync(join(folder, "HEAD"), "utf8"),
    config: git(root, "config", "--list", "--local"),
    refs: git(root, "for-each-ref"),
    stash: git(root, "stash", "list"),
    worktrees: git(root, "worktree", "list", "--porcelain"),
    lock: existsSync(join(folder, "index.lock")),
  };
}

describe("a repository", () => {
  test.for(Object.entries(places))(
    "%s: nothing but the change is written, the wrong one before it and undo leave no trace",
    async ([, make]) => {
      const place = make();
      const { root } = place;
      const { run, kit, quick } = await machine({
        root,
        scenario: scenario([coderRule("p1/first", "a * b"), coderRule("p2/second", "a + b")]),
      });
      const look = (): unknown[] => [
        gitStateOf(root),
        (place.untouched ?? []).map((folder) => snapshot(folder, [])),
      ];
      const more = place.env === undefined ? {} : { env: place.env };
      const before = look();
      const tree = treeOf(root);
      const { code, receipt } = await run([...quick, "--test", makesRepository], more);
      expect({ code, ends: endsOf(receipt) }).toEqual({ code: 0, ends: ["tests_failed", "ok"] });
      const fixed = Buffer.from(place.fixed ?? fixedMath).toString("base64");
      expect(treeOf(root)).toEqual(new Map(tree).set("src/math.js", `file 644 ${fixed}`));
      expect(look()).toEqual(before);
      expect((await kit(["undo"], more)).code).toBe(0);
      expect(treeOf(root)).toEqual(tree);
    },
  );
});

describe("a package of a monorepo that kit is started in", () => {
  test("is where its tests run, while paths are the repository's", async () => {
    const inPackage = Object.entries(crlfRepository).map(([path, text]) => [
      `packages/a/${path}`,
      text,
    ]);
    const files = {
      "package.json": '{"private":true,"scripts":{"test":"echo ROOT TEST && exit 1"}}\n',
      ...Object.fromEntries(inPackage),
    };
    const root = repository(files);
    const math = "packages/a/src/math.js";
    const { kit } = await machine({
      root,
      scenario: scenario([scoutWith(packText([math])), coderRule("p1/first", "a + b", "", math)]),
    });
    const { code, stdout, stderr } = await kit(["run", task, "--json"], {
      cwd: join(root, "packages/a"),
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout + stderr).not.toContain("ROOT TEST");
    expect(JSON.parse(stdout)).toMatchObject({
      changedFiles: [math],
      testCommands: [
        { command: "npm test", source: expect.stringContaining("packages/a") as string },
      ],
    });
    expect(readFileSync(join(root, math), "utf8")).toBe(fixedMath);
    expect(existsSync(join(root, "src"))).toBe(false);
  });
});

describe("a user who edits the file", () => {
  const edited = `${crlfRepository["src/math.js"]}// mine\r\n`;

  test("while the model thinks keeps the edit, and the run ends as a conflict", async () => {
    const { root, server, start, quick } = await machine({
      scenario: scenario([coderRule("p1/first", "a + b", "delayMs: 500")]),
    });
    const running = start(["run", task, "--json", ...quick]);
    while (server.requests.length === 0) await setTimeout(5);
    writeFileSync(join(root, "src/math.js"), edited);
    const { code, stdout } = await running.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "conflict",
      changedFiles: [],
      error: { message: expect.stringContaining("src/math.js") as string },
    });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(edited);
    expect(git(root, "status", "--porcelain", "--", "src")).toBe(" M src/math.js\n");
  });

  test.for([
    [
      "red keeps the edit: a conflict that says where both are",
      { text: edited, ends: { code: 1, outcome: "conflict" } },
    ],
    [
      "green keeps the edit too: it is not the change that kit could vouch for",
      { text: `${fixedMath}// mine\r\n`, ends: { code: 1, outcome: "conflict" } },
    ],
  ] as const)("while tests run %s", async ([, { text, ends }]) => {
    const { root, start, quick } = await machine({
      scenario: scenario([coderRule("p1/first", "a + b")]),
      bindings: { first: "p1/first" },
    });
    const slowTest = `${grepTest} && { sleep 0.7; ${grepTest}; }`;
    const running = start(["run", task, "--json", ...quick.slice(0, 2), "--test", slowTest]);
    await reached(root, running, { type: "applied", nth: 1 });
    await setTimeout(200);
    writeFileSync(join(root, "src/math.js"), text);
    const { code, stdout } = await running.ended;
    const receipt = JSON.parse(stdout);
    expect({ code, outcome: receipt.outcome }).toEqual(ends);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(text);
    if (code === 1) {
      expect(receipt.error.message).toContain("src/math.js");
      expect(receipt.error.next).toContain("kept");
    }
  });
});

describe("a second run in the same tree", () => {
  test("ends at once with 1, names the first, and leaves it alone", async () => {
    const { root, server, start, kit, quick } = await machine({
      scenario: scenario([coderRule("p1/first", "a + b", "delayMs: 1500")]),
    });
    const first = start(["run", task, "--json", ...quick]);
    while (server.requests.length === 0) await setTimeout(5);
    const second = await kit(["run", "another task", ...quick]);
    const { code, stdout } = await first.ended;
    const { runId } = JSON.parse(stdout);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`${runId}, process ${first.process.pid}`);
    expect(second.stderr).toContain("next: ");
    expect(code).toBe(0);
    expect(server.requests).toHaveLength(1);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  });
});
