/**
 * What would pi's own settings say of kit's agents, and what does pi load of kit? Proposes, compares and
 * merges one block of pi's `settings.json`, and judges what a started pi names. It leaves to others:
 * which agents and routes there are (`agents`, `routing`), starting pi (`adapters`), asking (`cli`).
 */
export { compareOverrides, type OverrideChange } from "./difference.ts";
export { agentFiles, type AgentFile } from "./agent-files.ts";
export {
  judgeLoaded,
  type LoadedCommand,
  type LoadedPart,
  type PartState,
  subagentExtensions,
} from "./loaded.ts";
export { piAgentFolder, readLiveSettings, type LiveSettings } from "./live-settings.ts";
export { mergeOverrides } from "./merge.ts";
export {
  proposalBlock,
  proposeOverrides,
  type AgentRoute,
  type LeftOutAgent,
  type Proposal,
  type ProposedOverride,
} from "./proposal.ts";
export { replaceSettings, type Replaced } from "./replace.ts";
