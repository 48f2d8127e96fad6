import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureLines } from "../../../src/gate/verdict/digest.ts";
import { countTests } from "../../../src/gate/verdict/counts.ts";
import { digest, isRelatedToTask, judgeEnvironment } from "../../../src/gate/index.ts";
import { line, result } from "../support.ts";

const options = { root: "/home/me/repo", maxChars: 2_000 };
const red = (output: string, maxChars = options.maxChars): string =>
  digest([result({ code: 1, output, command: line("npm test", options.root) })], {
    ...options,
    maxChars,
  });

describe("what the next model is shown", () => {
  test("the command, how it ended, and its output", () => {
    expect(red("add is wrong: 6\n")).toBe("$ npm test\nexit 1\nadd is wrong: 6");
  });

  test("green commands are left out, the folder is said where it is not the root", () => {
    const results = [
      result({ output: "fine" }),
      result({ code: 2, output: "bad", command: line("go test", "/home/me/repo/api") }),
    ];

    expect(digest(results, options)).toBe("$ go test (in api)\nexit 2\nbad");
    expect(digest([result()], options)).toBe("");
  });

  test("the failing part comes before what merely surrounds it", () => {
    const noise = Array.from({ length: 500 }, (_, index) => `ok ${index} - passes`).join("\n");
    const failing = "not ok 501 - adds\n  expected: 5\n  actual: -1";

    const text = red(`${noise}\n${failing}\n${noise}`);

    expect(text.split("\n").slice(2, 6).join("\n")).toContain("not ok 501 - adds\n  expected: 5");
    expect(text.length).toBeLessThanOrEqual(2_000);
  });

  test("the same failure is shown once", () => {
    const failure = (ms: number): string => `✖ adds (${ms}ms)\n  AssertionError: -1 !== 5\n`;
    const gap = Array.from({ length: 400 }, (_, index) => `ok ${index} - passes`).join("\n");

    const text = red(`${failure(1.5)}${gap}\n${failure(2.25)}${gap}`);

    expect(text.match(/✖ adds/g)).toHaveLength(1);
    expect(text.match(/AssertionError/g)).toHaveLength(1);
  });

  test("paths are relative, frames of runtimes and packages are dropped", () => {
    const text = red(
      [
        "AssertionError: -1 !== 5",
        "    at file:///home/me/repo/test/a.test.js:5:30",
        "    at add (/home/me/repo/src/math.js:1:2)",
        "    at Test.run (node:internal/test_runner/test:1125:25)",
        "    at x (/home/me/repo/node_modules/vitest/dist/a.js:1:1)",
      ].join("\n"),
    );

    expect(text).toContain("at test/a.test.js:5:30\n    at add (src/math.js:1:2)");
    expect(text).not.toMatch(/node:internal|node_modules|\/home\/me/);
  });

  test("a neighbour of the repository keeps its path", () => {
    expect(red("Error: /home/me/repo2/a.js and /home/me/repo and (/home/me/repo/b)")).toContain(
      "Error: /home/me/repo2/a.js and . and (b)",
    );
  });

  test("secrets are masked, colour is stripped, rewritten lines show their last state", () => {
    const text = red(
      "10%\r50%\r\u001b[32m100%\u001b[39m\nError: key ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
    );

    expect(text).toContain("\n100%\n");
    expect(text).toContain("[redacted]");
    expect(text).not.toMatch(/ghp_|\u001b|50%/);
  });

  test.each(failureLines.map((row) => [row.seen, row] as const))(
    "a failure is seen in: %s",
    (seen, row) => {
      expect(row.pattern.test(seen)).toBe(true);
    },
  );

  test("no output is longer than asked for, one line of 5 MB included", () => {
    expect(red("x".repeat(5_000_000)).length).toBeLessThanOrEqual(2_000);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("not ok 1 - a", "E   assert", "ok", "", "x".repeat(900))),
        fc.integer({ min: 80, max: 3_000 }),
        (lines, maxChars) => {
          expect(red(lines.join("\n"), maxChars).length).toBeLessThanOrEqual(maxChars);
        },
      ),
    );
  });

  test("no pattern is slow on one line of half a megabyte", async () => {
    for (const piece of ["x", " ", "a:", "=", "1 ", "a.b", "/a"]) {
      const output = piece.repeat(500_000 / piece.length);
      const each = result({ code: 127, output, command: line("x", "/home/me/repo") });

      expect(countTests(output)).toBeUndefined();
      expect(await judgeEnvironment([each], "/home/me/repo")).toBeDefined();
      expect(red(output).length).toBeLessThanOrEqual(2_000);
      expect(isRelatedToTask(output, "task", [], "/home/me/repo")).toBe(false);
    }
  });

  test("the end of the output stays in, where the last error stands", () => {
    expect(red(`${"x\n".repeat(100_000)}LAST ERROR LINE`)).toContain("LAST ERROR LINE");
  });
});

describe("whether a red baseline has to do with the task", () => {
  const output =
    "not ok 3 - rounds half up\n  AssertionError: 2 !== 3\n    at /repo/test/money.test.js:9:3\n";

  test.each([
    ["a word of the failing test's name", "Rounding is wrong for .5", [], true],
    ["a file that the task ranks", "Totals differ", ["test/money.test.js"], true],
    ["the name of a file", "Totals differ", ["lib/money.test.js"], true],
    ["nothing in common", "The login page has no title", ["src/login.js"], false],
    ["words that every failure has", "Fix the failing test", ["src/index.js"], false],
  ])("%s", (_, task, files, related) => {
    expect(isRelatedToTask(output, task, files, "/repo")).toBe(related);
  });
});
