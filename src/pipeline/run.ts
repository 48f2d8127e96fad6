import { existsSync } from "node:fs";
import type {
  Candidate,
  ContextPack,
  Failure,
  GateResult,
  OutcomeKind,
  SurveyResult,
} from "../contracts/index.ts";
import { KitError, parseRepoPath } from "../contracts/index.ts";
import { hookFolders } from "../changes/index.ts";
import { addObservedError, addTaskLimits, renderPack } from "../context-pack/index.ts";
import {
  commandText,
  isRelatedToTask,
  isRunnerConfiguration,
  isTestFile,
  judgeFiles,
} from "../gate/index.ts";
import { codeOf } from "../lib/files.ts";
import { systemFaultOf } from "../lib/system-faults.ts";
import { sha256 } from "../lib/text.ts";
import { type Baseline, failingOutput, startBaseline } from "./baseline.ts";
import { candidateLabel, createCaller } from "./calls.ts";
import { type ClimbResult, climbRoute, type ClimbTools } from "./climb.ts";
import { createCoderStep } from "./coder.ts";
import { createLearned } from "./learned.ts";
import { exitCodeOf } from "./outcome.ts";
import { paidBefore } from "./paid-before.ts";
import { hashOfFiles } from "./seen-files.ts";
import { factsOf } from "./request-facts.ts";
import { watchLedger } from "./watched-ledger.ts";
import type { RunOutcome, RunRequest } from "./ports.ts";
import { announcePack, climbScout, createScoutStep, type ScoutStep } from "./scout.ts";
import { createReviewer } from "./review.ts";
import { afterReset } from "./spent.ts";
import { inStep } from "./steps.ts";
import { type Coded, createTrials, type Trials, type Watched } from "./trial.ts";

/**
 * One task in one tree, from the survey to a verdict. Whatever happens, the tree ends either with
 * a change that the tests accepted or as it was; every step is in the record before it is left.
 * @throws only for bugs and for a record that cannot be written; kit's writes are undone first.
 */
export async function runPipeline(request: RunRequest): Promise<RunOutcome> {
  const { record, workspace } = request;
  await record.observe("request", () => Promise.resolve(factsOf(request)));
  const unready = await request.setUp?.();
  const outcome = unready === undefined ? await runInTree(request) : ended(unready);
  const { nextCandidate, failure, changedFiles } = outcome;
  const treeAfter = await request.treeAfter?.();
  await record.emit({
    type: "run_finished",
    outcome: outcome.outcome,
    exitCode: outcome.exitCode,
    changedFiles,
    ...(changedFiles.length > 0 && { tree: await hashOfFiles(workspace.root, changedFiles) }),
    ...(treeAfter && { treeAfter }),
    ...(nextCandidate && { nextCandidate: candidateLabel(nextCandidate) }),
    ...(failure && {
      error: { kind: failure.kind, message: failure.message, ...nextStep(failure) },
    }),
  });
  return outcome;
}

async function runInTree(request: RunRequest): Promise<RunOutcome> {
  const { adapters, limits, clock, record } = request;
  const ledger = watchLedger(request.ledger, record);
  const timeouts = limits.timeoutMs === undefined ? [] : [AbortSignal.timeout(limits.timeoutMs)];
  const signal = AbortSignal.any([request.signal, ...timeouts]);
  const learned = createLearned(ledger, () => clock.now());
  const paid = paidBefore(record.before, candidatesOf(request));
  const caller = createCaller({
    adapters,
    ledger,
    limits,
    clock,
    signal,
    record,
    paidBefore: paid,
  });
  const tools: ClimbTools = { caller, learned, ledger, record, clock, signal };
  const baseline = startBaseline(request, tools);
  const trials = createTrials(request, tools, baseline);
  try {
    return await scoutThenCode(request, tools, baseline, trials);
  } catch (error) {
    const failure = (await trials.takeBackStanding()) ?? environmentFailure(error, record.folder);
    if (failure === undefined) throw error;
    return ended(failure);
  } finally {
    await baseline.end();
  }
}

