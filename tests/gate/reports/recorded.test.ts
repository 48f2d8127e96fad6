import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatOf } from "../../../src/gate/reports/output-formats.ts";
import { readGoJson, readGoVerbose } from "../../../src/gate/reports/go.ts";
import { readJunit } from "../../../src/gate/reports/junit.ts";
import { readLibtest } from "../../../src/gate/reports/libtest.ts";
import { readPytestLines, readUnittest } from "../../../src/gate/reports/python.ts";
import type { Reader } from "../../../src/gate/reports/reading.ts";
import {
  readJestJson,
  readMochaJson,
  readOwnLines,
} from "../../../src/gate/reports/script-json.ts";
import { readTap } from "../../../src/gate/reports/tap.ts";
import { testCases } from "../../../src/gate/reports/test-cases.ts";

const folder = join(import.meta.dirname, "../../fixtures/reports");

/** What real runners wrote of one small suite each; the file's name says the version. */
const javascript = [
  "passed math.test.js › math › adds",
  "failed math.test.js › math › subtracts",
  "skipped math.test.js › math › divides",
  "skipped math.test.js › math › multiplies",
  "passed math.test.js › math › is a number: 1",
  "passed math.test.js › math › is a number: 2",
  "passed math.test.js › adds",
  "passed math.test.js › adds (2)",
];

const go = [
  "passed example.com/m › TestAdds",
  "failed example.com/m › TestSubtracts",
  "skipped example.com/m › TestSkips",
  "failed example.com/m › TestTable",
  "passed example.com/m › TestTable/one_two",
  "failed example.com/m › TestTable/three",
  "passed example.com/m › ExampleX",
  "failed example.com/m/bad",
  "passed example.com/m/pkg › TestAdds",
];

const rows: readonly { file: string; read: Reader; tests: readonly string[] }[] = [
  {
    file: "node-24.21.0.jsonl",
    read: readOwnLines,
    tests: [
      "passed math.test.mjs › math › adds",
      "failed math.test.mjs › math › subtracts",
      "skipped math.test.mjs › math › divides",
      "skipped math.test.mjs › math › multiplies",
      "passed math.test.mjs › math › deep › adds",
      "passed math.test.mjs › parent › child",
      "passed math.test.mjs › parent",
      "passed math.test.mjs › adds",
      "passed math.test.mjs › adds (2)",
    ],
  },
  {
    file: "node-24.21.0.tap",
    read: readTap,
    tests: [
      "passed empty.test.mjs",
      "passed math › adds",
      "failed math › subtracts",
      "skipped math › divides",
      "skipped math › multiplies",
      "passed math › deep › adds",
      "passed parent › child",
      "passed adds",
      "passed adds (2)",
    ],
  },
  {
    file: "node-24.21.0.xml",
    read: readJunit,
    tests: [
      "passed empty.test.mjs › test › empty.test.mjs",
      "passed math.test.mjs › math › adds",
      "failed math.test.mjs › math › subtracts",
      "skipped math.test.mjs › math › divides",
      "skipped math.test.mjs › math › multiplies",
      "passed math.test.mjs › math.deep › adds",
      "passed math.test.mjs › parent › child",
      "passed math.test.mjs › test › adds",
      "passed math.test.mjs › test › adds (2)",
    ],
  },
  {
    file: "vitest-5.1.2.json",
    read: readJestJson,
    tests: ["failed broken.test.js", ...javascript],
  },
  {
    file: "jest-30.5.2.json",
    read: readJestJson,
    tests: [...javascript, "failed broken.test.js"],
  },
  {
    file: "mocha-12.0.3.jsonl",
    read: readOwnLines,
    tests: [
      "passed math.spec.js › adds",
      "passed math.spec.js › math › adds",
      "failed math.spec.js › math › subtracts",
      "skipped math.spec.js › math › divides",
      "skipped math.spec.js › math › multiplies",
      'failed math.spec.js › hooks › "before all" hook for "never runs"',
    ],
  },
  {
    file: "mocha-12.0.3.json",
    read: readMochaJson,
    tests: [
      "passed math.spec.js › adds",
      "passed math.spec.js › math adds",
      "failed math.spec.js › math subtracts",
      'failed math.spec.js › hooks "before all" hook for "never runs"',
      "skipped math.spec.js › math divides",
      "skipped math.spec.js › math multiplies",
    ],
  },
  {
    file: "ava-7.0.0.tap",
    read: readTap,
    tests: [
      "skipped divides",
      "skipped multiplies",
      "passed adds",
      "failed subtracts",
      "passed known",
    ],
  },
  {
    file: "tap-21.8.0.tap",
    read: readTap,
    tests: [
      "passed math.test.mjs › math › adds",
      "failed math.test.mjs › math › subtracts",
      "passed math.test.mjs › math › deep › yes",
      "skipped math.test.mjs › divides",
      "skipped math.test.mjs › multiplies",
    ],
  },
  {
    file: "pytest-9.0.3.xml",
    read: readJunit,
    tests: [
      "passed tests/test_math.py › TestMath › test_adds",
      "skipped tests/test_math.py › TestMath › test_divides",
      "passed tests/test_math.py › TestMath › test_doc",
      "skipped tests/test_math.py › TestMath › test_known",
      "failed tests/test_math.py › TestMath › test_sub",
      "failed tests/test_math.py › TestMath › test_subtracts",
      "passed tests/test_math.py › test_each[1]",
      "passed tests/test_math.py › test_each[2]",
      "failed tests/test_math.py › test_error",
    ],
  },
  {
    // Of a skipped one `-rA` gives the line, not the name.
    file: "pytest-9.0.3-rA.txt",
    read: readPytestLines,
    tests: [
      "passed tests/test_math.py › TestMath › test_adds",
      "passed tests/test_math.py › TestMath › test_doc",
      "passed tests/test_math.py › TestMath › test_sub",
      "passed tests/test_math.py › test_each[1]",
      "passed tests/test_math.py › test_each[2]",
      "skipped tests/test_math.py › TestMath › test_known",
      "failed tests/test_math.py › test_error",
      "failed tests/test_math.py › TestMath › test_sub › (n=2)",
      "failed tests/test_math.py › TestMath › test_subtracts",
    ],
  },
  {
    file: "unittest-3.11.7.txt",
    read: readUnittest,
    tests: [
      "passed tests.test_math.TestMath › test_adds",
      "skipped tests.test_math.TestMath › test_divides",
      "passed tests.test_math.TestMath › test_doc",
      "skipped tests.test_math.TestMath › test_known",
      "failed tests.test_math.TestMath › test_sub › (n=2)",
      "failed tests.test_math.TestMath › test_subtracts",
    ],
  },
  { file: "go-1.19.8.txt", read: readGoVerbose, tests: go },
  { file: "go-1.19.8.jsonl", read: readGoJson, tests: go },
  {
    file: "cargo-1.95.0.txt",
    read: readLibtest,
    tests: [
      "skipped m src/lib.rs › tests::divides",
      "passed m src/lib.rs › tests::adds",
      "passed m src/lib.rs › tests::panics - should panic",
      "failed m src/lib.rs › tests::subtracts",
      "passed it tests/it.rs › adds",
      "passed m documentation › src/lib.rs - add",
    ],
  },
];

