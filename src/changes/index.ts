/**
 * What does the reply change? Reads what a model wrote, holds it against the files and applies it
 * to the byte or not at all. Leaves to others: what may be asked of a model, whether the change
 * is good, and what happens after a failure.
 */
export { diffLines } from "./diff/lines.ts";
export { diffOfPlan, type PlanDiff } from "./diff/unified.ts";
export { diskTree } from "./disk-tree.ts";
export { hookFolders } from "./hook-folders.ts";
export { replyInstructions, type PromptFile, type ReplyInstructions } from "./instructions.ts";
export { checkWritePath, type WritePathResult } from "./paths.ts";
export { mergeReask, type MergeResult } from "./plan/merge-reask.ts";
export { planChanges, type PlanResult } from "./plan/plan.ts";
export type { WriteScope } from "./plan/scope.ts";
export { parseReply, type ParsedReply } from "./reply/parse.ts";
export { renderReply } from "./reply/render.ts";
export type { ReplyScope } from "./reply/scope.ts";
export type { MergeReport } from "./transaction/merge-back.ts";
export type { RecoveredTransaction } from "./transaction/recover.ts";
export {
  openTransactions,
  type ApplyResult,
  type RecoveryReport,
  type TransactionOptions,
  type Transactions,
} from "./transaction/transactions.ts";
export { memoryTree, type MemoryFile, type TreeEntry, type TreeReader } from "./tree.ts";
