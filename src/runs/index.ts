/**
 * Runs answers: what happened? It keeps the events, contents and receipt of each run, replays
 * finished steps, and reads runs back, also damaged ones.
 * It leaves to others what happens next (pipeline) and how it is shown (cli).
 */
export { type EventReader } from "./event-log.ts";
export { eventSchemas } from "./event-schema.ts";
export { listRuns, newestRuns, readRun, type RunListed, type RunRead } from "./history.ts";
export { type AttemptReceipt, type Receipt, receiptOf } from "./receipt.ts";
export { receiptFields, receiptSchema } from "./receipt-schema.ts";
export {
  leftoversIn,
  mayBeGoingOn,
  outdatedRuns,
  removeRuns,
  type RunLimitsKept,
  transactionsOf,
} from "./removal.ts";
export { ignoreRemains } from "./objects.ts";
export { redactDeep } from "./redacted.ts";
export { createRunId } from "./run-id.ts";
export { listRows, type RowListed } from "./rows/list.ts";
export { recordProcesses } from "./processes.ts";
export { continueRun, createRun, type RunRecord, type RunRecordOptions } from "./run-record.ts";
export { type Recall, type Step } from "./steps.ts";
export { type PaidCall, paidCalls } from "./telling.ts";
export { kitOwnTime, type Totals, totalsOf, workedTime } from "./totals.ts";
