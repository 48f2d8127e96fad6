import { fault, type ReportedTest, type Reader, reading } from "./reading.ts";

const maxMessageChars = 4_000;

interface UnitTest {
  readonly names: readonly string[];
  /** The parent of a subtest, or itself. */
  readonly of: string;
  status: ReportedTest["status"] | undefined;
  message: string;
}

/**
 * `python -m unittest -v`. Python 3.11 and later repeat the method in the brackets; a first line
 * of the docstring stands on a line of its own; a subtest stands below its test. As many tests as
 * it counts must be named.
 */
export const readUnittest: Reader = (text) => {
  const tests = new Map<string, UnitTest>();
  let pending: UnitTest | undefined;
  let failing: UnitTest | undefined;
  let ran: number | undefined;
  for (const line of text.split(/\r?\n/)) {
    const count = /^Ran (\d+) tests? in [\d.]+s$/.exec(line);
    if (count !== null) ran = (ran ?? 0) + Number(count[1]);
    const reason = /^(?:FAIL|ERROR): (.+)$/.exec(line);
    if (reason !== null) failing = tests.get((reason[1] ?? "").trim());
    else if (/^={50,}$/.test(line)) failing = undefined;
    else if (
      failing !== undefined &&
      failing.message.length < maxMessageChars &&
      !/^-{50,}$/.test(line)
    ) {
      failing.message += `${line.slice(0, maxMessageChars)}\n`;
    }
    if (ran !== undefined || failing !== undefined) continue;
    const title = /^( *)(\S+) \(([\w.]+)\)( [[(].*[\])])?(?= \.\.\. |$)/.exec(line);
    if (title !== null) {
      const [whole, , method = "", path = "", sub = ""] = title;
      const suite = path.endsWith(`.${method}`) ? path.slice(0, -method.length - 1) : path;
      const of = `${suite}.${method}`;
      const names = sub === "" ? [suite, method] : [suite, method, sub.trim()];
      pending = { names, of, status: undefined, message: "" };
      tests.set(whole.trim(), pending);
    }
    const said =
      /(?:^| \.\.\. )(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/.exec(line);
    if (said === null || pending === undefined) continue;
    pending.status = statusOf(said[1] ?? "");
    pending = undefined;
  }
  if (ran === undefined) return fault("it ends in the middle");
  const parents = [...tests.values()].filter(
    ({ names }) => !/^(?:setUp|tearDown)(?:Class|Module)$/.test(names[1] ?? ""),
  );
  if (new Set(parents.map(({ of }) => of)).size !== ran) {
    return fault("its lines are not as many tests as it counts");
  }
  return reading(
    [...tests.values()]
      // A test whose subtests failed has no word of its own.
      .filter(({ status }) => status !== undefined)
      .map(({ names, status = "failed", message }) => ({
        names,
        status,
        message: status === "failed" ? message.trim() : undefined,
      })),
  );
};

/** pytest's own lines: those of `-v`, or the summary of `-rA`. They must be as many as it counts. */
export const readPytestLines: Reader = (text) => {
  const verbose = new Map<string, ReportedTest>();
  const summary = new Map<string, ReportedTest>();
  let closing: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const last =
      /^=*(?: |^)(\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)\b[\w ,]*) in [\d.]+s/.exec(
        line,
      );
    if (last !== null) closing = last[1];
    const tail =
      /^(\S.*?::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))? +\[ *\d+%\]$/.exec(line);
    const head =
      /^(?:SUB)?(PASSED|FAILED|ERROR|XFAIL|XPASS)([[(].*?[\])])? (\S+?::.+?)(?: - (.*))?$/.exec(
        line,
      );
    if (tail !== null) add(verbose, tail[1] ?? "", tail[2] ?? "");
    else if (head !== null)
      add(summary, [head[3], head[2]].filter(Boolean).join("::"), head[1] ?? "", head[4]);
  }
  if (closing === undefined) return fault("it ends in the middle");
  const of = (words: string): number =>
    Number(new RegExp(`(\\d+) ${words}\\b`).exec(closing)?.[1] ?? 0);
  const counted = of("passed") + of("failed") + of("xfailed") + of("xpassed") + of("errors?");
  for (const found of [verbose, summary]) {
    const tests = [...found.values()];
    const named = found === verbose ? counted + of("skipped") : counted;
    if (tests.length > 0 && tests.length === named) return reading(tests);
  }
  return fault("its lines are not as many tests as it counts");
};

function add(tests: Map<string, ReportedTest>, id: string, word: string, message?: string): void {
  const [file = "", ...names] = id.split("::");
  const status =
    word === "PASSED" || word === "XPASS"
      ? "passed"
      : word === "FAILED" || word === "ERROR"
        ? "failed"
        : "skipped";
  tests.set(id, { file, names, status, message: status === "failed" ? message : undefined });
}

function statusOf(word: string): ReportedTest["status"] {
  if (word === "ok") return "passed";
  if (word.startsWith("skipped") || word === "expected failure") return "skipped";
  return "failed";
}
