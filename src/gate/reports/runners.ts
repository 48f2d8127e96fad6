import { readGoVerbose } from "./go.ts";
import { readJunit } from "./junit.ts";
import { readLibtest } from "./libtest.ts";
import { mochaReporter, nodeReporter } from "./own-reporters.ts";
import { readUnittest } from "./python.ts";
import type { Reader } from "./reading.ts";
import { readJestJson, readOwnLines } from "./script-json.ts";
import { readTap } from "./tap.ts";
import { readTrx } from "./trx.ts";

/** How a runner is brought to say its tests one by one. */
export type Ask =
  /** Variables, beside the environment that the command has anyway. */
  | {
      readonly by: "environment";
      readonly variables: (
        env: Readonly<Record<string, string>>,
        folder: string,
      ) => Readonly<Record<string, string>>;
    }
  /** Words after the last of its command. */
  | { readonly by: "arguments"; readonly words: (folder: string) => readonly string[] }
  /** It says them anyway. */
  | { readonly by: "nothing" };

/** Where the answer is. */
export type Answer =
  /** Files of the report's folder. */
  | { readonly in: "folder"; readonly files: RegExp }
  /** The command's output. */
  | { readonly in: "output" }
  /** Files that the runner leaves below the command's folder; those of this run are newer than its start. */
  | { readonly in: "tree"; readonly folders: RegExp; readonly files: RegExp };

/** One runner. The table of docs/gate.md shows every row. */
export interface Runner {
  readonly name: string;
  /** A command as people write it, less what only starts it. */
  readonly example: string;
  /** Which words start it; matched against them, joined by spaces. */
  readonly starts: RegExp;
  /** What of the words says that its user has a report of their own: theirs is left alone. */
  readonly own?: RegExp;
  readonly ask: Ask;
  /** Files to put into the folder before, by name. */
  readonly puts?: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly answer: Answer;
  readonly read: Reader;
  /** What the answer is called, for people. */
  readonly format: string;
  /** The command may turn out to be another program: no answer is no fault then. */
  readonly isGuess?: true;
  /** What is printed where it does not know what it was asked: the command runs again, unasked. */
  readonly refused?: RegExp;
  /** The version whose real reports the tests hold, or where the row was taken from. */
  readonly evidence: string;
}

const none = { by: "nothing" } as const;

