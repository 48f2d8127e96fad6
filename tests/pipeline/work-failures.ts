import { memoryTree, parseReply, planChanges, type ReplyScope } from "../../src/changes/index.ts";
import { checkPackReply, selfCheckPack } from "../../src/context-pack/index.ts";
import { type FailureKind, type RepoPath, repoPath } from "../../src/contracts/index.ts";
import { compare, failureOf, isTestFile, mayCreateTestFile } from "../../src/gate/index.ts";
import { sha256 } from "../../src/lib/text.ts";
import { objectionTo } from "../../src/pipeline/objections.ts";
import { gate, result } from "../gate/support.ts";

/** What a part of kit makes of something: a failure's kind, or `fine`. */
export type Came = FailureKind | "fine";

const files: Readonly<Record<string, string>> = {
  "src/math.js":
    "export const add = (a, b) => a - b;\nexport const two = 2;\nexport const one = 1;\n",
  "src/twice.js": "let a = 1;\nlet a = 1;\n",
  "src/other.js": "export const other = 1;\n",
  "test/math.test.js": "test('add', () => {\n  expect(add(2, 3)).toBe(5);\n});\n",
  "package.json": '{"scripts":{"test":"node --test"}}\n',
  ".env": "TOKEN=x\n",
};

/** The pack lists two files and a new one; the tests and the manifest are read-only. */
const listed = new Map<RepoPath, "existing" | "new">([
  [repoPath("src/math.js"), "existing"],
  [repoPath("src/twice.js"), "existing"],
  [repoPath("test/math.test.js"), "existing"],
  [repoPath("src/new.js"), "new"],
]);

const scope: ReplyScope = {
  paths: listed,
  root: "/repo",
  tag: "k3f9",
  isTracked: (path) => path in files && path !== ".env",
  mayCreate: (path) => mayCreateTestFile(path) && !(path in files),
};

/** What a coder's reply comes to, before any test runs: parser, plan and objections as in a run. */
export async function coderReply(reply: string): Promise<Came> {
  const parsed = parseReply(reply, scope);
  if (!parsed.ok) return parsed.failure.kind;
  const planned = await planChanges(parsed.changeSet, memoryTree(files), {
    newPaths: new Set([repoPath("src/new.js")]),
    named: new Set(),
    seen: new Map(Object.entries(files).map(([path, text]) => [repoPath(path), sha256(text)])),
    readOnly: (path) => (isTestFile(path) && path in files ? "tests are read-only" : undefined),
  });
  if (!planned.ok) return planned.failure.kind;
  const objection = await objectionTo(planned, {
    tried: new Map([[await triedBefore(), 1]]),
    editOnly: new Set(),
    judge: new Set(),
    files: new Set(Object.keys(files)),
    mayEditTests: false,
  });
  return objection?.kind ?? "fine";
}

/** A change that an earlier attempt made. */
export const earlierReply = block("src/math.js", "export const add = (a, b) => b - a;\n");

let earlierHash: string | undefined;
async function triedBefore(): Promise<string> {
  if (earlierHash !== undefined) return earlierHash;
  const parsed = parseReply(earlierReply, scope);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const planned = await planChanges(parsed.changeSet, memoryTree(files), {
    newPaths: new Set(),
    named: new Set(),
    readOnly: () => undefined,
  });
  if (!planned.ok) throw new Error(planned.failure.message);
  return (earlierHash = planned.plan.hash);
}

/** What a scout's reply comes to. */
export function scoutReply(reply: string): Came {
  const task = "Fix add()";
  const paths = Object.keys(files).map((path) => repoPath(path));
  const read = checkPackReply(reply, { root: "/repo", files: paths, task, knownCommands: [] });
  if (!read.ok) return "pack_invalid";
  return selfCheckPack(read.pack, { task, files: paths }).errors.length > 0
    ? "pack_invalid"
    : "fine";
}

/** How the test command ended on the untouched tree and on the change. */
export interface Tested {
  readonly before: Parameters<typeof result>[0];
  readonly after: Parameters<typeof result>[0];
  readonly createsTests?: boolean;
}

/** What the gate makes of two results. */
export function tested({ before, after, createsTests = false }: Tested): Came {
  const verdict = compare(gate(result(before)), gate(result(after)), {
    createsTests,
    root: "/repo",
  });
  return failureOf(verdict)?.kind ?? "fine";
}

/** A whole-file block. */
export function block(path: string, content: string): string {
  return `=== FILE: ${path} === k3f9\n${content}=== END === k3f9\n`;
}

/** An edit of one place. */
export function edit(path: string, search: string, replace: string): string {
  return `=== EDIT: ${path} === k3f9\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n=== END === k3f9\n`;
}
