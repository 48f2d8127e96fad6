/**
 * In what order, and what happens on failure? The run from the task to the verdict, the table of
 * failures with their moves, and the tree a run holds while it works.
 * What each part does is left to the rooms it composes; what people see is left to cli.
 */
export { cleanUp, type CleanUpReport } from "./clean-up.ts";
export { type Blame, type FailureRow, failureTable, type Move } from "./failure-table.ts";
export {
  type HeldWorkspace,
  openInPlace,
  recoverTree,
  transactionsOf,
  type TreePlace,
} from "./in-place-workspace.ts";
export { createLanding, type Land, type LandingPlace, landingTransaction } from "./landing.ts";
export { journalFile, journalRun } from "./journal.ts";
export type {
  Clock,
  Ladder,
  RunLimits,
  RunOptions,
  RunOutcome,
  RunRecord,
  RunRequest,
} from "./ports.ts";
export { sizeWithFiles } from "./pack-size.ts";
export { type Replayed, replayRun } from "./replay/replay.ts";
export { systemPromptOf } from "./prompts.ts";
export { runPipeline } from "./run.ts";
export type { ReviewRequest } from "./review.ts";
export { promptFor } from "./scout.ts";
export { spentAccounts } from "./spent.ts";
export { circumstancesOf } from "./tree-key.ts";
export { changedBetween, treeHashOf, type TreeState, treeStateOf } from "./tree-state.ts";
export { openTestSandbox, type TestSandboxRequest } from "./test-sandbox.ts";
export { scoutAlone } from "./scout-alone.ts";
export { watchHooks } from "./hook-watch.ts";
