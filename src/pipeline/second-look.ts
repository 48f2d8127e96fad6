import type { Candidate, ContextPack, Failure, SurveyResult } from "../contracts/index.ts";
import { budgetOf, checkPackReply, renderPack } from "../context-pack/index.ts";
import { commandText } from "../gate/index.ts";
import type { ClimbTools } from "./climb.ts";
import { failureLine } from "./failure-table.ts";
import type { ScoutRequest } from "./ports.ts";
import { scoutPrompt, systemPromptOf } from "./prompts.ts";
import { estimateTokens } from "../lib/text.ts";
import { sizeWithFiles } from "./pack-size.ts";
import { promptRoom } from "./window.ts";

/** Files a second look may add, at most. */
const MOST_FILES = 5;

/** The scout that wrote the pack, and what it saw. */
export interface Scouted {
  readonly request: ScoutRequest;
  readonly tools: ClimbTools;
  readonly survey: SurveyResult;
  readonly candidate: Candidate;
  readonly attempt: number;
}

/**
 * Asks the scout once more, after a coder that changed nothing: the pack may lack the file where
 * the change belongs. Only files are taken from its answer, as many as the pack's budget holds;
 * whatever goes wrong, the pack is the one it was.
 */
export async function lookAgain(
  { request, tools, survey, candidate, attempt }: Scouted,
  pack: ContextPack,
  failure: Failure,
): Promise<ContextPack> {
  const { task, testCommands, workspace, agents, options } = request;
  const systemPrompt = systemPromptOf(agents.scout, options.language);
  const room = promptRoom(candidate, systemPrompt);
  const prompt = scoutPrompt({
    task,
    survey,
    testCommands,
    rejected: [],
    fits: (text) => estimateTokens(text) <= room,
    notEnough: { pack: renderPack(pack), because: failureLine(failure) },
  });
  const say = (message: string): Promise<void> =>
    tools.record.emit({ type: "note", level: "info", message });
  if (estimateTokens(prompt) > room) return pack;
  if (sizeWithFiles(workspace.root, pack) >= budgetOf(pack)) {
    await say("The scout was not asked again: the pack's budget holds no further file");
    return pack;
  }
  const result = await tools.caller.send({
    step: "scout",
    attempt,
    candidate,
    systemPrompt,
    prompt,
    about: "second look",
    othersWait: true,
  });
  const read = result.ok
    ? checkPackReply(result.text, {
        root: workspace.root,
        files: survey.files,
        task,
        knownCommands: testCommands.map(commandText),
      })
    : undefined;
  if (read?.ok !== true) {
    await say("The scout looked again, without an answer that could be used");
    return pack;
  }
  const grown = withFilesOf(workspace.root, pack, read.pack);
  const added = grown.relevantFiles.slice(pack.relevantFiles.length).map(({ path }) => path);
  await say(
    added.length === 0
      ? "The scout looked again and found no further file"
      : `The scout looked again and added ${added.join(", ")}`,
  );
  return grown;
}

function withFilesOf(root: string, pack: ContextPack, second: ContextPack): ContextPack {
  const known = new Set(pack.relevantFiles.map(({ path }) => path));
  const others = second.relevantFiles.filter(({ path }) => !known.has(path)).slice(0, MOST_FILES);
  let grown = pack;
  for (const file of others) {
    const larger = { ...grown, relevantFiles: [...grown.relevantFiles, file] };
    if (sizeWithFiles(root, larger) <= budgetOf(pack)) grown = larger;
  }
  return grown;
}
