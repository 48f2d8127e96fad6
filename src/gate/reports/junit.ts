import { fault, type ReportedTest, type Reader, reading } from "./reading.ts";
import { walkXml } from "./xml.ts";

/** Of one failure; what follows is a stack. */
const maxMessageChars = 4_000;

/**
 * JUnit XML, as pytest, maven, gradle, bun, deno, phpunit and node write it: `testcase` elements
 * in one or more `testsuite`. A test that is both skipped and failed is skipped (node's todo).
 */
export const readJunit: Reader = (text) => {
  const tests: ReportedTest[] = [];
  const suites: { readonly name: string; readonly file: string | undefined }[] = [];
  let test: { names: readonly string[]; file: string | undefined } | undefined;
  let status: ReportedTest["status"] = "passed";
  let message = "";
  let isReason = false;
  let sawRoot = false;
  const wrong = walkXml(text, {
    open(name, attributes) {
      if (name === "testsuites" || name === "testsuite") sawRoot = true;
      if (name === "testsuite") {
        suites.push({ name: attributes.get("name") ?? "", file: attributes.get("file") });
      } else if (name === "testcase" && test === undefined) {
        const file = attributes.get("file") ?? suites.findLast((suite) => suite.file)?.file;
        const suite = attributes.get("classname") || suites.at(-1)?.name;
        test = { names: namesOf(suite ?? "", attributes.get("name") ?? "", file), file };
        status = "passed";
        message = "";
      } else if (test !== undefined && name === "skipped") {
        status = "skipped";
      } else if (test !== undefined && (name === "failure" || name === "error")) {
        if (status === "passed") status = "failed";
        isReason = true;
        message ||= attributes.get("message") ?? "";
      }
    },
    text(part) {
      if (isReason && message.length < maxMessageChars)
        message += `\n${part.slice(0, maxMessageChars)}`;
    },
    close(name) {
      if (name === "testsuite") suites.pop();
      else if (name === "failure" || name === "error") isReason = false;
      else if (name === "testcase" && test !== undefined) {
        tests.push({ ...test, status, message: status === "failed" ? message.trim() : undefined });
        test = undefined;
      }
    },
  });
  if (wrong !== undefined) return fault(wrong);
  return sawRoot ? reading(tests) : fault("it is XML of another kind");
};

/** The class without the file's module (pytest: `tests.test_math.TestMath` in tests/test_math.py). */
function namesOf(suite: string, name: string, file: string | undefined): readonly string[] {
  const module = file?.replace(/\.\w+$/, "").replaceAll("/", ".");
  const inFile =
    module === undefined || (suite !== module && !suite.startsWith(`${module}.`))
      ? suite
      : suite.slice(module.length + 1);
  return [inFile, name].filter((each) => each !== "");
}
