import { join } from "node:path";
import { expect, test } from "vitest";
import { readTasks } from "../../../src/cli/batch/task-file.ts";
import type { Io } from "../../../src/cli/io.ts";
import { KitError } from "../../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";

function tasksOf(text: string, name = "tasks.yaml", files: Record<string, string> = {}) {
  const folder = temporaryFolder();
  writeFiles(folder, { [name]: text, ...files });
  return { folder, read: readTasks(name, { cwd: folder } as Io) };
}

/** What is said of a file that is refused: `line:column: key: message`. */
async function faultsOf(text: string, name = "tasks.yaml", files = {}): Promise<string[]> {
  const error: unknown = await tasksOf(text, name, files).read.catch((error: unknown) => error);
  if (!(error instanceof KitError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  return error.problems.map(({ place, key, message }) => {
    return `${place.line}:${place.column}: ${key ?? ""}: ${message}`;
  });
}

test("a task says what a run says with flags, and defaults say it for all", async () => {
  const { folder, read } = tasksOf(
    [
      "version: 1",
      "defaults: { test: npm test, max_calls: 5, commit: true }",
      "tasks:",
      "  - task: Saving an empty project crashes",
      "  - id: two",
      "    task_file: issue.md",
      "    repo: other",
      "    test: [npm run lint, npm test]",
      "    budget_usd: 0.5",
      "    timeout: 90",
      "    review: false",
      "    branch: fix/two",
    ].join("\n"),
    "tasks.yaml",
    { "issue.md": "# Parsing\n\nis slow\n", "other/keep": "" },
  );
  expect(await read).toMatchObject([
    {
      id: "saving-an-empty-project-crashes",
      repo: folder,
      task: "Saving an empty project crashes",
      flags: ["--commit", "--test=npm test", "--max-calls=5"],
    },
    {
      id: "two",
      repo: join(folder, "other"),
      task: "# Parsing\n\nis slow",
      budgetUsd: 0.5,
      flags: [
        "--no-review",
        "--test=npm run lint",
        "--test=npm test",
        "--max-calls=5",
        "--timeout=90000ms",
        "--branch=fix/two",
      ],
    },
  ]);
});

test("a line of JSON Lines is a task, and names of tasks without one stay apart", async () => {
  const { read } = tasksOf('{"task":"Fix it"}\n\n{"task":"Fix it"}\n', "tasks.jsonl");
  expect((await read).map(({ id, flags }) => [id, ...flags])).toEqual([
    ["fix-it", "--isolate"],
    ["fix-it-2", "--isolate"],
  ]);
});

test("what a task asks for decides its hash: also the text of the files it names", async () => {
  const cwd = temporaryFolder();
  const hashOf = async (task: string, pack: string): Promise<string | undefined> => {
    const line = JSON.stringify({ id: "a", task, pack: "pack.md" });
    writeFiles(cwd, { "tasks.jsonl": line, "pack.md": pack });
    return (await readTasks("tasks.jsonl", { cwd } as Io))[0]?.hash;
  };
  const first = await hashOf("one", "p");
  expect(await hashOf("one", "p")).toBe(first);
  const hashes = [first, await hashOf("two", "p"), await hashOf("one", "q")];
  expect(new Set(hashes).size).toBe(3);
});

test("everything wrong is told with its place, and nothing starts", async () => {
  const yaml = [
    "version: 1",
    "tasks:",
    "  - { id: a, task: --json }",
    "  - { id: a, tsk: no }",
    "  - { id: b, task: yes it is, branch: x, commit: true, repo: nowhere }",
    "  - { id: c, task_file: missing.md, budget_usd: -1 }",
  ].join("\n");
  expect(await faultsOf(yaml)).toEqual([
    '4:14: tasks.1.tsk: unknown key; did you mean "task"?',
    "6:37: tasks.3.budget_usd: must be an amount above 0",
  ]);
  const rest = yaml.replace("tsk: no", "pack: p.md").replace(", budget_usd: -1", "");
  expect(await faultsOf(rest, "tasks.yaml", { "p.md": "" })).toEqual([
    "3:14: tasks.0.task: is an option",
    "4:7: tasks.1.id: is another task's too",
    "5:31: tasks.2.branch: stands beside commit; a change lands in one place",
    "5:56: tasks.2.repo: is no folder",
    "6:14: tasks.3.task_file: cannot be read: there is no such file",
  ]);
});

test("JSON Lines are told by their line, and are JSON", async () => {
  const lines = '{"task":"Fix it"}\n{"id":"!","task":"x y"}\n{task: yaml}\n{"id":"d"}\n';
  expect(await faultsOf(lines, "tasks.jsonl")).toEqual([
    "2:2: id: must be letters, digits, dots, dashes and underscores, 64 at most",
    "3:2: : this is not JSON: comments and trailing commas are not allowed",
  ]);
  expect(await faultsOf('{"id":"d"}\n', "tasks.jsonl")).toEqual([
    "1:1: : has no task: give task, task_file or pack",
  ]);
});

test("kit batch refuses a file that is none, and one without tasks", async () => {
  const cwd = temporaryFolder();
  writeFiles(cwd, { "empty.yaml": "version: 1\ntasks: []\n", "bad.yaml": "tasks: 3\n" });
  expect(await runKit(["batch", "none.yaml"], { cwd })).toMatchObject({ exitCode: 2 });
  expect(await runKit(["batch", "empty.yaml"], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("empty.yaml holds no tasks"),
  });
  expect(await runKit(["batch", "bad.yaml"], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("bad.yaml:1:1: tasks: must be a list of tasks"),
  });
});

test("a secret file, and one outside of the folder and its repository, is no task", async () => {
  const outside = temporaryFolder();
  writeFiles(outside, { "issue.md": "Fix it" });
  const text = ["task_file: .env", "task_file: .ssh/id_rsa", `pack: ${outside}/issue.md`];

  const faults = await faultsOf(
    `version: 1\ntasks:\n${text.map((line) => `  - ${line}\n`).join("")}`,
    "tasks.yaml",
    { ".env": "WORD=zebra", ".ssh/id_rsa": "zebra" },
  );

  const secret = "is a secret file; write the task into a file of its own";
  expect(faults.map((fault) => fault.replace(/^(\d+):\d+: \S+ /, "$1 "))).toEqual([
    `3 ${secret}`,
    `4 ${secret}`,
    "5 lies outside of the list's folder and its repository; copy it there",
  ]);
});

test.each(["--task-file", "--pack"])("kit run %s refuses a secret file", async (option) => {
  const cwd = temporaryFolder();
  writeFiles(cwd, { ".env": "WORD=zebra\n" });

  const ended = await runKit(["run", option, ".env"], { cwd });

  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain(`${option} .env is a secret file`);
});
