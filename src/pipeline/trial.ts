import { join } from "node:path";
import { diskTree } from "../changes/index.ts";
import {
  type AppliedPlan,
  type ChangePlan,
  type Emit,
  type Failure,
  type Fingerprint,
  KitError,
  type RepoPath,
  type RollbackReport,
  type Verdict,
} from "../contracts/index.ts";
import { failureOf, verdictTable } from "../gate/index.ts";
import type { Baseline } from "./baseline.ts";
import { failureOfAbort } from "./calls.ts";
import { type TestChange, testsOfChange } from "./change-tests.ts";
import type { ClimbTools, Judgement } from "./climb.ts";
import { type Ground, groundOf } from "./ground.ts";
import { editedBetween, movedBetween } from "./in-place-workspace.ts";
import { rememberJudgeFiles } from "./judge-files.ts";
import { judgeNarrowly } from "./narrow-trial.ts";
import { silencingBy } from "./plan-parts.ts";
import type { RunRequest } from "./ports.ts";
import { compareSteadily } from "./steady-verdict.ts";
import { inStep } from "./steps.ts";
import { commandSummaries, outputOf, testTree } from "./tests.ts";
import { verifySensitive } from "./verify-sensitive.ts";

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
  /** What changes are to be made of is known. */
  begin(watched: Watched): void;
  /** Kit leaves the tree alone until `judge`: what moves in it meanwhile is moved by others. */
  leave(): Promise<void>;
  /** The tree without a change of kit's, for `judge`: looked at when the call is over. */
  untouched(): Promise<Fingerprint>;
  judge(plan: ChangePlan, attempt: number, untouched: Fingerprint): Promise<Judgement<Coded>>;
  /** What stands was refused by somebody else than the tests: takes it back, gives the failure. */
  refuse(failure: Failure): Promise<Failure>;
  /** What stands was judged and may stay. */
  accept(): Promise<void>;
  /** Takes back whatever of kit's stands in the tree, for any ending; says what stood in the way. */
  takeBackStanding(): Promise<Failure | undefined>;
  /** Puts the last refused plan back (`--keep-failed`). */
  keepLast(): Promise<ChangePlan | undefined>;
}

