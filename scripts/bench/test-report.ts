import { compare, runTests } from "../../src/gate/index.ts";
import { readGoJson } from "../../src/gate/reports/go.ts";
import { readJunit } from "../../src/gate/reports/junit.ts";
import { readLibtest } from "../../src/gate/reports/libtest.ts";
import type { Reader } from "../../src/gate/reports/reading.ts";
import { readJestJson, readOwnLines } from "../../src/gate/reports/script-json.ts";
import { readTap } from "../../src/gate/reports/tap.ts";
import { testCases } from "../../src/gate/reports/test-cases.ts";
import type {
  CommandResult,
  GateResult,
  TestCase,
  TestCommand,
} from "../../src/contracts/index.ts";
import { median, type BenchRow } from "./row.ts";

const rounds = 9;
const tests = 20_000;
const places = { root: "/repo", cwd: "/repo", isFile: () => true };

/** A test in a hundred fails, with a stack of 20 lines. */
const isFailed = (at: number): boolean => at % 100 === 0;
const stack = `AssertionError: expected 2 to be 3\n${"    at add (/repo/src/math.js:12:34)\n".repeat(20)}`;
const numbers = Array.from({ length: tests }, (_, at) => at);
const nameOf = (at: number): string => `takes the ${at % 50}th way through the parser`;
const fileOf = (at: number): string => `/repo/tests/part-${Math.floor(at / 50)}.test.js`;

/** Reports of 20,000 tests as text, read and named. */
export function benchReports(): Promise<readonly BenchRow[]> {
  const files = numbers.filter((at) => at % 50 === 0);
  const jest = {
    testResults: files.map((first) => ({
      name: fileOf(first),
      status: isFailed(first) ? "failed" : "passed",
      assertionResults: numbers.slice(first, first + 50).map((at) => ({
        ancestorTitles: ["parser"],
        title: nameOf(at),
        fullName: `parser ${nameOf(at)}`,
        status: isFailed(at) ? "failed" : "passed",
        duration: 1.25,
        failureMessages: isFailed(at) ? [stack] : [],
      })),
    })),
  };
  const junit = numbers.map(
    (at) =>
      `<testcase classname="tests.part_${Math.floor(at / 50)}.TestParser" name="${nameOf(at)}" file="tests/part_${Math.floor(at / 50)}.py" line="3" time="0.001">${isFailed(at) ? `<failure message="no">${stack}</failure>` : ""}</testcase>`,
  );
  const tap = numbers.map(
    (at) =>
      `${isFailed(at) ? "not " : ""}ok ${at + 1} - ${nameOf(at)} ${at}\n  ---\n  duration_ms: 0.5\n  type: 'test'\n  ...\n`,
  );
  const own = numbers.map((at) =>
    JSON.stringify({
      file: fileOf(at),
      names: ["parser", nameOf(at)],
      status: isFailed(at) ? "failed" : "passed",
      ...(isFailed(at) && { message: stack }),
    }),
  );
  const go = numbers.flatMap((at) =>
    ["run", "output", isFailed(at) ? "fail" : "pass"].map((Action) =>
      JSON.stringify({
        Time: "2026-01-01T00:00:00Z",
        Action,
        Package: `example.com/m/p${at % 50}`,
        Test: `TestWay${at}`,
        Output: Action === "output" ? "=== RUN\n" : undefined,
      }),
    ),
  );
  const goEnds = numbers
    .slice(0, 50)
    .map((at) =>
      JSON.stringify({ Action: at === 0 ? "fail" : "pass", Package: `example.com/m/p${at}` }),
    );
  const failed = numbers.filter(isFailed).length;
  const libtest = `running ${tests} tests\n${numbers.map((at) => `test parser::way_${at} ... ${isFailed(at) ? "FAILED" : "ok"}`).join("\n")}\ntest result: FAILED. ${tests - failed} passed; ${failed} failed; 0 ignored; 0 measured`;
  const rows: readonly (readonly [string, Reader, string])[] = [
    ["JSON of jest or vitest", readJestJson, JSON.stringify(jest)],
    [
      "JUnit XML",
      readJunit,
      `<testsuites><testsuite name="s">${junit.join("\n")}</testsuite></testsuites>`,
    ],
    ["TAP", readTap, `TAP version 13\n${tap.join("")}1..${tests}\n`],
    ["own lines of node:test", readOwnLines, `${own.join("\n")}\n{"end":true}\n`],
    ["go test -json", readGoJson, [...go, ...goEnds].join("\n")],
    ["libtest", readLibtest, libtest],
  ];
  return Promise.resolve(rows.map(([name, read, text]) => readRow(name, read, text)));
}

/** Two results of 20,000 tests each; every test renamed is the most that can differ. */
export function benchCompare(): Promise<readonly BenchRow[]> {
  const before = resultOf(numbers.map((at) => caseOf(at, isFailed(at) ? "failed" : "passed")));
  const green = resultOf(numbers.map((at) => caseOf(at, "passed")));
  const renamed = resultOf(numbers.map((at) => caseOf(at, "passed", "renamed ")));
  return Promise.resolve([
    compareRow("verdict over 20,000 tests", before, green),
    compareRow("verdict over 20,000 tests, all renamed", before, renamed),
  ]);
}

/** What the gate takes beside the command: one that does nothing, its report asked for. */
export async function benchGate(): Promise<readonly BenchRow[]> {
  const command = commandOf({ argv: ["pytest"] });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await runTests({
      root: process.cwd(),
      commands: [command],
      run: (asked) =>
        Promise.resolve({ ...resultOf([]).commands[0], command: asked } as CommandResult),
      environment: process.env,
      passEnvironment: [],
      timeoutMs: 1_000,
      signal: new AbortController().signal,
      outputFile: () => "/dev/null",
    });
    times.push(performance.now() - started);
  }
  return [
    { name: "gate beside its command, with a report", value: median(times), unit: "ms", limit: 50 },
  ];
}

function readRow(name: string, read: Reader, text: string): BenchRow {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    const reading = read(text);
    if (!reading.ok) throw new Error(`${name}: ${reading.fault}`);
    const found = testCases(reading.tests, places);
    if (found.length !== tests) throw new Error(`${name}: ${found.length} tests`);
    return performance.now() - started;
  });
  const beside = `${(text.length / 1_000_000).toFixed(1)} MB`;
  return { name: `20,000 tests, ${name}`, value: median(times), unit: "ms", limit: 300, beside };
}

function compareRow(name: string, before: GateResult, after: GateResult): BenchRow {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    compare(before, after, { root: "/repo", createsTests: false });
    return performance.now() - started;
  });
  return { name, value: median(times), unit: "ms", limit: 300 };
}

function caseOf(at: number, status: TestCase["status"], prefix = ""): TestCase {
  const file = fileOf(at).slice("/repo/".length);
  return { id: `${file} › parser › ${prefix}${nameOf(at)}`, status, file };
}

function resultOf(cases: readonly TestCase[]): GateResult {
  const code = cases.some(({ status }) => status === "failed") ? 1 : 0;
  const result: CommandResult = {
    command: commandOf({ shell: "npm test" }),
    ended: { by: "exit", code },
    durationMs: 1,
    output: "",
    outputBytes: 0,
    tests: cases,
  };
  return { commands: [result], tests: cases, green: code === 0, withheld: [] };
}

function commandOf(command: TestCommand["command"]): TestCommand {
  return { command, cwd: process.cwd(), source: { kind: "flag" }, trusted: true };
}
