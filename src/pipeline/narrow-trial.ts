import type {
  ChangePlan,
  Failure,
  GateResult,
  RepoPath,
  TestCommand,
  Verdict,
} from "../contracts/index.ts";
import {
  commandText,
  compare,
  narrowedCommand,
  steady,
  testKey,
  type Unsteady,
  unsteadyBetween,
} from "../gate/index.ts";
import type { TestChange } from "./change-tests.ts";
import type { Ground } from "./ground.ts";
import type { RunRecord } from "./ports.ts";

/** A command that took less on the untouched tree is not worth being run in two steps. */
const WORTH_MS = 10_000;

export interface NarrowTrial {
  readonly plan: ChangePlan;
  readonly commands: readonly TestCommand[];
  readonly ground: Ground;
  /** Absolute top level. */
  readonly root: string;
  readonly record: Pick<RunRecord, "observe">;
  readonly test: TestChange;
}

/**
 * Runs the tests that stand next to the change, for each command that is slow and can select them,
 * and gives the verdict where they are red: the whole suite cannot turn it green. Twice, because a
 * flaky red decides nothing, and only where tests are named, because a selection may go wrong by
 * itself. Undefined: the whole suite has to judge.
 */
export async function judgeNarrowly(
  trial: NarrowTrial,
): Promise<
  { ok: true; verdict: Verdict; result: GateResult } | { ok: false; failure: Failure } | undefined
> {
  const { plan, commands, ground, root, test, record } = trial;
  const changed = writtenPaths(plan);
  for (const [place, command] of commands.entries()) {
    const before = ground.result.commands[place];
    if (before?.tests === undefined || before.durationMs < WORTH_MS) continue;
    const narrow = await record.observe(
      "narrowed command",
      async () => (await narrowedCommand(command, changed, root)) ?? null,
    );
    if (narrow === null) continue;
    const first = await test(plan, `narrow-${place + 1}`, [narrow]);
    if (!first.ok) return first;
    if (!hasFailedTest(first.result)) continue;
    const second = await test(plan, `narrow-again-${place + 1}`, [narrow]);
    if (!second.ok) return second;
    const { result } = second;
    if (!hasFailedTest(result)) continue;
    const verdict = compare(partOf(ground.result, place, result), result, {
      root,
      createsTests: false,
      unsteady: {
        baseline: unsteadyAt(ground.unsteady, place),
        change: unsteadyBetween(first.result, result),
      },
    });
    if (verdict.kind !== "regressed" && verdict.kind !== "unchanged_red") continue;
    const summary = `${verdict.summary} (${commandText(narrow)})`;
    return { ok: true, verdict: { ...verdict, summary }, result };
  }
  return undefined;
}

function writtenPaths({ operations }: ChangePlan): readonly RepoPath[] {
  return operations.flatMap((operation) => {
    if (operation.kind === "delete") return [];
    return [operation.kind === "rename" ? operation.to : operation.path];
  });
}

function hasFailedTest({ green, tests, environment }: GateResult): boolean {
  const failed = tests?.some(({ status }) => status === "failed") === true;
  return !green && environment === undefined && failed;
}

/** One command of the baseline, with the tests that were selected: what may be compared. */
function partOf(baseline: GateResult, place: number, selected: GateResult): GateResult {
  const ids = new Set(selected.tests?.map(({ id }) => id));
  const commands = baseline.commands.slice(place, place + 1).map((result) => ({
    ...result,
    tests: (result.tests ?? []).filter(({ id }) => ids.has(id)),
  }));
  return { ...baseline, commands, tests: commands.flatMap(({ tests }) => tests) };
}

function unsteadyAt({ tests, commands }: Unsteady, place: number): Unsteady {
  const prefix = testKey(place, "");
  const here = [...tests].filter((key) => key.startsWith(prefix));
  return {
    tests: new Set(here.map((key) => testKey(0, key.slice(prefix.length)))),
    commands: commands.has(place) ? new Set([0]) : steady.commands,
  };
}
