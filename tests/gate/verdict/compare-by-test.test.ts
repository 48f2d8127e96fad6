import { describe, expect, test } from "vitest";
import type { CommandResult, GateResult, TestCase } from "../../../src/contracts/index.ts";
import { compare, type CompareOptions, steady, unsteadyBetween } from "../../../src/gate/index.ts";
import { gate, line, result } from "../support.ts";

const options: CompareOptions = { createsTests: false, root: "/repo" };

/** `+a -b ~c`: passed, failed, skipped; `x/+a` stands in the file `x`. */
function tests(text: string): readonly TestCase[] {
  const statuses = { "+": "passed", "-": "failed", "~": "skipped" } as const;
  return text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const [, file, sign, id = ""] = /^(?:(\w+)\/)?([+~-])(\w+)$/.exec(word) ?? [];
      const status = statuses[sign as keyof typeof statuses];
      return { id, status, ...(file !== undefined && { file }) };
    });
}

function ran(text: string, over: Partial<CommandResult> & { code?: number } = {}): GateResult {
  const cases = tests(text);
  const code = cases.some(({ status }) => status === "failed") ? 1 : 0;
  const of = gate(result({ code, tests: cases, ...over }));
  return { ...of, green: of.green && code === 0, tests: cases };
}

describe("the verdict by test", () => {
  test.each([
    ["a red test turns green", "+a -b", "+a +b", "fixed", "fixed"],
    ["all stay green", "+a +b", "+a +b", "green", "none"],
    ["a green test turns red", "+a +b", "+a -b", "regressed", "none"],
    ["a green one turns red while a red one turns green", "+a -b", "-a +b", "regressed", "none"],
    ["what was red stays red, whatever it is about", "+a -b", "+a -b", "unchanged_red", "none"],
    ["one of two red ones turns green", "-a -b", "+a -b", "unchanged_red", "none"],
    ["a new test beside green ones is red", "+a", "+a -n", "regressed", "none"],
    ["a new test beside red ones is red", "+a -b", "+a +b -n", "unchanged_red", "none"],
    ["a file no longer loads", "x/+a x/+b y/-c", "x/-x y/-c", "regressed", "none"],
    ["a file that did not load loads", "x/-x y/+c", "x/+a x/+b y/+c", "fixed", "fixed"],
    ["no test is left", "+a", "", "vacuous", "none"],
    ["all are skipped", "+a -b", "~a ~b", "weakened", "none"],
    ["a green one is skipped", "x/+a x/+b", "x/+a x/~b", "vacuous", "none"],
    ["a green one is gone", "x/+a x/+b y/+c", "x/+a y/+c", "vacuous", "none"],
    ["new ones elsewhere stand for one that is gone", "x/+a x/+b", "x/+a n/+c", "vacuous", "none"],
    ["one has another name", "x/+a x/+b", "x/+a x/+c", "green", "none"],
  ] as const)("%s", (_, before, now, kind, evidence) => {
    const verdict = compare(ran(before), ran(now), options);

    expect(verdict).toMatchObject({ kind, evidence, basis: "tests" });
    expect(verdict.accepted).toBe(kind === "fixed" || kind === "green");
  });

  test("a failed test is red although the command ended with 0", () => {
    expect(compare(ran("-a"), ran("-a", { code: 0 }), options).kind).toBe("unchanged_red");
  });

  test("a command that is red for another reason than its tests is", () => {
    expect(compare(ran("+a"), ran("+a", { code: 1 }), options).kind).toBe("regressed");
    expect(compare(ran("-a"), ran("+a", { code: 1 }), options).kind).toBe("unchanged_red");
  });

  test("a green that says nothing of its tests any more is vacuous", () => {
    expect(compare(ran("-a"), gate(result()), options)).toMatchObject({
      kind: "vacuous",
      basis: "exit_code",
    });
  });

  test("new tests are evidence where they were collected", () => {
    const creates = { ...options, createsTests: true };
    expect(compare(ran("+a"), ran("+a +n"), creates).evidence).toBe("new tests");
    expect(compare(ran("+a"), ran("+a"), creates).evidence).toBe("none");
  });

  test("fewer red ones are progress, unless others are gone", () => {
    expect(compare(ran("+a -b -c"), ran("+a +b -c"), options).progress).toBe(true);
    expect(compare(ran("+a -b -c"), ran("+a -b -c"), options).progress).toBe(false);
    expect(compare(ran("+a -b -c"), ran("-c"), options).progress).toBe(false);
  });

  test("a command without tests is compared by exit code beside one with them", () => {
    const pair = (code: number): GateResult =>
      gate(result({ tests: tests("+a") }), result({ code, command: line("sh lint.sh") }));

    expect(compare(pair(0), pair(1), options)).toMatchObject({
      kind: "regressed",
      basis: "exit_code",
      summary: "green before the change, red with it: sh lint.sh (exit 1)",
    });
  });

  test("tests that the change may edit may go, those that were red may not", () => {
    const mayEdit = { ...options, editedTests: new Set(["x"]) };
    expect(compare(ran("x/+a x/+b y/+c"), ran("y/+c"), mayEdit).kind).toBe("green");
    expect(compare(ran("x/+a x/-b"), ran("x/+a x/~b"), mayEdit).kind).toBe("weakened");
    expect(compare(ran("x/+a x/-b"), ran("x/+a"), mayEdit).kind).toBe("weakened");
    expect(
      compare(ran("x/+a x/+b"), ran("x/+a"), { ...mayEdit, editedTests: new Set(["z"]) }),
    ).toMatchObject({ kind: "vacuous" });
  });
});

