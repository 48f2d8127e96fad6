import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGoJson, readGoVerbose } from "../../../src/gate/reports/go.ts";
import { readJunit } from "../../../src/gate/reports/junit.ts";
import { readLibtest } from "../../../src/gate/reports/libtest.ts";
import { outputFormats } from "../../../src/gate/reports/output-formats.ts";
import { readPytestLines, readUnittest } from "../../../src/gate/reports/python.ts";
import type { Reader, Reading } from "../../../src/gate/reports/reading.ts";
import { runners } from "../../../src/gate/reports/runners.ts";
import {
  readJestJson,
  readMochaJson,
  readOwnLines,
} from "../../../src/gate/reports/script-json.ts";
import { readTap } from "../../../src/gate/reports/tap.ts";
import { readTrx } from "../../../src/gate/reports/trx.ts";

const readers: Readonly<Record<string, Reader>> = {
  readGoJson,
  readGoVerbose,
  readJestJson,
  readJunit,
  readLibtest,
  readMochaJson,
  readOwnLines,
  readPytestLines,
  readTap,
  readTrx,
  readUnittest,
};

/** `passed a › b`, or the fault. */
function told(reading: Reading): readonly string[] | string {
  if (!reading.ok) return reading.fault;
  return reading.tests.map(({ names, status }) => `${status} ${names.join(" › ")}`);
}

describe("TAP", () => {
  test.each([
    [
      "version 14 with a plan first",
      "TAP version 14\n1..2\nok 1 - a\nok 2 - b",
      ["passed a", "passed b"],
    ],
    ["points without numbers or dashes", "ok a\nnot ok b\n1..2", ["passed a", "failed b"]],
    ["a point without a name", "ok\n1..1", ["passed (without a name)"]],
    [
      "directives in any case",
      "ok 1 - a # SKIP no\nnot ok 2 - b # todo later\nok 3 # skip\n1..3",
      ["skipped a", "skipped b", "skipped (without a name)"],
    ],
    [
      "an escaped hash",
      "ok 1 - issue \\#5 # skip\nok 2 - c\\# skip\n1..2",
      ["skipped issue #5", "passed c# skip"],
    ],
    [
      "a hash that is no directive",
      "ok 1 - issue #5 is mended\n1..1",
      ["passed issue #5 is mended"],
    ],
    [
      "subtests in braces",
      "ok 1 - a {\n    ok 1 - b\n    not ok 2 - c\n    1..2\n}\n1..1",
      ["passed a › b", "failed a › c"],
    ],
    [
      "a suite that fails by itself",
      "    ok 1 - b\n    1..1\nnot ok 1 - a\n1..1",
      ["passed a › b", "failed a"],
    ],
    [
      "diagnostics that look like points",
      "not ok 1 - a\n  ---\n  message: |\n    ok 2 - forged\n  ...\n1..1",
      ["failed a"],
    ],
    [
      "several documents",
      "TAP version 13\nok 1 - a\n1..1\nTAP version 13\nok 1 - a\n1..1",
      ["passed a", "passed a"],
    ],
    ["nothing to do", "TAP version 13\n1..0 # no tests", []],
    ["other output between", "hello\nok 1 - a\nokay\n1..1", ["passed a"]],
    ["fewer than planned", "1..3\nok 1 - a", "it planned 3 tests and named 1"],
    [
      "fewer subtests than planned",
      "    1..2\n    ok 1 - b\nok 1 - a\n1..1",
      '"a" planned 2 tests and named 1',
    ],
    ["no plan", "TAP version 13\nok 1 - a", "it has no plan: it ends in the middle"],
    ["a bail-out", "1..2\nok 1 - a\nBail out! no database", "it bailed out: no database"],
    ["subtests without a parent", "1..1\nok 1 - a\n    ok 1 - b", "it ends in the middle"],
  ])("with %s", (_, text, expected) => {
    expect(told(readTap(text))).toEqual(expected);
  });
});

