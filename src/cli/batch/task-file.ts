import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { durationMs } from "../../config/index.ts";
import { KitError, type Problem } from "../../contracts/index.ts";
import { isInside } from "../../lib/files.ts";
import { openGit } from "../../lib/git.ts";
import { isSecretFile } from "../../lib/redaction.ts";
import { type MakeProblem, readShape } from "../../lib/shape.ts";
import { decodeUtf8, sha256 } from "../../lib/text.ts";
import { readFault } from "../errors.ts";
import { readInput } from "../input.ts";
import type { Io } from "../io.ts";
import { batchShape, type TaskContent, taskShape } from "./shape.ts";

/** One task of a batch, whole. */
export interface BatchTask {
  /** Unique in the file. */
  readonly id: string;
  /** Absolute folder; test commands run here. */
  readonly repo: string;
  /** Absent: the pack says it. */
  readonly task?: string;
  /** What it may spend at most, where the file says so. */
  readonly budgetUsd?: number;
  /** Of `kit run`; without the budget in USD. */
  readonly flags: readonly string[];
  /** Of all that decides what the task asks for: another hash is another task. */
  readonly hash: string;
}

/** A task as it was written, with how to speak about it. */
interface Written {
  readonly content: TaskContent;
  readonly problem: (key: string | undefined, message: string) => Problem;
}

/**
 * Reads the tasks of a YAML, JSON or JSONL file and the files they name.
 * @throws KitError `usage` with every problem of the file, at its line and column
 */
export async function readTasks(path: string, io: Io): Promise<readonly BatchTask[]> {
  const file = resolve(io.cwd, path);
  const text = await readInput("The file", file, io);
  const isLines = [".jsonl", ".ndjson"].includes(extname(file).toLowerCase());
  const { written, problems } = isLines ? readLines(text, path) : readDocument(text, path);
  if (problems.length > 0) throw unusable(path, problems);
  if (written.length === 0) {
    throw new KitError("usage", `${path} holds no tasks.`, { next: "See docs/batch.md" });
  }
  const folder = dirname(file);
  const fallback = (await openGit(folder).catch(() => undefined))?.root ?? io.cwd;
  const tasks: BatchTask[] = [];
  const found: Problem[] = [];
  const ids = new Set(written.flatMap(({ content: { id } }) => id ?? []));
  const taken = new Set<string>();
  for (const each of written) {
    const { task, faults } = await complete(each, folder, fallback);
    found.push(...faults);
    const { id } = each.content;
    if (id !== undefined && taken.has(id)) found.push(each.problem("id", "is another task's too"));
    const unique = id ?? freeId(idOf(task.task ?? each.content.pack ?? ""), ids);
    ids.add(unique);
    taken.add(unique);
    tasks.push({ ...task, id: unique, hash: sha256(JSON.stringify([unique, task])) });
  }
  if (found.length > 0) throw unusable(path, found);
  return tasks;
}

function unusable(path: string, problems: readonly Problem[]): KitError {
  return new KitError("usage", `${path} is not a usable list of tasks.`, {
    problems,
    next: "Mend it; nothing was started",
  });
}

interface Read {
  readonly written: readonly Written[];
  readonly problems: readonly Problem[];
}

function readDocument(text: string, file: string): Read {
  const { value, problems, problem } = readShape(batchShape, text, file);
  const { tasks = [], defaults = {} } = value ?? {};
  return {
    written: tasks.map((content, index) => ({
      // A branch of its own says where its change lands; the default is for the others.
      content: {
        ...defaults,
        ...(content.branch !== undefined && { commit: false }),
        ...content,
      },
      problem: problemOf(problem, ["tasks", index]),
    })),
    problems: problems.map(asError),
  };
}

function readLines(text: string, file: string): Read {
  const written: Written[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    // By its name it is read as JSON, and nothing but that.
    const read = readShape(taskShape, line, "line.json");
    const placed = (problem: Problem): Problem => ({
      ...problem,
      place: { ...problem.place, file, line: index + 1 },
    });
    problems.push(...read.problems.map(asError).map(placed));
    const problem = problemOf(read.problem, []);
    written.push({
      content: read.value ?? {},
      problem: (key, message) => placed(problem(key, message)),
    });
  }
  return { written, problems };
}

function problemOf(make: MakeProblem, path: readonly (string | number)[]): Written["problem"] {
  return (key, message) => make("error", key === undefined ? path : [...path, key], message);
}

