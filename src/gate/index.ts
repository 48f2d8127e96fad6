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
} from "./commands/commands.ts";
export { compare, type CompareOptions } from "./verdict/compare.ts";
export { digest, type DigestOptions } from "./verdict/digest.ts";
export { endedText } from "./verdict/ended.ts";
export { judgeEnvironment } from "./faults/environment-faults.ts";
export { testEnvironment, type TestEnvironment } from "./running/environment-variables.ts";
export { judgeFiles } from "./judges/judge-files.ts";
export { type ManifestScript, manifestScript } from "./commands/manifest-script.ts";
export { isRelatedToTask } from "./verdict/related.ts";
export { narrowedCommand } from "./commands/narrow-facts.ts";
export { runTests, type GateRun } from "./running/run.ts";
export { isRunnerConfiguration, isTestFile, mayCreateTestFile } from "./judges/test-files.ts";
export {
  bothUnsteady,
  isRepeatable,
  steady,
  testKey,
  type Unsteady,
  unsteadyBetween,
  unsteadyNames,
} from "./verdict/steadiness.ts";
export { sandboxHints } from "./sandbox/denials.ts";
export { openSandbox, type Sandbox } from "./sandbox/open-sandbox.ts";
export { findSandbox, probeSandbox } from "./sandbox/probe.ts";
export { trySandbox, type SandboxTrial } from "./sandbox/trial.ts";
export { runTestCommand } from "./running/test-process.ts";
export { isSensitive } from "./verdict/sensitivity.ts";
export { findSilencing } from "./judges/silencing.ts";
export { countsOf, judgeTree, type TreeVerdict } from "./verdict/tree-verdict.ts";
export { failureOf } from "./verdict/verdict-failure.ts";
export { verdictTable } from "./verdict/verdict-table.ts";
export { createsTests, findWeakening, weakeningOf, type Weakening } from "./judges/weakening.ts";