describe("JUnit XML", () => {
  test.each([
    [
      "CDATA and entities",
      '<testsuite><testcase name="a &lt;b&gt; &#65;&#x42;"><failure><![CDATA[x < y]]></failure></testcase></testsuite>',
      ["failed a <b> AB"],
    ],
    [
      "an error",
      '<testsuite name="s"><testcase name="a"><error/></testcase></testsuite>',
      ["failed s › a"],
    ],
    [
      "a rerun that passed",
      '<testsuite><testcase classname="C" name="a"><flakyFailure/></testcase></testsuite>',
      ["passed C › a"],
    ],
    ["a prefix", '<j:testsuite xmlns:j="u"><j:testcase name="a"/></j:testsuite>', ["passed a"]],
    ["no test", '<testsuites tests="0"></testsuites>', []],
    ["another root", "<html></html>", "it is XML of another kind"],
    ["a document type", '<!DOCTYPE x [<!ENTITY a "aa">]><testsuite/>', "it holds a document type"],
    ["an unknown entity", '<testsuite><testcase name="&lol9;"/></testsuite>', ["passed &lol9;"]],
    ["an end that is missing", '<testsuite><testcase name="a"/>', "it ends in the middle"],
    [
      "a closing that closes nothing",
      "<testsuite></testcase></testsuite>",
      "</testcase> closes nothing",
    ],
    ["two documents", "<testsuite/><testsuite/>", "it holds two documents"],
    ["text around it", "<testsuite/>error", "text stands outside of its elements"],
    ["nothing", "", "it is empty"],
    ["a great depth", "<testsuite>".repeat(1_000), "its elements are nested too deep"],
  ])("with %s", (_, text, expected) => {
    expect(told(readJunit(text))).toEqual(expected);
  });

  test("with an attribute of 10 MB is bounded", () => {
    const reading = readJunit(
      `<testsuite><testcase name="${"x".repeat(10_000_000)}"/></testsuite>`,
    );
    expect(reading.ok && reading.tests[0]?.names[0]?.length).toBe(20_000);
  });
});

describe("TRX", () => {
  test("names the class of each test", () => {
    const text = `<TestRun><Results>
<UnitTestResult testId="1" testName="N.Maths.Adds" outcome="Passed"/>
<UnitTestResult testId="2" testName="Subtracts(n: 1)" outcome="Failed"><Output><ErrorInfo><Message>got 0</Message></ErrorInfo></Output></UnitTestResult>
<UnitTestResult testId="3" testName="Later" outcome="NotExecuted"/>
</Results><TestDefinitions>
<UnitTest id="1"><TestMethod className="N.Maths" name="Adds"/></UnitTest>
<UnitTest id="2"><TestMethod className="N.Maths" name="Subtracts"/></UnitTest>
</TestDefinitions></TestRun>`;
    const reading = readTrx(text);
    expect(told(reading)).toEqual([
      "passed N.Maths › Adds",
      "failed N.Maths › Subtracts(n: 1)",
      "skipped Later",
    ]);
    expect(reading.ok && reading.tests[1]?.message).toBe("got 0");
  });
});

