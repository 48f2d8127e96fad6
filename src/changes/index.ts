/**
 * What does the reply change? Reads what a model wrote, holds it against the files and applies it
 * to the byte or not at all. Leaves to others: what may be asked of a model, whether the change
 * is good, and what happens after a failure.
 */
export { diskTree } from "./disk-tree.ts";
export { checkWritePath, type WritePathResult } from "./paths.ts";
export {
  openTransactions,
  type ApplyResult,
  type RecoveredTransaction,
  type RecoveryReport,
  type TransactionOptions,
  type Transactions,
} from "./transaction/transactions.ts";
