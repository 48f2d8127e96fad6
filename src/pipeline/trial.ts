import { join } from "node:path";
import { diskTree } from "../changes/index.ts";
import {
  type AppliedPlan,
  type ChangePlan,
  type Emit,
  type Failure,
  type Fingerprint,
  type GateResult,
  KitError,
  type RepoPath,
  type RollbackReport,
  type TestCommand,
  type Verdict,
} from "../contracts/index.ts";
import {
  bothUnsteady,
  compare,
  createsTests,
  failureOf,
  findSilencing,
  isRepeatable,
  isTestFile,
  steady,
  type Unsteady,
  unsteadyBetween,
} from "../gate/index.ts";
import type { Baseline } from "./baseline.ts";
import { failureOfAbort } from "./calls.ts";
import type { ClimbTools, Judgement } from "./climb.ts";
import { type Ground, groundOf, sayUnsteady } from "./ground.ts";
import { movedBetween } from "./in-place-workspace.ts";
import { rememberJudgeFiles } from "./judge-files.ts";
import { judgeNarrowly } from "./narrow-trial.ts";
import type { RunRequest } from "./ports.ts";
import { inStep } from "./steps.ts";
import { commandSummaries, outputOf, testTree } from "./tests.ts";

/** A change that stands in the tree, with the verdict that let it; none where nothing was tested. */
export interface Coded {
  readonly applied: AppliedPlan;
  readonly verdict: Verdict | undefined;
}

/** What must not move while a change is judged, beside what the change itself writes. */
export interface Watched {
  /** The pack's files. */
  readonly pack: readonly RepoPath[];
  /** Tests, runner configuration and what the test commands name. */
  readonly judge: readonly string[];
}

/** Puts plans into the tree, lets the tests judge them, and takes back what they refuse. */
export interface Trials {
  /** The tree is about to be worked on: from here on, what moves in it was moved by others. */
  begin(watched: Watched): Promise<void>;
  judge(plan: ChangePlan, attempt: number): Promise<Judgement<Coded>>;
  /** What stands was refused by somebody else than the tests: takes it back, gives the failure. */
  refuse(failure: Failure): Promise<Failure>;
  /** What stands was judged and may stay. */
  accept(): Promise<void>;
  /** Takes back whatever of kit's stands in the tree, for any ending; says what stood in the way. */
  takeBackStanding(): Promise<Failure | undefined>;
  /** Puts the last refused plan back (`--keep-failed`). */
  keepLast(): Promise<ChangePlan | undefined>;
}

/** Runs of one changed tree: a red that the baseline does not explain is looked at again. */
const MOST_RUNS = 3;

type Tested =
  | { readonly ok: true; readonly result: GateResult }
  | { readonly ok: false; readonly failure: Failure };

