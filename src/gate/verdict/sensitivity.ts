import type { GateResult } from "../../contracts/index.ts";
import { isGreen } from "./ended.ts";
import { testKey, type Unsteady } from "./steadiness.ts";

/**
 * True where the tests of a change are red without its sources: a test that the baseline did not
 * have red, or has in a file of the change, fails; by exit code, a command that was green is red.
 * @param withoutSources the tests on the baseline with nothing but the test files of the change.
 * @param testFiles what the change writes of tests.
 */
export function isSensitive(
  baseline: GateResult,
  withoutSources: GateResult,
  testFiles: ReadonlySet<string>,
  unsteady: Unsteady,
): boolean {
  return withoutSources.commands.some((now, place) => {
    const before = baseline.commands[place];
    if (isGreen(now) || unsteady.commands.has(place)) return false;
    const failed = now.tests?.filter(({ status }) => status === "failed") ?? [];
    if (failed.length === 0 || before?.tests === undefined) {
      return before !== undefined && isGreen(before);
    }
    const wasRed = new Set(
      before.tests.flatMap(({ id, status }) => (status === "failed" ? id : [])),
    );
    return failed.some(
      ({ id, file }) =>
        !unsteady.tests.has(testKey(place, id)) &&
        (!wasRed.has(id) || (file !== undefined && testFiles.has(file))),
    );
  });
}
