import type { CommandResult, GateResult } from "../../contracts/index.ts";
import { missingTests } from "./collected.ts";
import { countTests, type TestCounts } from "./counts.ts";
import { isGreen } from "./ended.ts";

/** What the tests say of one tree by itself, without a baseline. */
export interface TreeVerdict {
  readonly kind: "green" | "red" | "vacuous" | "environment" | "unconfigured";
  /** One line for people. */
  readonly summary: string;
}

/** How many tests a command ran; undefined where nobody says. */
export function countsOf({ tests, output }: CommandResult): Omit<TestCounts, "runner"> | undefined {
  if (tests === undefined) {
    const counted = countTests(output);
    return counted && { ran: counted.ran, failed: counted.failed, skipped: counted.skipped };
  }
  const skipped = tests.filter(({ status }) => status === "skipped").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  return { ran: tests.length - skipped, failed, skipped };
}

/**
 * Judges the tree as it stands. A fault that a change could have caused counts as one of the
 * machine: here nobody changed anything.
 */
export function judgeTree(result: GateResult): TreeVerdict {
  const { commands, environment } = result;
  if (commands.length === 0) return { kind: "unconfigured", summary: "no test command is known" };
  if (environment !== undefined) return { kind: "environment", summary: environment.cause };
  if (!result.green) {
    const red = commands.filter((each) => !isGreen(each)).length || commands.length;
    const failed = commands.reduce((sum, each) => sum + (countsOf(each)?.failed ?? 0), 0);
    const counted = failed === 0 ? "" : `, ${failed} failed`;
    const which =
      commands.length === 1 ? "the test command" : `${red} of ${commands.length} commands`;
    return { kind: "red", summary: `${which} ended red${counted}` };
  }
  const options = { editedTests: new Set<string>(), isUnsteady: () => false };
  for (const each of commands) {
    const missing = missingTests(each, undefined, options);
    if (missing !== undefined) return { kind: "vacuous", summary: missing };
  }
  return { kind: "green", summary: "every test command ended green" };
}