const recorded = (file: string): string => readFileSync(join(folder, file), "utf8");

function cases(read: Reader, text: string): ReturnType<typeof testCases> {
  const reading = read(text);
  if (!reading.ok) throw new Error(reading.fault);
  return testCases(reading.tests, { root: "/repo", cwd: "/repo", isFile: () => false });
}

describe("a report that a real runner wrote", () => {
  test.each(rows)("$file names each test with what became of it", ({ file, read, tests }) => {
    const found = cases(read, recorded(file));
    expect(found.map(({ id, status }) => `${status} ${id}`)).toEqual(tests);
  });

  test.each(rows)(
    "$file says why a test failed, without the repository's place",
    ({ file, read }) => {
      const failed = cases(read, recorded(file)).filter(({ status }) => status === "failed");
      expect(failed.filter(({ message }) => message !== undefined).length).toBeGreaterThan(0);
      expect(JSON.stringify(failed)).not.toContain("/repo");
    },
  );

  // Packages of go and targets of cargo end one by one: the exit code tells of the rest.
  const whole = rows.filter(({ file }) => !/^(?:go|cargo)/.test(file));
  test.each(whole)("$file is not believed once its end is gone", ({ file, read }) => {
    const text = recorded(file);
    const cuts = [0, 0.2, 0.4, 0.6, 0.8].map((share) => read(text.slice(0, text.length * share)));
    expect(cuts.filter(({ ok }) => ok)).toEqual([]);
  });

  test.each([
    ["go-1.19.8.txt", readGoVerbose, "--- PASS: ExampleX"],
    ["go-1.19.8.jsonl", readGoJson, '"Test":"ExampleX"'],
    ["cargo-1.95.0.txt", readLibtest, "test result: ok"],
  ] as const)("%s is not believed where it ends in the middle of a part", (file, read, at) => {
    const text = recorded(file);
    expect(read(text.slice(0, text.indexOf(at))).ok).toBe(false);
  });

  test.each([
    ["node-24.21.0.tap", "TAP"],
    ["tap-21.8.0.tap", "TAP"],
    ["pytest-9.0.3-rA.txt", "pytest -v or -rA"],
    ["unittest-3.11.7.txt", "unittest -v"],
    ["go-1.19.8.txt", "go test -v"],
    ["go-1.19.8.jsonl", "go test -json"],
    ["cargo-1.95.0.txt", "libtest"],
    ["jest-30.5.2.json", "JSON of jest or mocha"],
    ["mocha-12.0.3.json", "JSON of jest or mocha"],
  ])("%s is recognised where it is the output", (file, name) => {
    expect(formatOf(recorded(file))?.name).toBe(name);
  });

  test("two formats in one output are none: one may be what a test printed", () => {
    expect(formatOf(recorded("go-1.19.8.txt") + recorded("node-24.21.0.tap"))).toBeUndefined();
  });
});
