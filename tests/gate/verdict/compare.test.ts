import { describe, expect, test } from "vitest";
import type { GateResult } from "../../../src/contracts/index.ts";
import { compare, failureOf } from "../../../src/gate/index.ts";
import { gate, line, result } from "../support.ts";

const options = { createsTests: false, root: "/repo" };
const tap = (pass: number, fail: number): string =>
  `# tests ${pass + fail}\n# suites 0\n# pass ${pass}\n# fail ${fail}\n# cancelled 0\n# skipped 0\n# todo 0\n`;
const green = (output = ""): GateResult => gate(result({ output }));
const red = (output = ""): GateResult => gate(result({ code: 1, output }));
const broken = (possiblyByChange: boolean): GateResult => ({
  ...red(),
  environment: { cause: "no runner (127)", mend: "npm ci", possiblyByChange },
});

describe("the verdict on a change", () => {
  test.each([
    ["red turns green", red(), green(), "fixed", "fixed"],
    ["green stays green", green(), green(), "green", "none"],
    ["green turns red", green(), red(), "regressed", "none"],
    ["red stays red", red(), red(), "unchanged_red", "none"],
    [
      "another command turns red while the first stays red",
      gate(result({ code: 1 }), result()),
      gate(result({ code: 1 }), result({ code: 1 })),
      "regressed",
      "none",
    ],
    [
      "one of two red ones turns green",
      gate(result({ code: 1 }), result({ code: 1 })),
      gate(result(), result({ code: 1 })),
      "unchanged_red",
      "none",
    ],
    ["a green that ran no test", green(tap(3, 0)), green(tap(0, 0)), "vacuous", "none"],
    ["a green that never ran a test", green(tap(0, 0)), green(tap(0, 0)), "vacuous", "none"],
    ["a green with fewer tests than before", red(tap(2, 1)), green(tap(2, 0)), "vacuous", "none"],
    ["a green whose summary is missing", red(tap(2, 1)), green("hello"), "vacuous", "none"],
    [
      "a green in which a second runner speaks",
      red(tap(2, 1)),
      green(`${tap(3, 0)}  3 passing (1ms)\n`),
      "fixed",
      "fixed",
    ],
    ["a green of a runner nobody knows", red("?"), green("hello"), "fixed", "fixed"],
    ["a green with more tests than before", red(tap(2, 1)), green(tap(4, 0)), "fixed", "fixed"],
    ["a red with fewer tests than before", green(tap(3, 0)), red(tap(1, 1)), "regressed", "none"],
    ["no command at all", gate(), gate(), "unconfigured", "none"],
    [
      "a time limit counts as red",
      green(),
      gate(result({ ended: { by: "deadline", afterMs: 5_000 } })),
      "regressed",
      "none",
    ],
    ["the machine is broken on both sides", broken(true), broken(true), "environment", "none"],
    [
      "what looks broken only with the change is the change's",
      green(),
      broken(true),
      "regressed",
      "none",
    ],
    ["what no change can break", green(), broken(false), "environment", "none"],
  ] as const)("%s", (_, baseline, change, kind, evidence) => {
    const verdict = compare(baseline, change, options);

    expect(verdict).toMatchObject({ kind, evidence, basis: "exit_code" });
    expect(verdict.accepted).toBe(kind === "fixed" || kind === "green");
    expect(verdict.summary).not.toBe("");
  });

  test("new test files are evidence of a green", () => {
    expect(compare(green(), green(), { ...options, createsTests: true }).evidence).toBe(
      "new tests",
    );
    expect(compare(red(), green(), { ...options, createsTests: true }).evidence).toBe("fixed");
  });

  test("fewer failing tests are progress, where they can be counted", () => {
    expect(compare(red(tap(1, 3)), red(tap(3, 1)), options).progress).toBe(true);
    expect(compare(red(tap(1, 3)), red(tap(1, 3)), options).progress).toBe(false);
    expect(compare(red("?"), red(tap(3, 1)), options).progress).toBe(false);
    expect(compare(green(tap(4, 0)), red(tap(3, 1)), options).progress).toBe(false);
  });

  test("a red verdict names the commands and how they ended, and carries a digest", () => {
    const change = gate(
      result({ command: line("npm run lint") }),
      result({ command: line("npm run unit"), code: 1, output: "AssertionError: -1 !== 5" }),
    );

    const verdict = compare(gate(result(), result()), change, options);

    expect(verdict.summary).toBe("green before the change, red with it: npm run unit (exit 1)");
    expect(verdict.digest).toContain("AssertionError: -1 !== 5");
  });
});

describe("the failure a verdict is", () => {
  test("an accepted verdict is none", () => {
    expect(failureOf(compare(red(), green(), options))).toBeUndefined();
  });

  test("a failing test is tests_failed, whatever its message speaks of", () => {
    const output = "Error: Request timed out after 5000 ms: 429 Too Many Requests, ECONNRESET";

    const failure = failureOf(compare(green(), red(output), options));

    expect(failure?.kind).toBe("tests_failed");
    expect(failure).toMatchObject({ digest: expect.stringContaining("429 Too Many Requests") });
  });

  test("an environment carries what mends it", () => {
    expect(failureOf(compare(broken(true), broken(true), options), "npm ci")).toEqual({
      kind: "environment",
      message: "no runner (127)",
      mend: "npm ci",
    });
  });
});
