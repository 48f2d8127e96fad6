import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentSchemas } from "../../src/cli/schemas/index.ts";
import { git } from "../support/repository.ts";
import { survivorsAfter } from "./processes.ts";
import {
  asked,
  coderRule,
  crlfRepository,
  editBlock,
  eventsIn,
  fixedMath,
  grepTest,
  type KitResult,
  machine,
  type Machine,
  packText,
  replyRule,
  scenario,
  scoutRule,
  task,
  treeOf,
} from "./support.ts";

interface Batch {
  readonly exitCode: number;
  readonly tasks: readonly {
    readonly id: string;
    readonly runId: string | null;
    readonly outcome: string;
    readonly exitCode: number | null;
    readonly earlier: boolean;
    readonly costUsd?: number;
  }[];
  readonly totals: Record<string, number>;
}

/** The document of `kit batch --json`, held against its schema. */
function documentOf({ stdout, stderr }: KitResult): Batch {
  const document: unknown = JSON.parse(stdout || JSON.stringify({ stderr }));
  expect(documentSchemas.batch.safeParse(document).error).toBeUndefined();
  return document as Batch;
}

const wait = { timeout: 60_000 };

/** What is left of isolated runs on a machine. */
function worktreesOf({ home, root }: Machine): string[] {
  const folder = join(home, ".local/state/kit/worktrees");
  const left = existsSync(folder) ? readdirSync(folder) : [];
  const known = git(root, "worktree", "list", "--porcelain").match(/^worktree /gm) ?? [];
  return [...left, ...known.slice(1)];
}

/** Writes a list of tasks in the machine's home, beside the packs it names. */
function tasksFile({ home, root }: Machine, tasks: readonly object[]): string {
  const file = join(home, "tasks.json");
  writeFileSync(file, JSON.stringify({ version: 1, defaults: { repo: root }, tasks }));
  return file;
}

const names = Array.from({ length: 8 }, (_, index) => `f${index}`);

/** Eight files with the same fault, and a model that mends the one it is shown. */
const eight = {
  files: {
    ...crlfRepository,
    ...Object.fromEntries(names.map((name) => [`src/${name}.js`, "  return a - b;\n"] as const)),
  },
  scenario: scenario(
    names.map((name) => {
      const path = `src/${name}.js`;
      return replyRule(
        `{ contains: ${path} }`,
        editBlock(path, "  return a - b;", "  return a + b;"),
      )
        .replace("when: { model: ", "when: ")
        .replace(" } }", " }");
    }),
  ),
};

function taskOf(home: string, name: string): object {
  const pack = join(home, `${name}.md`);
  writeFileSync(pack, packText([`src/${name}.js`]));
  return { id: name, pack: `${name}.md`, test: `grep -q 'a + b' src/${name}.js` };
}

