import type { ChangePlan, FileOperation } from "../../contracts/index.ts";
import { manifestRules } from "../commands/manifest-rules.ts";
import { shadowedModule } from "./shadowing.ts";
import { silencingOf } from "./silencing.ts";
import { isRunnerConfiguration, isTestFile } from "./test-files.ts";

/** An operation that would touch the judge, and why that is not allowed. */
export interface Weakening {
  readonly path: string;
  /** One phrase about the path: `edits a test file`. */
  readonly reason: string;
}

/** What a plan is held against, beside its files. */
export interface JudgeFacts {
  /** What `judgeFiles` found: as read-only as tests. */
  readonly judge?: ReadonlySet<string>;
  /** Files of the repository: what a new one could stand in for. */
  readonly files?: ReadonlySet<string>;
}

/**
 * What of a plan edits, deletes, moves or empties tests or their configuration. New test files
 * are welcome, unless they keep other tests from running or stand in for what is tested. Ask
 * before the plan is applied; with `--may-edit-tests` do not ask.
 * @param read current bytes of a path; undefined where there is no file.
 */
export async function findWeakening(
  plan: ChangePlan,
  read: (path: string) => Promise<Uint8Array | undefined>,
  { judge = new Set(), files = new Set() }: JudgeFacts = {},
): Promise<readonly Weakening[]> {
  const found: Weakening[] = [];
  for (const operation of plan.operations) {
    const reason = forbiddenBecause(operation, judge) ?? forbiddenTest(operation, files);
    if (reason !== undefined) {
      found.push({ path: operation.path, reason });
      continue;
    }
    const path = operation.kind === "rename" ? operation.to : operation.path;
    const before = operation.kind === "create" ? undefined : await read(operation.path);
    const after = operation.kind === "delete" ? undefined : operation.after;
    const weakened =
      weakeningOf(path, before, after) ?? (await viteRead(operation.path, path, files, read));
    if (weakened !== undefined) found.push({ path: operation.path, reason: weakened });
  }
  return found;
}

/** vitest reads a vite configuration where none of its own stands beside it: plugins change the tests. */
async function viteRead(
  from: string,
  to: string,
  files: ReadonlySet<string>,
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<string | undefined> {
  for (const path of new Set([from, to])) {
    const folder = /^(?<folder>(?:.*\/)?)vite\.config\.[cm]?[jt]s$/.exec(path)?.groups?.["folder"];
    if (folder === undefined) continue;
    const own = new RegExp("^vitest\\.config\\.[cm]?[jt]s$");
    const isBeside = (file: string): boolean =>
      file.startsWith(folder) && own.test(file.slice(folder.length));
    if ([...files].some(isBeside)) continue;
    for (const manifest of new Set([`${folder}package.json`, "package.json"])) {
      const bytes = await read(manifest);
      if (bytes !== undefined && /\bvitest\b/.test(new TextDecoder().decode(bytes))) {
        return "changes a vite configuration that vitest reads";
      }
    }
  }
  return undefined;
}

/** True when the plan creates at least one test file. */
export function createsTests(plan: ChangePlan): boolean {
  return plan.operations.some(({ kind, path }) => kind === "create" && isTestFile(path));
}

/**
 * Why new contents of a manifest or source weaken the tests: the test script or a runner's
 * section of it changed, or tests inside a source file went away. Undefined: they do not.
 * @param before undefined: the file is new. @param after undefined: the file is deleted.
 */
export function weakeningOf(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [old, now] = [before, after].map((bytes) =>
    bytes === undefined ? undefined : new TextDecoder().decode(bytes),
  );
  for (const rule of manifestRules) {
    if (!rule.files.test(name)) continue;
    const reason = rule.weakened(old, now);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function forbiddenBecause(
  operation: FileOperation,
  judge: ReadonlySet<string>,
): string | undefined {
  const { kind, path } = operation;
  if (isRunnerConfiguration(path)) return `${verbs[kind]} the configuration of a test runner`;
  if (kind === "rename" && isRunnerConfiguration(operation.to)) {
    return "renames a file to the configuration of a test runner";
  }
  if (kind !== "create" && isTestFile(path)) return `${verbs[kind]} a test file`;
  const touched: readonly string[] = kind === "rename" ? [path, operation.to] : [path];
  if (kind !== "create" && touched.some((each) => judge.has(each))) {
    return "is named by the test command";
  }
  return undefined;
}

/** Why a new test file is not welcome. */
function forbiddenTest(operation: FileOperation, files: ReadonlySet<string>): string | undefined {
  if (operation.kind !== "create" || !isTestFile(operation.path)) return undefined;
  const shadowed = shadowedModule(operation.path, files);
  if (shadowed !== undefined) return `stands in for ${shadowed} while the tests run`;
  return silencingOf(operation.path, "", new TextDecoder().decode(operation.after));
}

const verbs: Readonly<Record<FileOperation["kind"], string>> = {
  create: "creates",
  write: "rewrites",
  edit: "edits",
  delete: "deletes",
  rename: "renames",
};