/** A key that is not known may be a budget that was misspelt: nothing starts. */
function asError(problem: Problem): Problem {
  return { ...problem, severity: "error" };
}

async function complete(
  { content, problem }: Written,
  folder: string,
  fallback: string,
): Promise<{
  readonly task: Omit<BatchTask, "id" | "hash"> & { readonly packHash?: string };
  readonly faults: readonly Problem[];
}> {
  const faults: Problem[] = [];
  const read = async (key: "task_file" | "pack"): Promise<string | undefined> => {
    const name = content[key];
    if (name === undefined) return undefined;
    try {
      const place = await realpath(resolve(folder, name));
      const refused = await refusalOf(place, [name, place], [folder, fallback]);
      if (refused !== undefined) {
        faults.push(problem(key, refused));
        return undefined;
      }
      const text = decodeUtf8(await readFile(place));
      if (text === undefined) faults.push(problem(key, "is not UTF-8 text"));
      return text;
    } catch (error) {
      faults.push(problem(key, `cannot be read: ${readFault(error)}`));
      return undefined;
    }
  };
  const [fromFile, pack] = [await read("task_file"), await read("pack")];
  const task = (content.task ?? fromFile)?.trim();
  if (content.task !== undefined && content.task_file !== undefined) {
    faults.push(problem("task_file", "stands beside task; one of them is the task"));
  }
  if (task === undefined && content.task_file === undefined && content.pack === undefined) {
    faults.push(problem(undefined, "has no task: give task, task_file or pack"));
  }
  if (task === "") faults.push(problem("task_file", "is empty"));
  // As `kit run` says: it would be paid for, and is an option that lost its place.
  if (task !== undefined && /^--?[a-z][\w-]*$/.test(task)) {
    faults.push(problem(content.task === undefined ? "task_file" : "task", "is an option"));
  }
  if (content.branch !== undefined && content.commit === true) {
    faults.push(problem("branch", "stands beside commit; a change lands in one place"));
  }
  const repo = content.repo === undefined ? fallback : resolve(folder, content.repo);
  const isFolder = await stat(repo).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) faults.push(problem("repo", "is no folder"));
  const { budget_usd: budgetUsd } = content;
  return {
    task: {
      repo,
      ...(task !== undefined && { task }),
      ...(budgetUsd !== undefined && { budgetUsd }),
      ...(pack !== undefined && { packHash: sha256(pack) }),
      flags: flagsOf(content, folder),
    },
    faults,
  };
}

/** Who wrote the list may be another than who runs it: what it names goes to a model. */
async function refusalOf(
  place: string,
  names: readonly string[],
  roots: readonly string[],
): Promise<string | undefined> {
  if (names.some(isSecretFile)) return "is a secret file; write the task into a file of its own";
  const resolved = await Promise.all(roots.map((root) => realpath(root)));
  return resolved.some((root) => isInside(root, place))
    ? undefined
    : "lies outside of the list's folder and its repository; copy it there";
}

/** A value is never a word of its own, so that none can be taken for an option. */
function flagsOf(content: TaskContent, folder: string): string[] {
  const { pack, branch, commit, review, may_edit_tests: mayEditTests, timeout } = content;
  const tests = typeof content.test === "string" ? [content.test] : (content.test ?? []);
  const valued: readonly (readonly [flag: string, value: string | number | undefined])[] = [
    ["pack", pack === undefined ? undefined : resolve(folder, pack)],
    ["budget-tokens", content.budget_tokens],
    ["max-calls", content.max_calls],
    ["max-attempts", content.max_attempts],
    ["timeout", timeout === undefined ? undefined : `${durationMs(timeout) ?? 0}ms`],
    ["capability", content.capability],
    ["branch", branch],
  ];
  return [
    ...(branch === undefined && commit !== true ? ["--isolate"] : []),
    ...(commit === true ? ["--commit"] : []),
    ...(review === undefined ? [] : [review ? "--review" : "--no-review"]),
    ...(mayEditTests === true ? ["--may-edit-tests"] : []),
    ...tests.map((command) => `--test=${command}`),
    ...valued.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
  ];
}

/** The first words of a task, as a name: `saving-an-empty-project-crashes`. */
function idOf(task: string): string {
  const words = task.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const kept: string[] = [];
  for (const word of words.slice(0, 6)) {
    if (kept.join("-").length + word.length > 32) break;
    kept.push(word);
  }
  return kept.join("-") || "task";
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
  }
}
