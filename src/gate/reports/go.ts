import { asMap, asText, fault, type ReportedTest, type Reader, reading } from "./reading.ts";

/** What is known of one package while its lines go by. */
interface Package {
  readonly tests: Map<string, { status: ReportedTest["status"] | undefined; message: string }>;
  /** Set by its last line. */
  ended: "ok" | "failed" | undefined;
  /** Why it failed where no test of it did: its build, a panic, an exit. */
  reason: string;
}

const maxMessageChars = 4_000;

const statusOf: Readonly<Record<string, ReportedTest["status"]>> = {
  pass: "passed",
  fail: "failed",
  skip: "skipped",
  bench: "passed",
};

/** `go test -json`: events a line, packages interleaved; a build that fails may stand between as text. */
export const readGoJson: Reader = (text) => {
  const packages = new Map<string, Package>();
  for (const line of text.split("\n")) {
    const built = brokenBuild.exec(line);
    if (built !== null) end(packageOf(packages, built[1] ?? ""), "failed", built[2] ?? "");
    if (!line.startsWith("{")) continue;
    const event = eventOf(line);
    const name = asText(event?.["Package"]);
    const action = asText(event?.["Action"]);
    if (event === undefined || name === undefined || action === undefined) continue;
    const found = packageOf(packages, name);
    const test = asText(event["Test"]);
    const status = statusOf[action];
    if (test === undefined) {
      const reason = asText(event["FailedBuild"]) === undefined ? "" : "build failed";
      if (status !== undefined) end(found, status === "failed" ? "failed" : "ok", reason);
      continue;
    }
    const known = testOf(found, test);
    if (status !== undefined) known.status = status;
    if (action === "output") append(known, asText(event["Output"]) ?? "");
  }
  return readingOf(packages);
};

/**
 * `go test -v`: the lines of a package stand together and its own line follows. What a test prints
 * without a line break stands before a `=== RUN` or `---` line.
 */
export const readGoVerbose: Reader = (text) => {
  const packages = new Map<string, Package>();
  let current: Package = newPackage();
  let running: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const run = /=== (?:RUN|NAME|CONT) {1,3}(\S+)$/.exec(line);
    if (run !== null) {
      running = run[1] ?? "";
      testOf(current, running);
      continue;
    }
    const result = /--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/.exec(line);
    const named = result === null ? undefined : current.tests.get(result[2] ?? "");
    if (result !== null && named !== undefined) {
      // Who prints a line like it does not take a failure back.
      if (named.status !== "failed") named.status = statusOf[(result[1] ?? "").toLowerCase()];
      running = undefined;
      continue;
    }
    const last = packageLine.exec(line) ?? brokenBuild.exec(line);
    if (last === null) {
      if (running !== undefined) append(testOf(current, running), `${line}\n`);
      continue;
    }
    end(current, line.startsWith("FAIL") ? "failed" : "ok", last[2] ?? "");
    packages.set(last[1] ?? "", current);
    current = newPackage();
    running = undefined;
  }
  if (current.tests.size > 0) return fault("it ends in the middle");
  return readingOf(packages);
};

/** `ok  \tpkg\t0.1s`, `FAIL\tpkg\t0.1s`, `?   \tpkg\t[no test files]`, `\tpkg\t\tcoverage: 0.0%`. */
const packageLine =
  /^(?:ok {2}|FAIL|\? {3}|)\t(\S+)\t+(?:\d+\.\d+s|\(cached\)|\[no test|coverage:)(?:.*)$/;

/** `FAIL\tpkg [build failed]`, also `[setup failed]`. */
const brokenBuild = /^FAIL\t(\S+) \[((?:build|setup) failed)\]$/;

function newPackage(): Package {
  return { tests: new Map(), ended: undefined, reason: "" };
}

function packageOf(packages: Map<string, Package>, name: string): Package {
  const known = packages.get(name) ?? newPackage();
  packages.set(name, known);
  return known;
}

function testOf(
  { tests }: Package,
  name: string,
): { status: ReportedTest["status"] | undefined; message: string } {
  const known = tests.get(name) ?? { status: undefined, message: "" };
  tests.set(name, known);
  return known;
}

function append(test: { message: string }, output: string): void {
  if (test.message.length < maxMessageChars && !/^\s*(?:=== |--- )/.test(output)) {
    test.message += output.slice(0, maxMessageChars);
  }
}

function end(found: Package, how: "ok" | "failed", reason: string): void {
  found.ended = found.ended === "failed" ? "failed" : how;
  found.reason ||= reason;
}

function readingOf(packages: ReadonlyMap<string, Package>): ReturnType<Reader> {
  const all: ReportedTest[] = [];
  for (const [name, found] of packages) {
    if (found.ended === undefined) return fault(`it ends in the middle of ${name}`);
    const own = [...found.tests].map(([test, { status, message }]): ReportedTest => ({
      names: [name, test],
      // Begun and not done in a package that ended: a panic or an exit took it along.
      status: status ?? "failed",
      message: status === "passed" || status === "skipped" ? undefined : message.trim(),
    }));
    for (const test of own) all.push(test);
    if (found.ended === "failed" && !own.some(({ status }) => status === "failed")) {
      all.push({ names: [name], status: "failed", message: found.reason || "the package failed" });
    }
  }
  return reading(all);
}

function eventOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asMap(JSON.parse(line));
  } catch {
    return undefined;
  }
}
