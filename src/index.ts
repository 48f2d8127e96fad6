/** The library of kit: what the command line does, for programs. */
// Rooms with zod behind their index are named module by module: the published types must not
// name a package that a consumer does not have.
export * from "./contracts/index.ts";
export { createAdapters, createPiAdapter, type PiAdapterOptions } from "./adapters/index.ts";
export { findAgent, type LoadedAgents, loadAgents } from "./agents/index.ts";
export * from "./changes/index.ts";
export { kitVersion } from "./cli/package.ts";
export {
  configLayers,
  type LoadedSettings,
  loadSettings,
  overrideSettings,
  packageRoot,
} from "./config/index.ts";
export * from "./context-pack/index.ts";
export {
  compare,
  findTestCommands,
  findWeakening,
  isTestFile,
  runTestCommand,
  runTests,
} from "./gate/index.ts";
export { type FailureRow, failureTable, type Move } from "./pipeline/failure-table.ts";
export {
  type HeldWorkspace,
  openInPlace,
  recoverTree,
  type TreePlace,
} from "./pipeline/in-place-workspace.ts";
export type {
  Clock,
  RunLimits,
  RunOptions as PipelineOptions,
  RunOutcome,
  RunRequest,
} from "./pipeline/ports.ts";
export { runPipeline } from "./pipeline/run.ts";
export { type Memory } from "./memory/pool.ts";
export { readJournal } from "./memory/journal-file.ts";
export { loadRegistry, resolveRoute } from "./routing/index.ts";
export { openLedger, type OpenLedgerRequest, openMemoryLedger } from "./routing/quota/open.ts";
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
export { readPackFiles, surveyRepository, type SurveyRequest } from "./survey/index.ts";
