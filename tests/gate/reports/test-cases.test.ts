import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReportedTest } from "../../../src/gate/reports/reading.ts";
import { testCases } from "../../../src/gate/reports/test-cases.ts";

const ids = (
  reported: readonly Partial<ReportedTest>[],
  cwd = "/repo",
  isFile: (path: string) => boolean = () => false,
): readonly string[] =>
  testCases(
    reported.map((each) => ({ names: [], status: "passed" as const, ...each })),
    { root: "/repo", cwd, isFile },
  ).map(({ id }) => id);

describe("the id of a test", () => {
  test.each([
    [
      "a path of the repository",
      { file: "/repo/a.js", names: ["reads /repo/b.js and /repo"] },
      "a.js › reads b.js and .",
    ],
    [
      "a temporary path",
      { names: ["opens /tmp/x-8f3a/a.txt, then file:///tmp/y"] },
      "opens <temporary>, then <temporary>",
    ],
    ["white space and control characters", { names: [" a\n\tb\u0000\u202e "] }, "a b"],
    ["colour", { names: ["\u001b[31mred\u001b[0m"] }, "red"],
    [
      "a secret",
      { names: ["key sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKl"] },
      "key [redacted]",
    ],
    ["no name", { names: [] }, "(without a name)"],
    [
      "a file outside of the repository",
      { file: "/other/deep/a.js", names: ["a"] },
      "deep/a.js › a",
    ],
    ["an address of a file", { file: "file:///repo/a%20b.js", names: ["a"] }, "a b.js › a"],
  ])("with %s", (_, reported, expected) => {
    expect(ids([reported])).toEqual([expected]);
  });

  test("is numbered where it stands twice, also beside one that looks numbered", () => {
    const names = [["a"], ["a (2)"], ["a"], ["a"]];
    expect(ids(names.map((each) => ({ names: each })))).toEqual(["a", "a (2)", "a (3)", "a (4)"]);
  });

  test("names a file from the folder that has it", () => {
    const reported = [{ file: "pkg/tests/test_a.py", names: ["a"] }];
    expect(ids(reported, "/repo/pkg", (path) => path === "/repo/pkg/tests/test_a.py")).toEqual([
      "pkg/tests/test_a.py › a",
    ]);
    expect(ids([{ file: "test_a.py", names: ["a"] }], "/repo/pkg")).toEqual(["pkg/test_a.py › a"]);
  });

  test("comes with the file only where it lies in the repository", () => {
    const reported = ["/repo/src/a.js", "/other/deep/a.js"].map((file) => ({
      file,
      names: ["a"],
      status: "passed" as const,
    }));
    const found = testCases(reported, { root: "/repo", cwd: "/repo", isFile: () => false });
    expect(found.map(({ file }) => file)).toEqual(["src/a.js", undefined]);
  });

  test("of great length is cut and stays apart", () => {
    const long = "x".repeat(1_000);
    const [one = "", other = ""] = ids([{ names: [`${long}1`] }, { names: [`${long}2`] }]);
    expect(one.length).toBeLessThanOrEqual(400);
    expect(one).not.toBe(other);
  });

  test("is unique, bounded, one line and the same again, whatever a report holds", () => {
    const reported = fc.array(
      fc.record({
        file: fc.option(fc.string(), { nil: undefined }),
        names: fc.array(fc.oneof(fc.string(), fc.constantFrom("a", "a (2)", "")), { maxLength: 3 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(reported, (given) => {
        const found = ids(given);
        expect(new Set(found).size).toBe(given.length);
        expect(found.every((id) => id.length <= 410 && !/[\n\r]/.test(id))).toBe(true);
        expect(ids(given)).toEqual(found);
      }),
      { numRuns: 200 },
    );
  });
});

test("messages are bounded, masked and relative, and kept of 200 tests", () => {
  const message = `at /repo/src/a.js:1:2 ${"x".repeat(10_000)}`;
  const reported = Array.from({ length: 300 }, () => ({
    names: ["a"],
    status: "failed" as const,
    message,
  }));
  const found = testCases(reported, { root: "/repo", cwd: "/repo", isFile: () => false });
  expect(found.filter((each) => each.message !== undefined)).toHaveLength(200);
  expect(found[0]?.message).toMatch(/^at src\/a\.js:1:2 x/);
  expect(found[0]?.message?.length).toBeLessThanOrEqual(2_000);
});