/** The first row that fits a command is its runner. */
export const runners: readonly Runner[] = [
  {
    name: "node:test",
    example: "node --test",
    starts: /^(?:node|tsx|ts-node)(?: .*)? --test(?: |$)/,
    own: /--test-reporter/,
    ...nodeTest(),
    evidence: "node 24.21.0 and 20.20.2",
  },
  {
    name: "vitest",
    example: "vitest run",
    starts: /^vitest(?: |$)/,
    own: /--(?:reporter|outputFile)|^vitest (?:list|bench|init|watch|dev)\b/,
    ask: {
      by: "arguments",
      words: (folder) => [
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${folder}/vitest.json`,
      ],
    },
    answer: { in: "folder", files: /^vitest\.json$/ },
    read: readJestJson,
    format: "its JSON report",
    refused: /Unknown option|CACError/,
    evidence: "vitest 5.1.2",
  },
  {
    name: "jest",
    example: "jest",
    starts: /^(?:jest|react-scripts test)(?: |$)|^node(?: .*)? (?:\S*\/)?jest(?:\.js)?(?: |$)/,
    own: /--(?:json|outputFile|reporters|listTests|showConfig)/,
    ask: {
      by: "arguments",
      words: (folder) => ["--json", `--outputFile=${folder}/jest.json`],
    },
    answer: { in: "folder", files: /^jest\.json$/ },
    read: readJestJson,
    format: "its JSON report",
    refused: /Unrecognized (?:CLI )?(?:option|Parameter)/i,
    evidence: "jest 30.5.2",
  },
  {
    name: "mocha",
    example: "mocha",
    starts: /^mocha(?: |$)/,
    own: /(?:^| )(?:--reporters?|-R)\b/,
    ask: { by: "arguments", words: (folder) => [`--reporter=${folder}/reporter.cjs`] },
    puts: () => ({ "reporter.cjs": mochaReporter }),
    answer: { in: "folder", files: /^mocha-\d+\.jsonl$/ },
    read: readOwnLines,
    format: "a reporter of kit's",
    refused: /Could not load reporter|ERR_MOCHA_INVALID_REPORTER|invalid reporter/,
    evidence: "mocha 12.0.3",
  },
  {
    name: "ava",
    example: "ava",
    starts: /^ava(?: |$)/,
    own: /(?:^| )(?:--tap|-t|--watch|-w)\b/,
    ask: { by: "arguments", words: () => ["--tap"] },
    answer: { in: "output" },
    read: readTap,
    format: "its TAP output",
    evidence: "ava 7.0.0",
  },
  {
    name: "tap",
    example: "tap",
    starts: /^tap(?: |$)/,
    own: /(?:^| )(?:--reporter|-R)\b/,
    // Without a terminal it prints TAP.
    ask: none,
    answer: { in: "output" },
    read: readTap,
    format: "its TAP output",
    evidence: "tap 21.8.0",
  },
  {
    name: "bun",
    example: "bun test",
    starts: /^bun(?: .*)? test(?: |$)/,
    own: /--reporter/,
    ask: {
      by: "arguments",
      words: (folder) => ["--reporter=junit", `--reporter-outfile=${folder}/bun.xml`],
    },
    answer: { in: "folder", files: /^bun\.xml$/ },
    read: readJunit,
    format: "its JUnit report",
    evidence: "its documentation",
  },
  {
    name: "deno",
    example: "deno test",
    starts: /^deno test(?: |$)/,
    own: /--(?:junit-path|reporter)/,
    ask: { by: "arguments", words: (folder) => [`--junit-path=${folder}/deno.xml`] },
    answer: { in: "folder", files: /^deno\.xml$/ },
    read: readJunit,
    format: "its JUnit report",
    evidence: "its documentation",
  },
  {
    name: "pytest",
    example: "python3 -m pytest",
    starts: /^(?:pytest|py\.test)(?: |$)|^python[\d.]*(?: .*)? -m pytest(?: |$)/,
    own: /--junit-?xml|-p no:junitxml/,
    ask: {
      by: "environment",
      variables: (env, folder) => ({
        PYTEST_ADDOPTS: [
          env["PYTEST_ADDOPTS"],
          `--junitxml="${folder}/pytest.xml"`,
          "-o junit_family=xunit1",
        ]
          .filter(Boolean)
          .join(" "),
      }),
    },
    answer: { in: "folder", files: /^pytest\.xml$/ },
    read: readJunit,
    format: "its JUnit report",
    refused: /unrecognized arguments: .*--junitxml/,
    evidence: "pytest 9.0.3",
  },
  {
    name: "unittest",
    example: "python3 -m unittest",
    starts: /^python[\d.]*(?: .*)? -m unittest(?: |$)/,
    own: /(?:^| )(?:-v|--verbose|-q|--quiet)(?: |$)/,
    ask: { by: "arguments", words: () => ["-v"] },
    answer: { in: "output" },
    read: readUnittest,
    format: "its output with -v",
    evidence: "Python 3.11.7",
  },
  {
    name: "go test",
    example: "go test ./...",
    starts: /^go test(?: |$)/,
    own: /(?:^| )-{1,2}(?:json|v|test\.v|args|list|exec|c)\b(?!=false)/,
    ask: { by: "arguments", words: () => ["-v"] },
    answer: { in: "output" },
    read: readGoVerbose,
    format: "its output with -v",
    evidence: "go 1.19.8",
  },
  {
    name: "cargo test",
    example: "cargo test",
    starts: /^cargo(?: \+\S+)? (?:test|t)(?: |$)/,
    ask: none,
    answer: { in: "output" },
    read: readLibtest,
    format: "its output",
    evidence: "cargo 1.95.0",
  },
  {
    name: "maven",
    example: "mvn test",
    starts: /^mvnw?(?:\.sh)?(?: .*)? (?:test|package|verify|install)(?: |$)/,
    ask: none,
    answer: {
      in: "tree",
      folders: /(?:^|\/)target\/(?:surefire|failsafe)-reports$/,
      files: /^TEST-.*\.xml$/,
    },
    read: readJunit,
    format: "its JUnit reports",
    evidence: "its documentation",
  },
  {
    name: "gradle",
    example: "gradle test",
    starts: /^gradlew?(?: .*)? (?:\S*:)?(?:test|check|build)(?: |$)/,
    ask: none,
    answer: {
      in: "tree",
      folders: /(?:^|\/)build\/test-results(?:\/[^/]+)*$/,
      files: /^TEST-.*\.xml$/,
    },
    read: readJunit,
    format: "its JUnit reports",
    evidence: "its documentation",
  },
  {
    name: "dotnet test",
    example: "dotnet test",
    starts: /^dotnet test(?: |$)/,
    own: /(?:^| )(?:--logger|-l|--results-directory|-r)\b/,
    ask: {
      by: "arguments",
      words: (folder) => ["--logger=trx", `--results-directory=${folder}`],
    },
    answer: { in: "folder", files: /\.trx$/ },
    read: readTrx,
    format: "its TRX reports",
    evidence: "its documentation",
  },
  {
    name: "phpunit",
    example: "phpunit",
    starts: /^(?:php (?:\S*\/)?)?phpunit(?: |$)/,
    own: /--log-/,
    ask: { by: "arguments", words: (folder) => [`--log-junit=${folder}/phpunit.xml`] },
    answer: { in: "folder", files: /^phpunit\.xml$/ },
    read: readJunit,
    format: "its JUnit report",
    evidence: "its documentation",
  },
  {
    name: "node:test, without --test",
    example: "node test.js",
    starts: /^(?:node|tsx|ts-node)(?: (?!--check)--?\S+)* [^\s-]\S*\.[cm]?[jt]s$/,
    own: /--test-reporter/,
    ...nodeTest(),
    isGuess: true,
    evidence: "node 24.21.0 and 20.20.2",
  },
];

function nodeTest(): Pick<Runner, "ask" | "puts" | "answer" | "read" | "format" | "refused"> {
  return {
    ask: {
      by: "environment",
      variables: (env, folder) => ({
        NODE_OPTIONS: [
          env["NODE_OPTIONS"],
          "--test-reporter=spec --test-reporter-destination=stdout",
          `"--test-reporter=${folder}/reporter.mjs" --test-reporter-destination=stdout`,
        ]
          .filter(Boolean)
          .join(" "),
      }),
    },
    puts: (env) => ({ "reporter.mjs": nodeReporter(env["NODE_OPTIONS"]) }),
    answer: { in: "folder", files: /^node-\d+\.jsonl$/ },
    read: readOwnLines,
    format: "a reporter of kit's",
    refused:
      /--test-reporter(?:-destination)?=\S* is not allowed in NODE_OPTIONS|bad option: .*--test-reporter/,
  };
}
