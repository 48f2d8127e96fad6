import { idleRuns } from "./idle-runs.ts";
import { boundedLines } from "./output-lines.ts";
import { isTestFile } from "../judges/test-files.ts";

/** How many tests a runner says it collected, and what became of them. */
export interface TestCounts {
  readonly runner: string;
  /** Tests that were run; skipped ones are not among them. */
  readonly ran: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The closing lines of one runner. */
interface Summary {
  readonly runner: string;
  /** A real closing, kept so that the row can be checked. */
  readonly evidence: string;
  /** What is counted of it. */
  readonly counts: Omit<TestCounts, "runner">;
  /** Counts one closing; global and multiline. A command may print several. */
  readonly pattern: RegExp;
  read(match: RegExpExecArray): Omit<TestCounts, "runner">;
}

/**
 * Closing lines by runner. Named groups `passed`, `failed`, `skipped` are read as numbers,
 * absent is zero.
 */
export const summaries: readonly Summary[] = [
  {
    // `ℹ` in the spec reporter, `#` in TAP; one block for the whole run.
    runner: "node:test",
    evidence:
      "ℹ tests 3\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 5",
    counts: { ran: 2, failed: 1, skipped: 1 },
    pattern:
      /^[ℹ#] tests \d+\n[ℹ#] suites \d+\n[ℹ#] pass (?<passed>\d+)\n[ℹ#] fail (?<failed>\d+)\n[ℹ#] cancelled (?<cancelled>\d+)\n[ℹ#] skipped (?<skipped>\d+)/gm,
    read: sum,
  },
  {
    runner: "vitest",
    evidence:
      " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed | 2 skipped (7)",
    counts: { ran: 5, failed: 1, skipped: 2 },
    pattern:
      /^ *Tests {2}(?:(?<failed>\d+) failed)?(?: \| )?(?:(?<passed>\d+) passed)?(?: \| )?(?:(?<skipped>\d+) skipped)?(?: \| )?(?:\d+ todo)? \(\d+\)$/gm,
    read: sum,
  },
  {
    runner: "vitest",
    evidence: "No test files found, exiting with code 1",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^No test files found, exiting with code \d/gm,
    read: nothing,
  },
  {
    runner: "vitest",
    evidence: " Test Files  no tests\n      Tests  no tests",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^ *Tests {2}no tests$/gm,
    read: nothing,
  },
  {
    runner: "jest",
    evidence: "Tests:       1 failed, 1 skipped, 3 passed, 5 total",
    counts: { ran: 4, failed: 1, skipped: 1 },
    pattern:
      /^Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) skipped, )?(?:\d+ todo, )?(?:(?<passed>\d+) passed, )?\d+ total$/gm,
    read: sum,
  },
  {
    runner: "jest",
    evidence: "No tests found, exiting with code 0",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^No tests found, exiting with code \d/gm,
    read: nothing,
  },
  {
    runner: "mocha",
    evidence: "  3 passing (12ms)\n  1 pending\n  2 failing",
    counts: { ran: 5, failed: 2, skipped: 1 },
    pattern:
      /^ *(?<passed>\d+) passing \([^)]+\)(?:\n *(?<skipped>\d+) pending)?(?:\n *(?<failed>\d+) failing)?$/gm,
    read: sum,
  },
  {
    runner: "pytest",
    evidence: "=================== 1 failed, 2 passed, 1 skipped in 0.12s ====================",
    counts: { ran: 3, failed: 1, skipped: 1 },
    pattern:
      /^=*(?: |^)(?=\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)\b)(?<list>[\w ,]+?) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm,
    read: (match) => ({
      ran:
        listed(match, "passed") +
        listed(match, "failed") +
        listed(match, "errors?") +
        listed(match, "x(?:failed|passed)"),
      failed: listed(match, "failed") + listed(match, "errors?"),
      skipped: listed(match, "skipped"),
    }),
  },
  {
    runner: "pytest",
    evidence: "============================ no tests ran in 0.01s =============================",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^(?:=+ )?no tests ran in [\d.]+s(?: =+)?$/gm,
    read: nothing,
  },
  {
    // unittest; `Ran 0 tests` ends with OK before Python 3.12.
    runner: "unittest",
    evidence: "Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)",
    counts: { ran: 2, failed: 2, skipped: 1 },
    pattern:
      /^Ran (?<total>\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((?<list>[^)]*)\))?$/gm,
    read(match) {
      const of = (name: string): number =>
        Number(new RegExp(`\\b${name}=(\\d+)`).exec(match.groups?.["list"] ?? "")?.[1] ?? 0);
      const skipped = of("skipped");
      return {
        ran: number(match, "total") - skipped,
        failed: of("failures") + of("errors"),
        skipped,
      };
    },
  },
  {
    runner: "cargo test",
    evidence:
      "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    counts: { ran: 3, failed: 1, skipped: 1 },
    pattern:
      /^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored;/gm,
    read: sum,
  },
  {
    runner: "rspec",
    evidence: "4 examples, 1 failure, 1 pending",
    counts: { ran: 3, failed: 1, skipped: 1 },
    pattern:
      /^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?(?:, (?<errors>\d+) errors? occurred outside of examples)?$/gm,
    read(match) {
      const skipped = number(match, "skipped");
      const errors = number(match, "errors");
      return {
        ran: number(match, "total") - skipped + errors,
        failed: number(match, "failed") + errors,
        skipped,
      };
    },
  },
  {
    runner: "phpunit",
    evidence: "No tests executed!",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^No tests executed!$/gm,
    read: nothing,
  },
  {
    runner: "phpunit",
    evidence: "OK (3 tests, 5 assertions)",
    counts: { ran: 3, failed: 0, skipped: 0 },
    pattern: /^OK \((?<passed>\d+) tests?, \d+ assertions?\)$/gm,
    read: sum,
  },
  {
    // A red one is not counted here and below: asked to be quiet, these say nothing of a green.
    runner: "dotnet test",
    evidence:
      "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - a.dll",
    counts: { ran: 5, failed: 0, skipped: 1 },
    pattern:
      /^Passed! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+), Skipped: +(?<skipped>\d+), Total: /gm,
    read: sum,
  },
  {
    runner: "dotnet test",
    evidence: "No test is available in /repo/a.dll. Make sure that test discoverer is registered.",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^(?:No test is available in .*|Total tests: 0)$/gm,
    read: nothing,
  },
  {
    runner: "maven surefire",
    evidence: "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
    counts: { ran: 2, failed: 0, skipped: 1 },
    pattern:
      /^\[(?:INFO|WARNING)\] Tests run: (?<total>\d+), Failures: 0, Errors: 0, Skipped: (?<skipped>\d+)$/gm,
    read(match) {
      const skipped = number(match, "skipped");
      return { ran: number(match, "total") - skipped, failed: 0, skipped };
    },
  },
  {
    runner: "maven surefire",
    evidence: "[INFO] No tests to run.",
    counts: { ran: 0, failed: 0, skipped: 0 },
    pattern: /^\[INFO\] No tests to run\.$/gm,
    read: nothing,
  },
];

