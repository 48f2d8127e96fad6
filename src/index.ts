/** The library of kit: what the command line does, for programs. */
// Modules, not the indexes of rooms: those also export zod schemas, and the published types
// must not name a package that a consumer does not have.
export * from "./contracts/index.ts";
export { kitVersion } from "./cli/package.ts";
export { listRuns, readRun, type RunListed, type RunRead } from "./runs/history.ts";
export { type AttemptReceipt, type Receipt, receiptOf } from "./runs/receipt.ts";
export { createRunId } from "./runs/run-id.ts";
export {
  continueRun,
  createRun,
  type RunRecord,
  type RunRecordOptions,
} from "./runs/run-record.ts";
export { kitOwnTime, type Totals, totalsOf } from "./runs/totals.ts";