describe("go test", () => {
  test("-json of packages that run at once", () => {
    const event = (Package: string, Action: string, Test?: string): string =>
      JSON.stringify({ Action, Package, Test });
    const lines = [
      event("a", "run", "TestX"),
      event("b", "run", "TestX"),
      event("b", "fail", "TestX"),
      event("a", "pass", "TestX"),
      event("b", "fail"),
      event("a", "pass"),
    ];
    expect(told(readGoJson(lines.join("\n")))).toEqual(["passed a › TestX", "failed b › TestX"]);
    expect(told(readGoJson(lines.slice(0, -1).join("\n")))).toBe("it ends in the middle of a");
  });

  test("a package whose build failed, in the events of newer versions", () => {
    const lines = [
      { ImportPath: "a [a.test]", Action: "build-output", Output: "x.go:1: undefined: y\n" },
      { ImportPath: "a [a.test]", Action: "build-fail" },
      { Action: "fail", Package: "a", FailedBuild: "a [a.test]" },
    ];
    const reading = readGoJson(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(told(reading)).toEqual(["failed a"]);
    expect(reading.ok && reading.tests[0]?.message).toBe("build failed");
  });

  test("-v of a panic takes the test along that was running", () => {
    const text =
      "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\npanic: no\n\ngoroutine 1\nFAIL\tex.com/m\t0.01s\nFAIL\n";
    expect(told(readGoVerbose(text))).toEqual([
      "passed ex.com/m › TestA",
      "failed ex.com/m › TestB",
    ]);
  });

  test("-v of a package without a failed test that fails, fails itself", () => {
    const text = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nexit status 3\nFAIL\tex.com/m\t0.01s\n";
    expect(told(readGoVerbose(text))).toEqual(["passed ex.com/m › TestA", "failed ex.com/m"]);
  });

  test("-v is not fooled by a test that prints the line of another", () => {
    const text =
      "=== RUN   TestA\n    a_test.go:1: --- PASS: TestB (0.00s)\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- FAIL: TestB (0.00s)\n--- PASS: TestB (0.00s)\nFAIL\nFAIL\tm\t0.01s\n";
    expect(told(readGoVerbose(text))).toEqual(["passed m › TestA", "failed m › TestB"]);
  });
});

describe("libtest", () => {
  const block = (lines: string, result: string): string =>
    `running 1 test\n${lines}\n\ntest result: ${result}; 0 measured; 0 filtered out\n`;
  test.each([
    [
      "output of the test between",
      "test a ... hello\nok",
      "ok. 1 passed; 0 failed; 0 ignored",
      ["passed a"],
    ],
    [
      "a word why it is ignored",
      "test a ... ignored, slow",
      "ok. 0 passed; 0 failed; 1 ignored",
      ["skipped a"],
    ],
    [
      "a line that is not counted",
      "test a ... ok\ntest b ... ok",
      "ok. 1 passed; 0 failed; 0 ignored",
      "its lines are not as many tests as it counts",
    ],
    [
      "nothing but dots",
      ".",
      "ok. 1 passed; 0 failed; 0 ignored",
      "its lines are not as many tests as it counts",
    ],
  ])("with %s", (_, lines, result, expected) => {
    expect(told(readLibtest(block(lines, result)))).toEqual(expected);
  });
});

describe("unittest", () => {
  test("of Python before 3.11, a module that does not load and a class that is not set up", () => {
    const text = `test_adds (tests.test_math.TestMath) ... ok
tests.test_x (unittest.loader._FailedTest) ... ERROR
setUpClass (tests.test_y.TestY) ... ERROR

======================================================================
ERROR: tests.test_x (unittest.loader._FailedTest)
----------------------------------------------------------------------
ImportError: no

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (errors=2)
`;
    const reading = readUnittest(text);
    expect(told(reading)).toEqual([
      "passed tests.test_math.TestMath › test_adds",
      "failed unittest.loader._FailedTest › tests.test_x",
      "failed tests.test_y.TestY › setUpClass",
    ]);
    expect(reading.ok && reading.tests[1]?.message).toContain("ImportError: no");
  });
});

describe("any text", () => {
  const parts = fc.constantFrom(
    "ok 1 - a",
    "not ok 2",
    "1..2",
    "    ",
    "  ---",
    "  ...",
    "\n",
    "{",
    "}",
    "<testsuite>",
    '<testcase name="a">',
    "</testcase>",
    "</testsuite>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&#9999999;",
    "=== RUN   TestA",
    "--- PASS: TestA (0.00s)",
    "ok  \tp\t0.1s",
    "FAIL\tp [build failed]",
    "running 1 test",
    "test a ... ok",
    "test result: ok. 1 passed; 0 failed; 0 ignored;",
    "test_a (m.T) ... ok",
    "Ran 1 test in 0.1s",
    "a.py::b PASSED [ 1%]",
    '{"testResults":[{}]}',
    '{"Action":"pass","Package":"p"}',
    '{"names":[1],"status":"passed"}',
    '{"end":true}',
    '{"stats":{},"passes":[null]}',
    "Bail out!",
    "\u0000",
    "…",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(parts, { maxLength: 30 }).map((all) => all.join("")),
    fc.array(parts, { maxLength: 30 }).map((all) => all.join("\n")),
  );

  test.each(Object.entries(readers))("gives %s a reading or a fault, never an error", (_, read) => {
    fc.assert(
      fc.property(text, (given) => {
        const reading = read(given);
        expect(reading.ok ? Array.isArray(reading.tests) : reading.fault.length > 0).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test.each(Object.entries(readers))(
    "is read by %s in time that grows with its length only",
    (_, read) => {
      const hostile = [
        "<testsuite ",
        "    ok 1\n",
        "&#".repeat(3),
        "=== RUN   T\n",
        "a (b) ",
        "test a ... ",
        "[[[[",
        '<a b="',
      ];
      const started = performance.now();
      for (const part of hostile) read(part.repeat(40_000));
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );

  test("every reader of the tables is among those above", () => {
    const known = new Set(Object.values(readers));
    const used = [...runners, ...outputFormats].map(({ read }) => read);
    expect(used.filter((read) => !known.has(read)).map(({ name }) => name)).toEqual([
      "readPrintedJson",
    ]);
  });
});
