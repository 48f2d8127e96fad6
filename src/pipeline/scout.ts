import type {
  Candidate,
  ContextPack,
  Failure,
  GateResult,
  SurveyResult,
} from "../contracts/index.ts";
import {
  addTaskLimits,
  checkPackReply,
  describePackErrors,
  type PackError,
  renderPack,
  selfCheckPack,
} from "../context-pack/index.ts";
import { commandText } from "../gate/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { failingOutput } from "./baseline.ts";
import { candidateLabel } from "./calls.ts";
import {
  type ClimbResult,
  climbRoute,
  type ClimbTools,
  type Judgement,
  type Player,
} from "./climb.ts";
import { failureLine } from "./failure-table.ts";
import { earlierRunsFor, withEarlierRuns } from "./memory.ts";
import { contentTokens, fitToBudget } from "./pack-size.ts";
import type { ScoutRequest } from "./ports.ts";
import { scoutPrompt, systemPromptOf } from "./prompts.ts";
import { createReadAhead } from "./read-ahead.ts";
import { lookAgain } from "./second-look.ts";
import { promptRoom } from "./window.ts";

/** What the scout's step knows of the repository when it starts. */
export interface ScoutStepOptions {
  readonly request: ScoutRequest;
  readonly tools: ClimbTools;
  readonly survey: SurveyResult;
  /** Where it was there in time. */
  readonly baseline: GateResult | undefined;
}

/** The scout's step: each candidate writes a pack from the survey until one is valid. */
export interface ScoutStep {
  play(candidate: Candidate, attempt: number): Player<ContextPack>;
  onFailure(candidate: Candidate, attempt: number, failure: Failure): Promise<void>;
  /** Once a run: the pack with files that the scout finds after a coder changed nothing. */
  lookAgain(pack: ContextPack, failure: Failure): Promise<ContextPack>;
}

export function createScoutStep(options: ScoutStepOptions): ScoutStep {
  const { request, tools, survey, baseline } = options;
  const rejected: string[] = [];
  let author: { readonly candidate: Candidate; readonly attempt: number } | undefined;
  const systemPrompt = systemPromptOf(request.agents.scout, request.options.language);

  const packs = createReadAhead((reply: string) => packFrom(reply, options));

  return {
    play: (candidate, attempt) => ({
      systemPrompt,
      prompt: (maxTokens) =>
        Promise.resolve(
          promptFor(
            request,
            request.workspace.root,
            survey,
            baseline,
            rejected,
            systemPrompt,
            candidate,
            maxTokens,
          ),
        ),
      readAhead: packs.prepare,
      judge(reply) {
        author = { candidate, attempt };
        return announceProposed(packs.take(reply), tools);
      },
      tell: () => Promise.resolve(),
    }),
    onFailure(candidate, _attempt, failure) {
      if (failure.kind === "pack_invalid")
        rejected.push(`${candidateLabel(candidate)}: ${failureLine(failure)}`);
      return Promise.resolve();
    },
    async lookAgain(pack, failure) {
      if (author === undefined) return pack;
      const { candidate, attempt } = author;
      author = undefined;
      return lookAgain({ request, tools, survey, candidate, attempt }, pack, failure);
    },
  };
}

/** Asks the scout's route until a pack is valid. */
export function climbScout(
  step: ScoutStep,
  { agents, routes, ladders, limits }: ScoutRequest,
  tools: ClimbTools,
): Promise<ClimbResult<ContextPack>> {
  return climbRoute<ContextPack>(
    {
      step: "scout",
      agent: agents.scout,
      route: routes.scout,
      ladder: ladders?.scout,
      waitMs: limits.waitMs,
      maxAttempts: limits.maxAttempts,
      repairs: "off",
      ...step,
    },
    tools,
  );
}

/** The scout's prompt for one candidate's window. */
export function promptFor(
  request: Pick<ScoutRequest, "task" | "testCommands" | "memory">,
  root: string,
  survey: SurveyResult,
  baseline: GateResult | undefined,
  rejected: readonly string[],
  systemPrompt: string,
  candidate: Candidate | undefined,
  maxTokens = Number.POSITIVE_INFINITY,
): string {
  const room = Math.min(promptRoom(candidate, systemPrompt), maxTokens);
  const failing = failingOutput(baseline, root);
  const earlierRuns = earlierRunsFor(request.memory, request.task, failing !== undefined);
  return scoutPrompt({
    task: request.task,
    survey,
    testCommands: request.testCommands,
    rejected,
    fits: (prompt) => estimateTokens(prompt) <= room,
    ...(failing !== undefined && { failingOutput: failing }),
    ...(earlierRuns !== undefined && { earlierRuns }),
  });
}

/** A pack that a scout proposed and that is valid. */
interface Proposed {
  readonly pack: ContextPack;
  /** What was mended, cut and added, a line each. */
  readonly report: readonly string[];
  /** Commands that it names and nobody knows. */
  readonly commands: readonly string[];
}

function packFrom(reply: string, { request, survey }: ScoutStepOptions): Judgement<Proposed> {
  const { task, workspace, memory } = request;
  const refuse = (errors: readonly PackError[]): Judgement<Proposed> => ({
    ok: false,
    failure: { kind: "pack_invalid", message: describePackErrors(errors) },
  });
  const { root } = workspace;
  const read = checkPackReply(reply, {
    root,
    files: survey.files,
    task,
    knownCommands: request.testCommands.map(commandText),
  });
  if (!read.ok) return refuse(read.errors);
  const { pack: own, report: cuts } = fitToBudget(root, addTaskLimits(read.pack, task));
  const check = selfCheckPack(own, { task, files: survey.files });
  if (check.errors.length > 0) return refuse(check.errors);
  const { pack, added } = withEarlierRuns(own, memory, task, () => contentTokens(root, own));
  const report = [...read.report.lines, ...cuts, ...added];
  return { ok: true, value: { pack, report, commands: read.report.commands.proposed } };
}

async function announceProposed(
  proposed: Judgement<Proposed>,
  tools: ClimbTools,
): Promise<Judgement<ContextPack>> {
  if (!proposed.ok) return proposed;
  const { pack, report, commands } = proposed.value;
  await announcePack(pack, report, tools);
  for (const command of commands) {
    await tools.record.emit({
      type: "note",
      level: "info",
      message: `Proposed by the scout, not run: ${command}`,
    });
  }
  return { ok: true, value: pack };
}

/** Records a pack that the coder will get. */
export async function announcePack(
  pack: ContextPack,
  report: readonly string[],
  tools: ClimbTools,
): Promise<void> {
  const markdown = renderPack(pack);
  const hash = tools.record.object(markdown, "context-pack.md");
  await tools.record.emit({
    type: "pack_ready",
    pack: hash,
    files: pack.relevantFiles.length,
    tokens: estimateTokens(markdown),
    report,
  });
}
