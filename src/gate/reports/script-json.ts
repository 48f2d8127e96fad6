import {
  asList,
  asMap,
  asText,
  fault,
  type ReportedTest,
  type Reader,
  reading,
} from "./reading.ts";

/** `--json` of jest and the json reporter of vitest, which writes the same shape. */
export const readJestJson: Reader = (text) => {
  const report = asMap(parsed(text));
  if (report === undefined) return fault("it is no whole JSON document");
  if (!Array.isArray(report["testResults"])) return fault("it is JSON of another kind");
  const tests: ReportedTest[] = [];
  for (const each of report["testResults"]) {
    const result = asMap(each);
    const file = asText(result?.["name"]);
    const own = asList(result?.["assertionResults"]).map((one): ReportedTest => {
      const test = asMap(one);
      const suites = asList(test?.["ancestorTitles"]).filter((name) => typeof name === "string");
      const status = statusOf(test?.["status"]);
      const messages = asList(test?.["failureMessages"]).filter((part) => typeof part === "string");
      return {
        file,
        names: [...suites, asText(test?.["title"]) ?? ""],
        status,
        message: status === "failed" ? messages.join("\n") : undefined,
      };
    });
    for (const test of own) tests.push(test);
    // A file that does not load, or fails beside its tests, fails itself.
    if (result?.["status"] === "failed" && !own.some(({ status }) => status === "failed")) {
      tests.push({ file, names: [], status: "failed", message: asText(result["message"]) });
    }
  }
  return reading(tests);
};

/** The json reporter of mocha; a failed hook stands among the failures alone. */
export const readMochaJson: Reader = (text) => {
  const report = asMap(parsed(text));
  if (report === undefined) return fault("it is no whole JSON document");
  if (asMap(report["stats"]) === undefined || !Array.isArray(report["passes"])) {
    return fault("it is JSON of another kind");
  }
  const listed = (key: string, status: ReportedTest["status"]): readonly ReportedTest[] =>
    asList(report[key]).map((each) => {
      const test = asMap(each);
      const message = asText(asMap(test?.["err"])?.["stack"]);
      return {
        file: asText(test?.["file"]),
        names: [asText(test?.["fullTitle"]) ?? ""],
        status,
        message: status === "failed" ? message : undefined,
      };
    });
  return reading([
    ...listed("passes", "passed"),
    ...listed("failures", "failed"),
    ...listed("pending", "skipped"),
  ]);
};

/** One JSON document as a command's whole output, or as its last lines. */
export const readPrintedJson: Reader = (text) => {
  const start = /^\{/m.exec(text)?.index ?? 0;
  const jest = readJestJson(text.slice(start));
  return jest.ok ? jest : readMochaJson(text.slice(start));
};

/**
 * Lines that kit's own reporters write: a test each, then `{"end":true}`. Without that line the
 * process ended before its tests did.
 */
export const readOwnLines: Reader = (text) => {
  const tests: ReportedTest[] = [];
  let isWhole = false;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const test = asMap(parsed(line));
    if (test === undefined || isWhole) return fault("it holds something else");
    if (test["end"] === true) {
      isWhole = true;
      continue;
    }
    const names = asList(test["names"]).filter((name) => typeof name === "string");
    const status = test["status"];
    if (status !== "passed" && status !== "failed" && status !== "skipped") {
      return fault("it holds something else");
    }
    tests.push({ file: asText(test["file"]), names, status, message: asText(test["message"]) });
  }
  return isWhole ? reading(tests) : fault("it ends in the middle");
};

function statusOf(status: unknown): ReportedTest["status"] {
  if (status === "passed" || status === "failed") return status;
  return "skipped";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}
