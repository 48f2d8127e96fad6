import type { diskTree } from "../changes/index.ts";
import type {
  ChangePlan,
  Failure,
  FileOperation,
  GateResult,
  RepoPath,
} from "../contracts/index.ts";
import { findSilencing, isTestFile } from "../gate/index.ts";
import { sha256 } from "../lib/text.ts";

type Tree = Pick<ReturnType<typeof diskTree>, "read">;

/** Every path that a plan writes, moves or deletes. */
export function pathsOf(plan: ChangePlan): ReadonlySet<string> {
  return new Set(
    plan.operations.flatMap((operation) =>
      operation.kind === "rename" ? [operation.path, operation.to] : [operation.path],
    ),
  );
}

/** Test files that the plan edits, moves or deletes. */
export function editedTests({ operations }: ChangePlan): ReadonlySet<string> {
  const edited = operations.filter(({ kind, path }) => kind !== "create" && isTestFile(path));
  return new Set(edited.map(({ path }) => path));
}

/** The plan without what it does to sources; undefined where there is nothing else. */
export function testPart({ operations, hash }: ChangePlan): ChangePlan | undefined {
  const tests = operations.filter(isTestOperation);
  return tests.length === 0 ? undefined : { operations: tests, hash: sha256(`${hash} tests`) };
}

/** Paths of a plan that no longer hold what it put there: a verdict would be of another change. */
export async function notAsWritten(tree: Tree, plan: ChangePlan): Promise<string[]> {
  const others: string[] = [];
  for (const operation of plan.operations) {
    const path = targetOf(operation);
    const entry = await tree.read(path);
    const after = operation.kind === "delete" ? undefined : Buffer.from(operation.after);
    const isOurs =
      entry.kind === "file" ? after?.equals(entry.bytes) === true : after === undefined;
    if (!isOurs) others.push(path);
  }
  return others;
}

/** What stands at a path; undefined where it is no file. */
export async function bytesAt(tree: Tree, path: RepoPath): Promise<Uint8Array | undefined> {
  const entry = await tree.read(path);
  return entry.kind === "file" ? entry.bytes : undefined;
}

/** Why a plan is not worth judging: it keeps the tests that were red from speaking. */
export async function silencingBy(
  tree: Tree,
  plan: ChangePlan,
  baseline: GateResult,
): Promise<Failure | undefined> {
  const found = await findSilencing(plan, (path) => bytesAt(tree, path), baseline);
  if (found.length === 0) return undefined;
  const message = found.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
  return { kind: "tests_weakened", message, paths: found.map(({ path }) => path) };
}

function isTestOperation(operation: FileOperation): boolean {
  return isTestFile(targetOf(operation)) || isTestFile(operation.path);
}

function targetOf(operation: FileOperation): RepoPath {
  return operation.kind === "rename" ? operation.to : operation.path;
}
