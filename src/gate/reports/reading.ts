/** One test as a report says it, before it has an id. */
export interface ReportedTest {
  /** Its file as written: absolute, or relative to the folder of the command. */
  readonly file?: string | undefined;
  /** Suites from the outside in, then the test; empty where the file itself is what failed. */
  readonly names: readonly string[];
  readonly status: "passed" | "failed" | "skipped";
  readonly message?: string | undefined;
}

/** What a reader makes of a text; `fault` is one line for people: `it ends in the middle`. */
export type Reading =
  | { readonly ok: true; readonly tests: readonly ReportedTest[] }
  | { readonly ok: false; readonly fault: string };

/** Reads one format. Never throws, whatever the text; takes time in its length only. */
export type Reader = (text: string) => Reading;

/** More tests than any suite has; a report that claims more is no report. */
const maxTests = 200_000;

export function fault(reason: string): Reading {
  return { ok: false, fault: reason };
}

/** The tests as a reading, unless there are too many to be true. */
export function reading(tests: readonly ReportedTest[]): Reading {
  return tests.length > maxTests
    ? fault(`it names more than ${maxTests} tests`)
    : { ok: true, tests };
}

/** Joins readings of several reports; the first fault is that of all. */
export function joinReadings(readings: readonly Reading[]): Reading {
  const tests: ReportedTest[] = [];
  for (const each of readings) {
    if (!each.ok) return each;
    for (const test of each.tests) tests.push(test);
  }
  return reading(tests);
}

/** A JSON value as a map, a list or a text; undefined where it is something else. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
