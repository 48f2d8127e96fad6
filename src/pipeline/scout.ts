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
  prunePack,
  renderPack,
  selfCheckPack,
} from "../context-pack/index.ts";
import { commandText } from "../gate/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { failingOutput } from "./baseline.ts";
import { candidateLabel } from "./calls.ts";
import type { ClimbTools, Judgement, Player } from "./climb.ts";
import { failureLine } from "./failure-table.ts";
import type { RunRequest } from "./ports.ts";
import { scoutPrompt, systemPromptOf } from "./prompts.ts";

/** Tokens of a window that are left to the reply. */
const REPLY_TOKENS = 8_000;

/** What the scout's step knows of the repository when it starts. */
export interface ScoutStepOptions {
  readonly request: RunRequest;
  readonly tools: ClimbTools;
  readonly survey: SurveyResult;
  /** Where it was there in time. */
  readonly baseline: GateResult | undefined;
}

/** The scout's step: each candidate writes a pack from the survey until one is valid. */
export interface ScoutStep {
  play(candidate: Candidate, attempt: number): Player<ContextPack>;
  onFailure(candidate: Candidate, attempt: number, failure: Failure): Promise<void>;
}

export function createScoutStep(options: ScoutStepOptions): ScoutStep {
  const { request, tools, survey, baseline } = options;
  const rejected: string[] = [];
  const systemPrompt = systemPromptOf(request.agents.scout, request.options.language);

  return {
    play: (candidate) => ({
      systemPrompt,
      prompt: () =>
        Promise.resolve(
          promptFor(
            request,
            request.workspace.root,
            survey,
            baseline,
            rejected,
            systemPrompt,
            candidate,
          ),
        ),
      judge: (reply) => judgePack(reply, options, tools),
      tell: () => Promise.resolve(),
    }),
    onFailure(candidate, _attempt, failure) {
      if (failure.kind === "pack_invalid")
        rejected.push(`${candidateLabel(candidate)}: ${failureLine(failure)}`);
      return Promise.resolve();
    },
  };
}

/** The scout's prompt for one candidate's window. */
export function promptFor(
  request: Pick<RunRequest, "task" | "testCommands">,
  root: string,
  survey: SurveyResult,
  baseline: GateResult | undefined,
  rejected: readonly string[],
  systemPrompt: string,
  candidate: Candidate | undefined,
): string {
  const window = candidate?.binding.contextWindow;
  const room =
    window === undefined
      ? Number.POSITIVE_INFINITY
      : window - REPLY_TOKENS - estimateTokens(systemPrompt);
  const failing = failingOutput(baseline, root);
  return scoutPrompt({
    task: request.task,
    survey,
    testCommands: request.testCommands,
    rejected,
    fits: (prompt) => estimateTokens(prompt) <= room,
    ...(failing !== undefined && { failingOutput: failing }),
  });
}

async function judgePack(
  reply: string,
  { request, survey }: ScoutStepOptions,
  tools: ClimbTools,
): Promise<Judgement<ContextPack>> {
  const { task, testCommands, workspace } = request;
  const refuse = (errors: readonly PackError[]): Judgement<ContextPack> => ({
    ok: false,
    failure: { kind: "pack_invalid", message: describePackErrors(errors) },
  });
  const read = checkPackReply(reply, {
    root: workspace.root,
    files: survey.files,
    task,
    knownCommands: testCommands.map(commandText),
  });
  if (!read.ok) return refuse(read.errors);
  const { pack, cuts } = prunePack(addTaskLimits(read.pack, task));
  const check = selfCheckPack(pack, { task, files: survey.files });
  if (check.errors.length > 0) return refuse(check.errors);
  await announcePack(pack, [...read.report.lines, ...cuts], tools);
  for (const command of read.report.commands.proposed) {
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
  const hash = await tools.record.object(markdown);
  await tools.record.link("context-pack.md", hash);
  await tools.record.emit({
    type: "pack_ready",
    pack: hash,
    files: pack.relevantFiles.length,
    tokens: estimateTokens(markdown),
    report,
  });
}
