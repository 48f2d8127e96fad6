import type {
  AppliedPlan,
  ChangePlan,
  Failure,
  GateResult,
  RepoPath,
  Verdict,
} from "../contracts/index.ts";
import { compare, createsTests, failureOf } from "../gate/index.ts";
import type { Baseline } from "./baseline.ts";
import { failureOfAbort } from "./calls.ts";
import type { ClimbTools, Judgement } from "./climb.ts";
import { movedBetween } from "./in-place-workspace.ts";
import type { RunRequest } from "./ports.ts";
import { inStep } from "./steps.ts";
import { commandSummaries, outputOf, testTree } from "./tests.ts";

/** A change that stands in the tree, with the verdict that let it; none where nothing was tested. */
export interface Coded {
  readonly applied: AppliedPlan;
  readonly verdict: Verdict | undefined;
}

/** Puts plans into the tree, lets the tests judge them, and takes back what they refuse. */
export interface Trials {
  /** `watched`: the pack's files, which must not move while the tests run. */
  judge(plan: ChangePlan, attempt: number, watched: readonly RepoPath[]): Promise<Judgement<Coded>>;
  /** What stands was judged and may stay. */
  accept(): Promise<void>;
  /** Takes back whatever of kit's stands in the tree, for any ending. Gives the paths left to the user. */
  takeBackStanding(): Promise<Failure | undefined>;
  /** Puts the last refused plan back (`--keep-failed`). */
  keepLast(): Promise<ChangePlan | undefined>;
}

export function createTrials(request: RunRequest, tools: ClimbTools, baseline: Baseline): Trials {
  const { workspace, options } = request;
  const { record, signal } = tools;
  let standing: { readonly applied: AppliedPlan; readonly attempt: number } | undefined;
  let lastRefused: { readonly plan: ChangePlan; readonly attempt: number } | undefined;

  async function takeBack(): Promise<Failure | undefined> {
    if (standing === undefined) return undefined;
    const { applied, attempt } = standing;
    const report = await workspace.rollback(applied);
    standing = undefined;
    const kept = report.kept.map(({ path }) => path);
    await record.emit({ type: "rolled_back", attempt, restored: report.restored, kept });
    if (kept.length === 0) return undefined;
    const where = report.kept.find(({ preImage }) => preImage !== undefined)?.preImage;
    return {
      kind: "conflict",
      message: `changed by someone else while kit worked, and left as it is: ${kept.join(", ")}`,
      paths: kept,
      ...(where !== undefined && { keptIn: where }),
    };
  }

  /** The tests on the changed tree; void when the tree moved under them, twice is a conflict. */
  async function testStill(
    attempt: number,
    watched: readonly RepoPath[],
  ): Promise<{ ok: true; result: GateResult } | { ok: false; failure: Failure }> {
    for (let round = 1; ; round += 1) {
      const before = await workspace.fingerprint(watched);
      const result = await testTree(request, signal, `attempts/coder-${attempt}/test`);
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const moved = movedBetween(before, await workspace.fingerprint(watched));
      if (moved.length === 0) return { ok: true, result };
      if (round === 2) {
        return {
          ok: false,
          failure: {
            kind: "conflict",
            message: `changed while the tests ran: ${moved.join(", ")}`,
            paths: moved,
          },
        };
      }
      await record.emit({
        type: "note",
        level: "warning",
        message: `Changed while the tests ran, so they run again: ${moved.join(", ")}`,
      });
    }
  }

  async function judgeStanding(
    applied: AppliedPlan,
    attempt: number,
    watched: readonly RepoPath[],
    before: GateResult,
  ): Promise<Judgement<Coded>> {
    const tested = await testStill(attempt, watched);
    if (!tested.ok) return tested;
    const { result } = tested;
    const verdict = compare(before, result, {
      root: workspace.root,
      createsTests: createsTests(applied.plan),
    });
    const output = await record.object(outputOf(result));
    await record.link(`attempts/coder-${attempt}/gate.txt`, output);
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
    async judge(plan, attempt, watched) {
      const before = await baseline.result;
      if (before?.environment !== undefined) {
        const { cause, mend } = before.environment;
        return { ok: false, failure: { kind: "environment", message: cause, mend } };
      }
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const result = await workspace.apply(plan);
      if (!result.ok) return result;
      const { applied } = result;
      standing = { applied, attempt };
      await record.emit({ type: "applied", attempt, transaction: applied.id });
      if (before === undefined) return { ok: true, value: { applied, verdict: undefined } };
      const judged = await inStep(tools, "gate", () =>
        judgeStanding(applied, attempt, watched, before),
      );
      if (judged.ok) return judged;
      lastRefused = { plan, attempt };
      return { ok: false, failure: (await takeBack()) ?? judged.failure };
    },
    async accept() {
      if (standing !== undefined) await workspace.accept(standing.applied);
      standing = undefined;
    },
    takeBackStanding: takeBack,
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
