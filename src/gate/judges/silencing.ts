import {
  type ChangePlan,
  type FileOperation,
  type GateResult,
  repoPath,
  type RepoPath,
} from "../../contracts/index.ts";
import { countTests } from "../verdict/counts.ts";
import { isGreen } from "../verdict/ended.ts";
import { countEarlyExits, hasUnjudgedTestMain } from "./early-exits.ts";
import { isProgram } from "./entry-points.ts";
import { countReboundImports, countReplacedAssertions } from "./rebinding.ts";
import { isTestFile } from "./test-files.ts";
import { countMarks, type MarkKind } from "./test-marks.ts";
import type { Weakening } from "./weakening.ts";

/**
 * What of a plan keeps tests from speaking although it may edit them: a test that was red is
 * skipped, emptied or deleted, some tests are run alone, an assertion is replaced, the process that
 * judges is ended, or the channel is named through which a runner reports to kit. Ask once the
 * baseline is known, before the plan is applied.
 * @param read current bytes of a path; undefined where there is no file.
 */
export async function findSilencing(
  plan: ChangePlan,
  read: (path: RepoPath) => Promise<Uint8Array | undefined>,
  baseline: GateResult,
): Promise<readonly Weakening[]> {
  const found: Weakening[] = [];
  for (const operation of plan.operations) {
    const { path } = operation;
    const before = operation.kind === "create" ? "" : decoded(await read(path));
    const reason =
      silencedBy(operation, before, baseline) ?? (await endedBy(operation, before, read));
    if (reason !== undefined) found.push({ path, reason });
  }
  return found;
}

/**
 * How new contents of a test file speak for other tests: they run some tests alone, end the
 * process, or replace what others test or judge with. Undefined: they do not.
 */
export function silencingOf(path: string, before: string, after: string): string | undefined {
  const adds = (kind: MarkKind): boolean =>
    countMarks(path, after, kind) > countMarks(path, before, kind);
  if (adds("focus")) return "runs some tests alone";
  // A test file may be a program too: `process.exit(failed)` at its end is how such a one is written.
  const endsMore = countEarlyExits(path, after, true) > countEarlyExits(path, before, true);
  const isUnjudged = hasUnjudgedTestMain(path, after) && !hasUnjudgedTestMain(path, before);
  if (adds("exit") || endsMore || isUnjudged) return "ends the process before its tests are judged";
  if (replacesMore(path, before, path, after)) return "replaces what the tests judge with";
  return countReboundImports(path, after) > countReboundImports(path, before)
    ? "rebinds what other tests import"
    : undefined;
}

function replacesMore(from: string, before: string, to: string, after: string): boolean {
  return (
    countMarks(to, after, "tamper") > countMarks(from, before, "tamper") ||
    countReplacedAssertions(to, after) > countReplacedAssertions(from, before)
  );
}

/** Code under test shares a process with its tests: an end in it is an end of them. */
async function endedBy(
  operation: FileOperation,
  before: string,
  read: (path: RepoPath) => Promise<Uint8Array | undefined>,
): Promise<string | undefined> {
  if (operation.kind === "delete" || isTestFile(operation.path)) return undefined;
  const after = decoded(operation.after);
  const target = operation.kind === "rename" ? operation.to : operation.path;
  const added = (isStarted: boolean): boolean =>
    countEarlyExits(target, after, isStarted) > countEarlyExits(operation.path, before, isStarted);
  if (!added(false)) return undefined;
  const isStarted = await isProgram(target, after, async (path) => {
    const bytes = await read(repoPath(path));
    return bytes === undefined ? undefined : decoded(bytes);
  });
  return added(isStarted) ? "ends the process that runs the tests" : undefined;
}

function silencedBy(
  operation: FileOperation,
  before: string,
  baseline: GateResult,
): string | undefined {
  const { path } = operation;
  const after = operation.kind === "delete" ? "" : decoded(operation.after);
  const target = operation.kind === "rename" ? operation.to : path;
  const adds = (kind: MarkKind): boolean =>
    countMarks(target, after, kind) > countMarks(path, before, kind);
  if (adds("channel")) return "names what a test runner reports to kit through";
  if (!isTestFile(path)) {
    if (replacesMore(path, before, target, after)) return "replaces what the tests judge with";
    return adds("exit") && isJudgedByExitAlone(baseline)
      ? "ends the process with 0, and nothing but the exit code judges"
      : undefined;
  }
  const loud = silencingOf(target, before, after);
  if (loud !== undefined) return loud;
  if (operation.kind === "create" || !mayHoldRed(path, baseline)) return undefined;
  if (operation.kind === "delete") return "deletes tests that were red";
  const fewer = (kind: MarkKind): boolean =>
    countMarks(target, after, kind) < countMarks(path, before, kind);
  if (countMarks(target, after, "skip") > countMarks(path, before, "skip")) {
    return "skips tests that were red";
  }
  if (fewer("test")) return "takes out tests that were red";
  return fewer("assertion") ? "takes assertions out of tests that were red" : undefined;
}

/** True where a command says neither which tests ran nor how many. */
function isJudgedByExitAlone({ commands }: GateResult): boolean {
  return commands.some(
    ({ tests, output }) => tests === undefined && countTests(output) === undefined,
  );
}

/** True unless the red tests are known to stand in other files. */
function mayHoldRed(path: string, { commands }: GateResult): boolean {
  return commands.some((command) => {
    if (isGreen(command)) return false;
    const failed = command.tests?.filter(({ status }) => status === "failed") ?? [];
    const isKnown = failed.length > 0 && failed.every(({ file }) => file !== undefined);
    return !isKnown || failed.some(({ file }) => file === path);
  });
}

function decoded(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}
