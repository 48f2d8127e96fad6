import { readGoJson, readGoVerbose } from "./go.ts";
import { readLibtest } from "./libtest.ts";
import { readPytestLines, readUnittest } from "./python.ts";
import type { Reader } from "./reading.ts";
import { readPrintedJson } from "./script-json.ts";
import { readTap } from "./tap.ts";

/** A format that a command's output may be in without having been asked. */
interface OutputFormat {
  readonly name: string;
  readonly speaks: RegExp;
  readonly read: Reader;
}

export const outputFormats: readonly OutputFormat[] = [
  { name: "TAP", speaks: /^TAP version 1[34]$/m, read: readTap },
  { name: "go test -json", speaks: /^\{.*"Action":"\w+".*"Package":"/m, read: readGoJson },
  { name: "go test -v", speaks: /^=== RUN {3}\w/m, read: readGoVerbose },
  { name: "libtest", speaks: /^running \d+ tests?$/m, read: readLibtest },
  { name: "unittest -v", speaks: /^\w+ \([\w.]+\)(?: \.\.\. |$)/m, read: readUnittest },
  {
    name: "pytest -v or -rA",
    speaks: /^(?:\S.*?::.+ [A-Z]+ +\[ *\d+%\]|(?:PASSED|FAILED) \S+?::.+)$/m,
    read: readPytestLines,
  },
  {
    name: "JSON of jest or mocha",
    speaks: /^\{(?:"numFailedTestSuites"|\s*"stats": \{)/m,
    read: readPrintedJson,
  },
];

/** The format of an output; undefined where none speaks, or several do (one may be a test's). */
export function formatOf(output: string): OutputFormat | undefined {
  const speaking = outputFormats.filter(({ speaks }) => speaks.test(output));
  return speaking.length === 1 ? speaking[0] : undefined;
}