describe("kit batch", () => {
  test("runs eight tasks in one repository at once, each landing its own file", async () => {
    const here = await machine(eight);
    const { root, home, kit } = here;
    const file = tasksFile(
      here,
      names.map((name) => taskOf(home, name)),
    );
    const result = await kit(["batch", file, "--jobs", "8", "--json"]);
    const { tasks, totals } = documentOf(result);
    expect(tasks.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect({ code: result.code, totals }).toMatchObject({
      code: 0,
      totals: { tasks: 8, green: 8 },
    });
    expect(new Set(tasks.map(({ runId }) => runId)).size).toBe(8);
    for (const name of names) {
      expect(readFileSync(join(root, `src/${name}.js`), "utf8")).toBe("  return a + b;\n");
    }
    expect(git(root, "status", "--porcelain").trim().split("\n")).toHaveLength(8);
    expect(worktreesOf(here)).toEqual([]);
    const lines = result.stderr.trim().split("\n");
    expect(lines.filter((line) => line.endsWith(": started"))).toHaveLength(8);
  });

  test("goes on where it stopped: what is over is not paid again", async () => {
    const here = await machine({
      scenario: scenario([scoutRule, coderRule("p1/first", "a + b")]),
    });
    const { root, kit, server, home } = here;
    const file = tasksFile(here, [
      { id: "mend", task, test: grepTest },
      { id: "lost", task, test: grepTest, capability: "no-such-capability" },
    ]);
    const first = documentOf(await kit(["batch", file, "--json"]));
    expect(first).toMatchObject({
      exitCode: 1,
      tasks: [{ outcome: "success" }, { outcome: "usage", exitCode: 2, runId: null }],
    });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
    const calls = asked(server);
    const second = documentOf(await kit(["batch", file, "--json"]));
    expect(second.tasks).toMatchObject([
      { earlier: true, runId: first.tasks[0]?.runId },
      { earlier: false, outcome: "usage" },
    ]);
    expect(asked(server)).toEqual(calls);
    git(root, "checkout", "-q", "--", "src/math.js");
    const third = documentOf(await kit(["batch", file, "--fresh", "--json"]));
    expect(third.tasks[0]).toMatchObject({ earlier: false, outcome: "success" });
    expect(readdirSync(home)).toContain("tasks.json.results.jsonl");
  });

  test("starts nothing that its budget would not suffice for, and goes on with a larger one", async () => {
    const here = await machine({
      scenario: scenario([coderRule("p1/first", "a * b")]),
      bindings: {
        cheap: "p0/scout",
        first: { model: "p1/first", price: { input: 1, output: 2 } },
      },
    });
    const pack = join(here.home, "pack.md");
    const file = tasksFile(
      here,
      ["one", "two", "three"].map((id) => ({ id, pack, test: grepTest })),
    );
    const first = await here.kit(["batch", file, "--jobs=1", "--budget-usd=0.0182", "--json"]);
    const { tasks, totals, exitCode } = documentOf(first);
    // The first is whole; what is left for the second suffices for no call.
    expect([exitCode, ...tasks.map(({ outcome }) => outcome)]).toEqual([
      1,
      "exhausted",
      "stopped",
      "not_started",
    ]);
    expect(totals["spentUsd"]).toBeLessThanOrEqual(0.0182);
    expect(first.stderr).toContain("not started: the budget of $0.0182 is used up");
    const second = documentOf(await here.kit(["batch", file, "--budget-usd=1", "--json"]));
    expect(second.tasks.map(({ outcome }) => outcome)).toEqual(tasks.map(() => "exhausted"));
    expect(second.tasks[0]?.earlier).toBe(true);
  });

  test("ends with 3 where nobody can be asked for any task", async () => {
    const here = await machine({ scenario: scenario([]), bindings: { cheap: "p0/scout" } });
    const file = tasksFile(here, [{ task, test: grepTest, capability: "deep-review" }]);
    const result = await here.kit(["batch", file]);
    expect(result).toMatchObject({ code: 3, stdout: expect.stringContaining("0 of 1 green") });
  });

  test("interrupted, ends its runs, leaves the tree as it was, and says what is", async () => {
    const here = await machine(eight);
    const { root, home, start } = here;
    const before = treeOf(root);
    const file = tasksFile(
      here,
      names.map((name) => ({ ...taskOf(home, name), test: "sleep 300" })),
    );
    const running = start(["batch", file, "--jobs", "1", "--json"]);
    await expect
      .poll(() => eventsIn(root).some(({ type }) => type === "process_started"), wait)
      .toBe(true);
    running.process.kill("SIGINT");
    const result = await running.ended;
    const { tasks } = documentOf(result);
    expect(result.code).toBe(130);
    expect(tasks.map(({ outcome }) => outcome)).toEqual([
      "interrupted",
      ...names.slice(1).map(() => "not_started"),
    ]);
    expect(await survivorsAfter(home, 5_000)).toEqual([]);
    expect(treeOf(root)).toEqual(before);
    expect(worktreesOf(here)).toEqual([]);
  });

  test("killed, goes on with the run that was under way, and pays for no call twice", async () => {
    const here = await machine({
      scenario: scenario([scoutRule, coderRule("p1/first", "a + b")]),
    });
    const { root, home, kit, server, start } = here;
    const mark = join(home, "go");
    const slow = `test -e ${mark} || sleep 300; ${grepTest}`;
    const file = tasksFile(here, [{ id: "mend", task, test: slow }]);
    const settings = ["batch", file, "--json"];
    const killed = start(settings);
    await expect
      .poll(() => eventsIn(root).some(({ type }) => type === "process_started"), wait)
      .toBe(true);
    killed.process.kill("SIGKILL");
    await killed.ended;
    expect(await survivorsAfter(home, 5_000)).toEqual([]);
    writeFileSync(mark, "");
    const second = await kit(settings);
    const { tasks } = documentOf(second);
    expect(tasks).toMatchObject([{ outcome: "success", runId: eventsRun(root) }]);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
    expect(asked(server)).toEqual(["p0/scout", "p1/first"]);
    expect(worktreesOf(here)).toEqual([]);
  });
});

/** The id of the only run in a tree. */
function eventsRun(root: string): string | undefined {
  const [first] = eventsIn(root);
  return first?.type === "run_started" ? first.runId : undefined;
}
