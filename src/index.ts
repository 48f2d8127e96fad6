/** The library of kit: what the command line does, for programs. */
export * from "./contracts/index.ts";
export { createRun, createRunId, listRuns, readRun, receiptOf } from "./runs/index.ts";
export { kitVersion } from "./cli/package.ts";
