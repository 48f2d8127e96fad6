import { readFileSync } from "node:fs";
import { join } from "node:path";

// Adds up what the JSON reporter of vitest wrote for each suite: `count-tests.ts FOLDER SUITE…`.
// A suite without a file has not run to its end, which is a failure.

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** False also where a file could not be loaded. */
  readonly success: boolean;
}

const [folder = ".", ...suites] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };

for (const suite of suites) {
  const results = read(join(folder, `${suite}.json`));
  if (!results) {
    console.log(`The suite "${suite}" did not run to its end.`);
    total.failed += 1;
    continue;
  }
  total.passed += results.numPassedTests;
  total.failed += results.numFailedTests;
  total.skipped += results.numPendingTests + results.numTodoTests;
  if (!results.success && results.numFailedTests === 0) {
    console.log(`The suite "${suite}" has a file that could not be loaded.`);
    total.failed += 1;
  }
}

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
if (total.failed > 0) process.exitCode = 1;

function read(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Results;
  } catch {
    return undefined;
  }
}