async function scoutThenCode(
  request: RunRequest,
  tools: ClimbTools,
  baseline: Baseline,
  trials: Trials,
): Promise<RunOutcome> {
  // Beside the tests; where those are red it is done again, with what they print and warm caches.
  const { observe } = tools.record;
  const beside = baseline.underWay.then(() => observe("survey", () => request.survey()));
  beside.catch(() => undefined);
  const { root } = request.workspace;
  const judging = beside.then(() =>
    observe("files that judge", async () => [...(await judgeFiles(request.testCommands, root))]),
  );
  judging.catch(() => undefined);
  const early = await baseline.within(request.limits.baselineWaitMs);
  if (early?.environment !== undefined) {
    const { cause, mend } = early.environment;
    return ended({ kind: "environment", message: cause, mend });
  }
  const red = early?.green === false ? early : undefined;
  const survey = await inStep(
    tools,
    "survey",
    () =>
      red === undefined
        ? beside
        : observe("survey for the red tests", () => request.survey(printed(red))),
    (found) => `${found.files.length} files`,
  );
  if (red !== undefined) await sayIfUnrelated(request, tools, red, survey);
  const scout = createScoutStep({ request, tools, survey, baseline: early });
  const scouted = await packFor(request, tools, scout);
  if (!scouted.ok) return outcomeOf(scouted, "no_pack");
  const failing = failingOutput(early, root);
  const pack = failing === undefined ? scouted.value : addObservedError(scouted.value, failing);
  const judge = new Set(await judging);
  const watched: Watched = {
    pack: pack.relevantFiles.flatMap(({ path }) => {
      const parsed = parseRepoPath(path);
      return parsed.ok ? [parsed.path] : [];
    }),
    judge: [
      ...judge,
      ...survey.files.filter((path) => isTestFile(path) || isRunnerConfiguration(path)),
    ],
  };
  const hooks = observe("hook folders", () => hookFolders(root));
  hooks.catch(() => undefined);
  trials.begin(watched);
  // From the record, as a reply that is replayed carries the tag it was asked for.
  const tag = await observe("tag of the replies", () =>
    tools.record.step("tag of the replies", "", () =>
      Promise.resolve(sha256(renderPack(pack)).slice(0, 4)),
    ),
  );
  const step = createCoderStep({
    request,
    tag,
    tools,
    trials,
    ...(request.review && { review: createReviewer(request, request.review, tools) }),
    pack,
    repositoryFiles: new Set(survey.files),
    ...(request.pack === undefined && {
      lookAgain: (before: ContextPack, failure: Failure) => scout.lookAgain(before, failure),
    }),
    judge,
    hookFolders: hooks,
  });
  const { routes, agents, limits, options } = request;
  const { maxAttempts } = limits;
  const coded = await inStep(tools, "coder", () =>
    climbRoute<Coded>(
      {
        step: "coder",
        agent: agents.coder,
        route: routes.coder,
        ladder: request.ladders?.coder,
        waitMs: limits.waitMs,
        maxAttempts,
        repairs: options.repairs,
        ...step,
      },
      tools,
    ),
  );
  if (coded.ok) {
    await trials.accept();
    return land(request, coded.value, pack);
  }
  const kept = coded.end === "exhausted" ? await trials.keepLast() : undefined;
  return {
    ...outcomeOf(coded, "exhausted"),
    changedFiles: kept?.operations.map(({ path }) => path) ?? [],
  };
}

/** Everybody who may be asked. */
function candidatesOf({ routes, ladders, review }: RunRequest): readonly Candidate[] {
  const above = [...(ladders?.scout?.routes ?? []), ...(ladders?.coder?.routes ?? [])];
  const all = [routes.scout, routes.coder, ...above, ...(review ? [review.route] : [])];
  return all.flatMap(({ candidates }) => candidates);
}

/** The user's pack, or the scout's. */
async function packFor(
  request: RunRequest,
  tools: ClimbTools,
  step: ScoutStep,
): Promise<ClimbResult<ContextPack>> {
  if (request.pack !== undefined) {
    const pack = addTaskLimits(request.pack, request.task);
    await announcePack(pack, [], tools);
    return { ok: true, value: pack, attempts: 0 };
  }
  return inStep(tools, "scout", () => climbScout(step, request, tools));
}

