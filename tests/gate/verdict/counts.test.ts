import { describe, expect, test } from "vitest";
import { countTests, summaries } from "../../../src/gate/verdict/counts.ts";
import { idleRuns } from "../../../src/gate/verdict/idle-runs.ts";

test.each(idleRuns.map((row) => [row.runner, row] as const))("%s says that none ran", (_, row) => {
  const counts = { runner: row.runner, ran: 0, failed: 0, skipped: 0 };

  expect(countTests(`${row.evidence}\n`)).toEqual(counts);
});

describe("closing lines of runners", () => {
  test.each(summaries.map((row) => [row.runner, row] as const))("%s", (_, row) => {
    const output = `some output\n${row.evidence}\nmore\n`;

    expect(countTests(output)).toEqual({ runner: row.runner, ...row.counts });
    expect(countTests(output.replaceAll("\n", "\r\n"))).toEqual({
      runner: row.runner,
      ...row.counts,
    });
  });

  test.each([
    [
      "node:test as TAP",
      "# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0",
      0,
    ],
    [
      "node:test, a file without tests",
      "✔ test/a.test.mjs (34.7ms)\n✔ adds (0.1ms)\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0",
      1,
    ],
    [
      "node:test, only files without tests",
      "ok 1 - a.test.mjs\n  ---\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0",
      0,
    ],
    [
      "node:test, a file without tests with a blank in its name",
      "✔ test/my math.test.js (34.7ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0",
      0,
    ],
    [
      "node:test, a test that speaks of a file",
      "✔ loads config.js (34.7ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0",
      1,
    ],
    ["rspec without examples", "0 examples, 0 failures", 0],
    ["make with nothing to do", "make: Nothing to be done for 'test'.\n", 0],
    ["mocha without tests", "\n\n  0 passing (1ms)\n\n", 0],
    ["pytest -q", "..\n2 passed in 0.01s\n", 2],
    ["pytest with everything deselected", "====== 5 deselected in 0.01s ======", 0],
    ["pytest with an error at collection", "===== 1 error in 0.05s =====", 1],
    ["jest, all passed", "Tests:       3 passed, 3 total", 3],
    ["vitest, all passed", "      Tests  4 passed (4)", 4],
    ["unittest, empty", "\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n", 0],
    ["go without tests", "?   \texample.com/x\t[no test files]\n", 0],
    [
      "cargo, several targets",
      "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
      3,
    ],
  ])("%s", (_, output, ran) => {
    expect(countTests(output)?.ran).toBe(ran);
  });

  test.each([
    ["nothing known", "all good\n"],
    ["make that had nothing to build", "make: Nothing to be done for 'all'.\n"],
    ["make before another program", "make: 'test' is up to date.\n./check\nall good\n"],
    ["gradle with tests in one project", "> Task :a:test NO-SOURCE\n> Task :b:test\n"],
    ["TAP with tests", "1..0 # skipped\nok 1 - adds\n"],
    [
      "go with tests says no number",
      "ok  \texample.com/x\t0.003s\n?   \texample.com/y\t[no test files]\n",
    ],
    ["prose", "I wrote 3 passing tests and 2 passed in review"],
    [
      "two runners, one of which a test may have printed",
      "      Tests  4 passed (4)\n  3 passing (1ms)",
    ],
  ])("no count of: %s", (_, output) => {
    expect(countTests(output)).toBeUndefined();
  });
});