export function createTrials(request: RunRequest, tools: ClimbTools, baseline: Baseline): Trials {
  const { workspace, options } = request;
  const { record, signal } = tools;
  /** Of other trees than the untouched one. */
  const { treeHash, ...elsewhere } = request;
  /** Results of it are of a tree that a resumed run would not find. */
  let isMoved = false;
  const tree = diskTree(workspace.root);
  let standing: { readonly applied: AppliedPlan; readonly attempt: number } | undefined;
  let lastRefused: { readonly plan: ChangePlan; readonly attempt: number } | undefined;
  let paths: readonly RepoPath[] = [];
  const judgeFiles = rememberJudgeFiles(workspace.root, request.testCommands);
  /** The tree that the baseline speaks of; it moves on where somebody else moves the tree. */
  let ground: Fingerprint | undefined;
  /** The tree as kit last left it alone. */
  let atRest: Fingerprint | undefined;
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
    const [since, left] = [ground, atRest];
    const moved = await record.observe("moved since the baseline", () => {
      const elsewhere = since === undefined ? [] : movedBetween(since, now);
      const again = left === undefined ? [] : editedBetween(left, now);
      return Promise.resolve([...new Set([...elsewhere, ...again])]);
    });
    ground = now;
    // What was known from an earlier run is looked at again before it counts against a second model.
    const isDoubtful = lastRefused !== undefined && judgedGround?.isFromCache === true;
    if ((moved.length === 0 && !isDoubtful) || judgedGround === undefined) return judgedGround;
    const message =
      moved.length === 0
        ? "A change was refused by what an earlier run said of the untouched tree, so the tests run on it again"
        : `Changed since the tests ran on the untouched tree, so they run on it again: ${moved.join(", ")}`;
    await record.emit({ type: "note", level: "warning", message });
    const { emit } = record;
    isMoved ||= moved.length > 0;
    const first = await testTree(elsewhere, signal, "baseline-moved");
    judgedGround = await groundOf(first, elsewhere, signal, "baseline-moved-again", emit);
    return judgedGround;
  }

  /** What judges is another by now: it does not run, as nobody said yes to it. */
  async function judgeRewritten(): Promise<Failure | undefined> {
    const paths = await record.observe("what judges was changed", () =>
      Promise.resolve(judgeFiles.changed()),
    );
    if (paths.length === 0) return undefined;
    const keptIn = judgeFiles.keep(paths, join(record.folder, "kept"));
    const message = `what judges the change was changed before it ran: ${paths.join(", ")}`;
    return { kind: "conflict", message, paths, keptIn };
  }

  async function judgeWholly(
    { plan }: AppliedPlan,
    ground: Ground,
    test: TestChange,
  ): ReturnType<typeof compareSteadily> {
    const tested = await test(plan);
    if (!tested.ok) return tested;
    return compareSteadily({
      plan,
      ground,
      first: tested.result,
      root: workspace.root,
      mayEditTests: options.mayEditTests,
      say: record.emit,
      again: (nth) => test(plan, `test-again-${nth}`),
    });
  }

  async function judgeStanding(
    applied: AppliedPlan,
    attempt: number,
    ground: Ground,
    test: TestChange,
  ): Promise<Judgement<Coded>> {
    const { plan } = applied;
    const { testCommands: commands } = request;
    const { root } = workspace;
    const narrow = await judgeNarrowly({ plan, commands, ground, root, test, record });
    const compared = narrow ?? (await judgeWholly(applied, ground, test));
    if (!compared.ok) return compared;
    const { result } = compared;
    let { verdict } = compared;
    if (verdict.accepted && options.verify === "sensitive") {
      const shown = await verifySensitive({
        applied,
        ground,
        verdict,
        takeBack,
        stand: (plan) => stand(plan, attempt),
        test: (plan) => test(plan, "test-without-sources"),
      });
      if (!shown.ok) return shown;
      ({ verdict, applied } = shown);
    }
    const output = record.object(outputOf(result), `attempts/coder-${attempt}/gate.txt`);
    const table = verdictTable(ground.result, result);
    const tests =
      table && record.object(JSON.stringify(table), `attempts/coder-${attempt}/tests.json`);
    const { kind, accepted, evidence, basis, summary } = verdict;
    await record.emit({
      type: "verdict",
      attempt,
      kind,
      accepted,
      evidence,
      basis,
      summary,
      commands: commandSummaries(result),
      output,
      ...(tests !== undefined && { tests }),
      ...(table?.tally && { tally: table.tally }),
    });
    const failure = failureOf(verdict, result.environment?.mend);
    return failure === undefined
      ? { ok: true, value: { applied, verdict } }
      : { ok: false, failure };
  }

  async function stand(
    plan: ChangePlan,
    attempt: number,
  ): Promise<{ ok: true; applied: AppliedPlan } | { ok: false; failure: Failure }> {
    const result = await workspace.apply(plan);
    if (!result.ok) return result;
    const { applied } = result;
    standing = { applied, attempt };
    await record.emit({ type: "applied", attempt, transaction: applied.id });
    return result;
  }

  return {
    begin(watched) {
      paths = watched.pack;
      judgeFiles.remember(watched.judge);
    },
    async leave() {
      atRest = await workspace.fingerprint(paths);
      ground ??= atRest;
    },
    untouched: () => workspace.fingerprint(paths),
    async judge(plan, attempt, untouched) {
      const rewritten = await judgeRewritten();
      if (rewritten !== undefined) return { ok: false, failure: rewritten };
      const before = await freshBaseline(untouched);
      if (before?.result.environment !== undefined) {
        const { cause, mend } = before.result.environment;
        return { ok: false, failure: { kind: "environment", message: cause, mend } };
      }
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const silencing =
        before === undefined ? undefined : await silencingBy(tree, plan, before.result);
      if (silencing !== undefined) return { ok: false, failure: silencing };
      const result = await stand(plan, attempt);
      if (!result.ok) return result;
      const { applied } = result;
      if (before === undefined) return { ok: true, value: { applied, verdict: undefined } };
      const test = testsOfChange({
        request: elsewhere,
        tools,
        attempt,
        untouched,
        paths,
        judgeFiles,
        harmlessHooks: before.result.changedHooks ?? [],
        treeHash: isMoved ? undefined : treeHash,
      });
      const judged = await inStep(tools, "gate", () =>
        judgeStanding(applied, attempt, before, test),
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