function printed(result: GateResult): string {
  return result.commands.map(({ output }) => output).join("\n");
}

/** Says before anything is paid that the tests are red for what looks like another reason. */
async function sayIfUnrelated(
  request: RunRequest,
  tools: ClimbTools,
  red: GateResult,
  survey: SurveyResult,
): Promise<void> {
  const likely = survey.ranked.filter(({ forTask }) => forTask).map(({ path }) => path);
  if (isRelatedToTask(printed(red), request.task, likely, request.workspace.root)) return;
  const commands = red.commands.map(({ command }) => commandText(command)).join(", ");
  await tools.record.emit({
    type: "note",
    level: "warning",
    message: `The tests are red before any change, and nothing in their output speaks of this task (${commands}). A change can only succeed when they turn green: narrow them with --test.`,
  });
}

/** A change made in a tree of its own comes home; one made in the user's is there. */
async function land(request: RunRequest, coded: Coded, pack: ContextPack): Promise<RunOutcome> {
  const { plan } = coded.applied;
  if (request.land === undefined) return successOf(coded, coded.applied.id);
  const result = await request.land(plan, pack);
  if (!result.ok) return ended(result.failure);
  await request.record.emit({ type: "landed", ...result.landed });
  return successOf(coded, result.landed.transaction);
}

function successOf({ applied, verdict }: Coded, transaction: string | undefined): RunOutcome {
  return {
    outcome: verdict === undefined ? "untested" : "success",
    exitCode: 0,
    changedFiles: applied.plan.operations.map(({ path }) => path),
    ...(transaction !== undefined && { transaction }),
  };
}

/** `replied`: what it is called where somebody replied, without success. */
function outcomeOf(
  result: Extract<ClimbResult<unknown>, { ok: false }>,
  replied: "no_pack" | "exhausted",
): RunOutcome {
  const { end, failure, nextCandidate } = result;
  if (end === "stopped" && failure !== undefined) return ended(failure);
  const tried = result.replied ? replied : "exhausted";
  const outcome = end === "no_call" ? "no_model" : tried;
  return {
    outcome,
    exitCode: exitCodeOf(outcome, result.replied),
    changedFiles: [],
    ...(failure && { failure }),
    ...(nextCandidate && { nextCandidate }),
  };
}

/** The outcome of a failure whose move is to stop. */
function ended(failure: Failure): RunOutcome {
  const outcomes: Partial<Record<Failure["kind"], OutcomeKind>> = {
    conflict: "conflict",
    environment: "environment",
    interrupted: "interrupted",
  };
  const outcome = outcomes[failure.kind] ?? "stopped";
  return { outcome, exitCode: exitCodeOf(outcome, true), changedFiles: [], failure };
}

/** A broken machine as a failure; undefined for anything else, which is a bug. */
function environmentFailure(error: unknown, records: string): Failure | undefined {
  if (codeOf(error) === "ENOENT" && !existsSync(records)) {
    return {
      kind: "environment",
      message: "kit's records were removed while it worked",
      mend: "A test command that cleans the tree (git clean -x) has to spare .kit: -e .kit",
    };
  }
  if (error instanceof KitError && error.kind === "environment") {
    return {
      kind: "environment",
      message: error.message,
      ...(error.next !== undefined && { mend: error.next }),
    };
  }
  const found = systemFaultOf(error);
  if (found === undefined || !(error instanceof Error)) return undefined;
  return { kind: "environment", message: error.message, mend: found.mend };
}

function nextStep(failure: Failure): { next?: string } {
  if (failure.kind === "environment" && failure.mend !== undefined) return { next: failure.mend };
  if (failure.kind === "conflict" && failure.keptIn !== undefined)
    return { next: `Both versions are kept: ${failure.keptIn}` };
  if (failure.kind === "usage_limit" && failure.resetAt !== undefined)
    return { next: afterReset(failure.resetAt) };
  return {};
}