export function createTrials(request: RunRequest, tools: ClimbTools, baseline: Baseline): Trials {
  const { workspace, options } = request;
  const { record, signal } = tools;
  const tree = diskTree(workspace.root);
  let standing: { readonly applied: AppliedPlan; readonly attempt: number } | undefined;
  let lastRefused: { readonly plan: ChangePlan; readonly attempt: number } | undefined;
  let paths: readonly RepoPath[] = [];
  let judgeFiles = rememberJudgeFiles(workspace.root, []);
  /** The tree that the baseline speaks of; it moves on where somebody else moves the tree. */
  let ground: Fingerprint | undefined;
  let judgedGround: Ground | undefined;

  async function takeBack(say: Emit = record.emit): Promise<Failure | undefined> {
    if (standing === undefined) return undefined;
    const { applied, attempt } = standing;
    standing = undefined;
    const report = await rolledBack(applied);
    if ("kind" in report) return report;
    const kept = report.kept.map(({ path }) => path);
    await say({ type: "rolled_back", attempt, restored: report.restored, kept });
    if (kept.length === 0) return undefined;
    const where = report.kept.find(({ preImage }) => preImage !== undefined)?.preImage;
    return {
      kind: "conflict",
      message: `changed by someone else while kit worked, and left as it is: ${kept.join(", ")}`,
      paths: kept,
      ...(where !== undefined && { keptIn: where }),
    };
  }

  async function rolledBack(applied: AppliedPlan): Promise<RollbackReport | Failure> {
    try {
      return await workspace.rollback(applied);
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      const paths = applied.plan.operations.map(({ path }) => path);
      const message = `kit's change to ${paths.join(", ")} could not be taken back: ${error.message} The next kit command tries again.`;
      if (error.kind !== "environment") return { kind: "conflict", message, paths };
      return {
        kind: "environment",
        message,
        ...(error.next !== undefined && { mend: error.next }),
      };
    }
  }

  /** The baseline of the tree as it is now: tested anew where others moved it meanwhile. */
  async function freshBaseline(now: Fingerprint): Promise<Ground | undefined> {
    judgedGround ??= await baseline.result;
    const moved = ground === undefined ? [] : movedBetween(ground, now);
    ground = now;
    if (moved.length === 0 || judgedGround === undefined) return judgedGround;
    const message = `Changed since the tests ran on the untouched tree, so they run on it again: ${moved.join(", ")}`;
    await record.emit({ type: "note", level: "warning", message });
    const { emit } = record;
    const first = await testTree(request, signal, "baseline-moved");
    judgedGround = await groundOf(first, request, signal, "baseline-moved-again", emit);
    return judgedGround;
  }

  /** The tests on the changed tree; void when the tree moved under them, twice is a conflict. */
  async function testStill(
    plan: ChangePlan,
    attempt: number,
    before: Fingerprint,
    name = "test",
    testCommands = request.testCommands,
  ): Promise<Tested> {
    const ours = pathsOf(plan);
    for (let round = 1; ; round += 1) {
      const narrowed = { ...request, testCommands };
      const result = await testTree(narrowed, signal, `attempts/coder-${attempt}/${name}`);
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const overwritten = judgeFiles.changed().filter((path) => !ours.has(path));
      if (overwritten.length > 0) {
        const keptIn = judgeFiles.keep(overwritten, join(record.folder, "kept"));
        const message = `tests were written over while they ran: ${overwritten.join(", ")}`;
        return { ok: false, failure: { kind: "conflict", message, paths: overwritten, keptIn } };
      }
      const replaced = await notAsWritten(plan);
      const moved = [
        ...movedBetween(before, await workspace.fingerprint(paths), ours),
        ...replaced,
      ];
      if (moved.length === 0) return { ok: true, result };
      const message = `changed while the tests ran: ${moved.join(", ")}`;
      if (round === 2 || replaced.length > 0)
        return { ok: false, failure: { kind: "conflict", message, paths: moved } };
      await record.emit({ type: "note", level: "warning", message: `${message}; they run again` });
      before = await workspace.fingerprint(paths);
    }
  }

  /** Paths of the plan that no longer hold what it put there: the verdict would be of another change. */
  async function notAsWritten(plan: ChangePlan): Promise<string[]> {
    const others: string[] = [];
    for (const operation of plan.operations) {
      const path = operation.kind === "rename" ? operation.to : operation.path;
      const entry = await tree.read(path);
      const after = operation.kind === "delete" ? undefined : Buffer.from(operation.after);
      const isOurs =
        entry.kind === "file" ? after?.equals(entry.bytes) === true : after === undefined;
      if (!isOurs) others.push(path);
    }
    return others;
  }

  /** Why the plan is not worth judging: it keeps the tests that were red from speaking. */
  async function silencingBy(plan: ChangePlan, { result }: Ground): Promise<Failure | undefined> {
    const read = async (path: RepoPath): Promise<Uint8Array | undefined> => {
      const entry = await tree.read(path);
      return entry.kind === "file" ? entry.bytes : undefined;
    };
    const found = await findSilencing(plan, read, result);
    if (found.length === 0) return undefined;
    const message = found.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
    return { kind: "tests_weakened", message, paths: found.map(({ path }) => path) };
  }

  /**
   * Judges the change, and where it looks like the first to turn a test red, runs the tests again on
   * the same tree. A green counts only where one run of every command was green.
   */
  async function compareSteadily(
    applied: AppliedPlan,
    attempt: number,
    ground: Ground,
    first: GateResult,
  ): Promise<{ ok: true; verdict: Verdict; result: GateResult } | { ok: false; failure: Failure }> {
    let unsteady: Unsteady = steady;
    let result = first;
    for (let run = 1; ; run += 1) {
      const verdict = compare(ground.result, result, {
        root: workspace.root,
        createsTests: createsTests(applied.plan),
        unsteady: { baseline: ground.unsteady, change: unsteady },
        editedTests: options.mayEditTests ? editedTests(applied.plan) : new Set(),
      });
      const isWorthIt = verdict.kind === "flaky" || (verdict.kind === "regressed" && run === 1);
      if (!isWorthIt || run === MOST_RUNS || !isRepeatable(result)) {
        await sayUnsteady(unsteady, result, "with the change", record.emit);
        return { ok: true, verdict, result };
      }
      const before = await workspace.fingerprint(paths);
      const again = await testStill(applied.plan, attempt, before, `test-again-${run}`);
      if (!again.ok) return again;
      unsteady = bothUnsteady(unsteady, unsteadyBetween(result, again.result));
      result = again.result;
    }
  }

  async function judgeWholly(
    applied: AppliedPlan,
    attempt: number,
    ground: Ground,
    untouched: Fingerprint,
  ): ReturnType<typeof compareSteadily> {
    const tested = await testStill(applied.plan, attempt, untouched);
    return tested.ok ? compareSteadily(applied, attempt, ground, tested.result) : tested;
  }

  async function judgeStanding(
    applied: AppliedPlan,
    attempt: number,
    ground: Ground,
    untouched: Fingerprint,
  ): Promise<Judgement<Coded>> {
    const { plan } = applied;
    const { testCommands: commands } = request;
    const test = (some: readonly TestCommand[], name: string): Promise<Tested> =>
      testStill(plan, attempt, untouched, name, some);
    const narrow = await judgeNarrowly({ plan, commands, ground, root: workspace.root, test });
    const compared = narrow ?? (await judgeWholly(applied, attempt, ground, untouched));
    if (!compared.ok) return compared;
    const { verdict, result } = compared;
    const output = await record.object(outputOf(result), `attempts/coder-${attempt}/gate.txt`);
    const { kind, accepted, evidence, summary } = verdict;
    await record.emit({
      type: "verdict",
      attempt,
      kind,
      accepted,
      evidence,
      summary,
      commands: commandSummaries(result),
      output,
    });
    const failure = failureOf(verdict, result.environment?.mend);
    return failure === undefined
      ? { ok: true, value: { applied, verdict } }
      : { ok: false, failure };
  }

  return {
    async begin(watched) {
      paths = watched.pack;
      judgeFiles = rememberJudgeFiles(workspace.root, watched.judge);
      ground = await workspace.fingerprint(paths);
    },
    async judge(plan, attempt) {
      const untouched = await workspace.fingerprint(paths);
      const before = await freshBaseline(untouched);
      if (before?.result.environment !== undefined) {
        const { cause, mend } = before.result.environment;
        return { ok: false, failure: { kind: "environment", message: cause, mend } };
      }
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const silencing = before === undefined ? undefined : await silencingBy(plan, before);
      if (silencing !== undefined) return { ok: false, failure: silencing };
      const result = await workspace.apply(plan);
      if (!result.ok) return result;
      const { applied } = result;
      standing = { applied, attempt };
      await record.emit({ type: "applied", attempt, transaction: applied.id });
      if (before === undefined) return { ok: true, value: { applied, verdict: undefined } };
      const judged = await inStep(tools, "gate", () =>
        judgeStanding(applied, attempt, before, untouched),
      );
      if (judged.ok) return judged;
      lastRefused = { plan, attempt };
      return { ok: false, failure: (await takeBack()) ?? judged.failure };
    },
    async refuse(failure) {
      if (standing !== undefined)
        lastRefused = { plan: standing.applied.plan, attempt: standing.attempt };
      return (await takeBack()) ?? failure;
    },
    async accept() {
      if (standing !== undefined) await workspace.accept(standing.applied);
      standing = undefined;
    },
    // What ends a run this way may be the record itself: the tree does not wait for it.
    takeBackStanding: () => takeBack((event) => record.emit(event).catch(() => undefined)),
    async keepLast() {
      if (!options.keepFailed || lastRefused === undefined) return undefined;
      const { plan, attempt } = lastRefused;
      const result = await workspace.apply(plan);
      if (!result.ok) return undefined;
      await record.emit({ type: "applied", attempt, transaction: result.applied.id });
      await workspace.accept(result.applied);
      return plan;
    },
  };
}

function pathsOf(plan: ChangePlan): ReadonlySet<string> {
  return new Set(
    plan.operations.flatMap((operation) =>
      operation.kind === "rename" ? [operation.path, operation.to] : [operation.path],
    ),
  );
}

/** Test files that the plan edits, moves or deletes. */
function editedTests({ operations }: ChangePlan): ReadonlySet<string> {
  const edited = operations.filter(({ kind, path }) => kind !== "create" && isTestFile(path));
  return new Set(edited.map(({ path }) => path));
}
