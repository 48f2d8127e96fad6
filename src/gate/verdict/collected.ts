import type { CommandResult, TestCase } from "../../contracts/index.ts";
import { commandText } from "../commands/commands.ts";
import { countTests, hasSummary } from "./counts.ts";
import { isGreen } from "./ended.ts";

/** What may be missing with a change. */
export interface MissingOptions {
  /** Existing test files that the change was allowed to edit or delete. */
  readonly editedTests: ReadonlySet<string>;
  /** The test is known to give different results. */
  readonly isUnsteady: (id: string) => boolean;
}

/**
 * Why a green command judged less than it did before: no test, fewer of a file (by test), fewer in
 * all (by count), or no summary where there was one. Undefined: it judged as much.
 */
export function missingTests(
  now: CommandResult,
  before: CommandResult | undefined,
  options: MissingOptions,
): string | undefined {
  const text = commandText(now.command);
  if (now.tests !== undefined && ran(now.tests).length === 0) return `no test was run by ${text}`;
  if (now.tests !== undefined && before?.tests !== undefined) {
    return missingByTest(text, now.tests, before.tests, options);
  }
  if (before?.tests !== undefined && ran(before.tests).length > 0) {
    return `${text} is green, but does not say which tests ran: it may have ended early`;
  }
  return missingByCount(text, now, before, options);
}

/**
 * Why a green is none for the tests that were red: one that the change was allowed to edit is
 * skipped or gone. Undefined: all of them were run.
 */
export function silencedTest(
  now: CommandResult,
  before: CommandResult | undefined,
  { editedTests, isUnsteady }: MissingOptions,
): string | undefined {
  if (now.tests === undefined || before?.tests === undefined) return undefined;
  const then = before.tests;
  const statuses = new Map(now.tests.map(({ id, status }) => [id, status]));
  const silenced = then.find(({ id, status, file }) => {
    if (status !== "failed" || isUnsteady(id)) return false;
    const now = statuses.get(id);
    if (now === "skipped") return true;
    if (now !== undefined || file === undefined || !editedTests.has(file)) return false;
    // The only one of its file may be the file itself, which could not be loaded.
    return ran(then).filter((each) => each.file === file).length > 1;
  });
  if (silenced === undefined) return undefined;
  const what = statuses.has(silenced.id) ? "skipped" : "gone";
  return `a test that was red is ${what}: ${silenced.id}`;
}

/** Tests that were run; skipped ones are not among them. */
function ran(tests: readonly TestCase[]): readonly TestCase[] {
  return tests.filter(({ status }) => status !== "skipped");
}

function missingByTest(
  text: string,
  now: readonly TestCase[],
  before: readonly TestCase[],
  { editedTests, isUnsteady }: MissingOptions,
): string | undefined {
  const countNow = countByFile(ran(now));
  const countBefore = countByFile(ran(before));
  const present = new Set(ran(now).map(({ id }) => id));
  for (const { id, file = "" } of ran(before)) {
    // Whatever an unsteady one leaves behind says nothing.
    if (!present.has(id) && !isUnsteady(id) && !editedTests.has(file)) {
      const then = countBefore.get(file) ?? 0;
      const left = countNow.get(file) ?? 0;
      if (left >= then) continue;
      const where = file === "" ? text : file;
      return `${where} ran ${then} tests before the change and ${left} with it: ${id} is missing`;
    }
  }
  return undefined;
}

function countByFile(tests: readonly TestCase[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { file = "" } of tests) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

function missingByCount(
  text: string,
  now: CommandResult,
  before: CommandResult | undefined,
  { editedTests }: MissingOptions,
): string | undefined {
  const counted = countTests(now.output);
  const then = before === undefined ? undefined : countTests(before.output);
  // A change that ends the process before its tests leaves a green without a summary.
  if (counted === undefined) {
    return then !== undefined && !hasSummary(now.output)
      ? `${text} is green, but the runner's summary is missing: it may have ended early`
      : undefined;
  }
  if (counted.ran === 0) return `no test was run by ${text}`;
  // Which ones went away is not known: where some were red, it may be those.
  const mayBeFewer = editedTests.size > 0 && before !== undefined && isGreen(before);
  return then !== undefined &&
    then.runner === counted.runner &&
    counted.ran < then.ran &&
    !mayBeFewer
    ? `${text} ran ${counted.ran} tests, ${then.ran} before the change`
    : undefined;
}
