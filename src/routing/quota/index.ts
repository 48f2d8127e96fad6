/**
 * May this model be called now, and what did the calls cost? One ledger for all kit processes of
 * a user: limits with their resets, calls under way, spend by day.
 * Leaves to others: what a failure moves and who is asked next (pipeline), where the user's state is (lib).
 */
export {
  discardBrokenLedger,
  ledgerFile,
  openLedger,
  openMemoryLedger,
  type OpenLedger,
} from "./open.ts";
export {
  coolingIn,
  forgetLimits,
  type LedgerReport,
  type LimitReport,
  type PoolReport,
  readLedger,
  type SpendReport,
} from "./report.ts";
