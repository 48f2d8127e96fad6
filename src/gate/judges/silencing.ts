import type { ChangePlan, FileOperation, GateResult, RepoPath } from "../../contracts/index.ts";
import { countTests } from "../verdict/counts.ts";
import { isGreen } from "../verdict/ended.ts";
import { isTestFile } from "./test-files.ts";
import { countMarks, type MarkKind } from "./test-marks.ts";
import type { Weakening } from "./weakening.ts";

/**
 * What of a plan keeps tests from speaking although it may edit them: a test that was red is
 * skipped, emptied or deleted, some tests are run alone, a source replaces an assertion, or ends
 * the process with 0 where only its exit code judges. Ask once the baseline is known, before the plan is applied.
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
    const reason = silencedBy(operation, before, baseline);
    if (reason !== undefined) found.push({ path, reason });
  }
  return found;
}

/** True when new contents of a test file run some of its tests alone, or end the process. */
export function silencingOf(path: string, before: string, after: string): string | undefined {
  const adds = (kind: MarkKind): boolean =>
    countMarks(path, after, kind) > countMarks(path, before, kind);
  if (adds("focus")) return "runs some tests alone";
  return adds("exit") ? "ends the process before its tests are judged" : undefined;
}

function silencedBy(
  operation: FileOperation,
  before: string,
  baseline: GateResult,
): string | undefined {
  const { path } = operation;
  const after = operation.kind === "delete" ? "" : decoded(operation.after);
  const target = operation.kind === "rename" ? operation.to : path;
  if (!isTestFile(path)) {
    const adds = (kind: MarkKind): boolean =>
      countMarks(target, after, kind) > countMarks(path, before, kind);
    if (adds("tamper")) return "replaces what the tests judge with";
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