/**
 * What the runners of one output say they ran, added up where a command started several;
 * undefined where no closing line is known, or two different runners speak (one may be the
 * output of a test).
 * @param output as printed.
 */
export function countTests(output: string): TestCounts | undefined {
  const text = boundedLines(output).join("\n");
  const found = closings(text);
  const [first] = found;
  if (first === undefined) return idle(text);
  if (first.runner === "node:test") found.push(filesWithoutTests(text));
  if (found.some(({ runner }) => runner !== first.runner)) return undefined;
  return found.slice(1).reduce<TestCounts>(
    (all, each) => ({
      runner: all.runner,
      ran: all.ran + each.ran,
      failed: all.failed + each.failed,
      skipped: all.skipped + each.skipped,
    }),
    first,
  );
}

/** True where the closing lines of a known runner stand, be they one runner's or of several. */
export function hasSummary(output: string): boolean {
  const text = boundedLines(output).join("\n");
  return closings(text).length > 0 || idle(text) !== undefined;
}

function closings(text: string): TestCounts[] {
  return summaries.flatMap((summary) =>
    [...text.matchAll(summary.pattern)].map((match) => ({
      runner: summary.runner,
      ...summary.read(match),
    })),
  );
}

/**
 * node counts a file in which no test ran as one passed test of the file's name. A title of
 * several words must look like a test file: `loads config.js` is a test.
 */
function filesWithoutTests(text: string): TestCounts {
  const lines = text.matchAll(/^(?:✔|ok \d+ -) (?<name>\S.*\.[cm]?[jt]sx?)(?: \([\d.]+ms\))?$/gm);
  const names = [...lines].map((match) => match.groups?.["name"] ?? "");
  const files = names.filter((name) => !name.includes(" ") || isTestFile(name));
  return { runner: "node:test", ran: -files.length, failed: 0, skipped: 0 };
}

function idle(text: string): TestCounts | undefined {
  const row = idleRuns.find(({ says, unless }) => says.test(text) && !unless.test(text));
  return row === undefined ? undefined : { runner: row.runner, ran: 0, failed: 0, skipped: 0 };
}

function sum(match: RegExpExecArray): Omit<TestCounts, "runner"> {
  const failed = number(match, "failed") + number(match, "cancelled");
  return { ran: number(match, "passed") + failed, failed, skipped: number(match, "skipped") };
}

function nothing(): Omit<TestCounts, "runner"> {
  return { ran: 0, failed: 0, skipped: 0 };
}

function number(match: RegExpExecArray, group: string): number {
  return Number(match.groups?.[group] ?? 0);
}

/** `2 passed` of a comma list. */
function listed(match: RegExpExecArray, word: string): number {
  return Number(new RegExp(`\\b(\\d+) ${word}\\b`).exec(match.groups?.["list"] ?? "")?.[1] ?? 0);
}
