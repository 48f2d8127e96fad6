/**
 * Is the change good? Which commands judge it, how they run, what their output means, and what
 * of a plan would touch the judge. It leaves to others: when to run, what a failure leads to
 * (`pipeline`), and where the tree comes from (the workspace).
 */
export {
  commandText,
  findTestCommands,
  folderText,
  sourceText,
  type TestCommandRequest,
} from "./commands.ts";
export { compare, type CompareOptions } from "./compare.ts";
export { digest, type DigestOptions } from "./digest.ts";
export { endedText } from "./ended.ts";
export { judgeEnvironment } from "./environment-faults.ts";
export { testEnvironment, type TestEnvironment } from "./environment-variables.ts";
export { judgeFiles } from "./judge-files.ts";
export { type ManifestScript, manifestScript } from "./manifest-script.ts";
export { isRelatedToTask } from "./related.ts";
export { narrowedCommand } from "./narrow-facts.ts";
export { runTests, type GateRun } from "./run.ts";
export { isRunnerConfiguration, isTestFile, mayCreateTestFile } from "./test-files.ts";
export {
  bothUnsteady,
  isRepeatable,
  steady,
  testKey,
  type Unsteady,
  unsteadyBetween,
  unsteadyNames,
} from "./steadiness.ts";
export { sandboxHints } from "./sandbox/denials.ts";
export { openSandbox, type Sandbox } from "./sandbox/open-sandbox.ts";
export { findSandbox } from "./sandbox/probe.ts";
export { runTestCommand } from "./test-process.ts";
export { isSensitive } from "./sensitivity.ts";
export { findSilencing } from "./silencing.ts";
export { countsOf, judgeTree, type TreeVerdict } from "./tree-verdict.ts";
export { failureOf } from "./verdict-failure.ts";
export { verdictTable } from "./verdict-table.ts";
export { createsTests, findWeakening, weakeningOf, type Weakening } from "./weakening.ts";