describe("what differs on one tree", () => {
  const seen = (...runs: readonly [string, string]): ReturnType<typeof unsteadyBetween> =>
    unsteadyBetween(ran(runs[0]), ran(runs[1]));

  test("is named by test, and by command where no test explains it", () => {
    expect([...seen("+a -b", "+a +b").tests]).toEqual(["0 b"]);
    expect([...seen("+a +b", "-a +b").tests]).toEqual(["0 a"]);
    expect([...seen("-x", "+a +b").tests]).toEqual(["0 x"]);
    expect([...seen("-a -b", "-a").tests]).toEqual([]);
    expect([...unsteadyBetween(gate(result({ code: 1 })), gate(result())).commands]).toEqual([0]);
  });

  test("on the baseline is neither fixed nor broken by a change", () => {
    const unsteady = { baseline: seen("+a -b", "+a +b"), change: steady };
    const of = (now: string): string =>
      compare(ran("+a -b"), ran(now), { ...options, unsteady }).kind;
    expect(of("+a +b")).toBe("green");
    expect(of("+a -b")).toBe("flaky");
    expect(of("-a -b")).toBe("regressed");
  });

  test("with the change is left out, and said", () => {
    const unsteady = { baseline: steady, change: seen("-a +b", "+a +b") };
    const verdict = compare(ran("+a -b"), ran("+a +b"), { ...options, unsteady });
    expect(verdict).toMatchObject({ kind: "fixed", accepted: true });
    expect(verdict.summary).toContain("flaky, and left out: a");
  });

  test("by exit code alone is no success with the change, and no evidence on the baseline", () => {
    const red = gate(result({ code: 1 }));
    const green = gate(result());
    const differing = unsteadyBetween(red, green);
    const of = (baseline: GateResult, unsteady: CompareOptions["unsteady"]): string =>
      compare(baseline, green, { ...options, ...(unsteady && { unsteady }) }).kind;
    expect(of(green, { baseline: steady, change: differing })).toBe("flaky");
    expect(of(red, { baseline: differing, change: steady })).toBe("green");
  });
});

describe("the digest by test", () => {
  test("names the failing tests first, each message once, without the flaky ones", () => {
    const failed = (id: string, message: string): TestCase => ({ id, status: "failed", message });
    const message = "AssertionError: -1 !== 5\n    at /repo/test/a.js:4:2";
    const change = gate(
      result({
        code: 1,
        tests: [failed("adds", message), failed("adds more", message), failed("races", "late")],
        output: "AssertionError: -1 !== 5\nnoise\n",
      }),
    );
    const unsteady = {
      baseline: steady,
      change: { tests: new Set(["0 races"]), commands: new Set<number>() },
    };

    const { digest } = compare(ran("+adds"), change, { ...options, unsteady });

    expect(digest).toBe(
      "$ npm test\nexit 1\nFailing tests: 2\n  adds\n    AssertionError: -1 !== 5\n        at test/a.js:4:2\n  adds more\n\nnoise".replace(
        " (in /repo)",
        "",
      ),
    );
  });
});
