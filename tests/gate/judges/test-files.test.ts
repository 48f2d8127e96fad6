import { describe, expect, test } from "vitest";
import { isRunnerConfiguration, isTestFile, mayCreateTestFile } from "../../../src/gate/index.ts";
import { runnerConfigurationRules, testFileRules } from "../../../src/gate/judges/test-files.ts";

const examples = (rules: typeof testFileRules): readonly (readonly [string, string])[] =>
  rules.flatMap(({ of, examples }) => examples.map((path) => [path, of] as const));

describe("the judge", () => {
  test.each(examples(testFileRules))("%s is a test (%s)", (path) => {
    expect(isTestFile(path)).toBe(true);
  });

  test.each(examples(runnerConfigurationRules))("%s configures a runner (%s)", (path) => {
    expect(isRunnerConfiguration(path)).toBe(true);
    expect(mayCreateTestFile(path)).toBe(false);
  });

  test.each([
    "src/math.js",
    "src/latest.js",
    "src/contest.py",
    "src/attest.go",
    "src/testing.ts",
    "src/commands/test.ts",
    "lib/inspect.rb",
    "spec/openapi.yaml",
    "docs/spec/format.md",
    "src/Contest.java",
    "src/manifest.cs",
    "package.json",
    "Makefile",
    "Cargo.toml",
    "vite.config.ts",
    "tsconfig.json",
    "src/jest.ts",
    "src/config.ts",
    "README.md",
    "protest.py",
  ])("%s is neither", (path) => {
    expect(isTestFile(path)).toBe(false);
    expect(isRunnerConfiguration(path)).toBe(false);
  });

  test("new tests are welcome, new configuration of a runner is not", () => {
    expect(mayCreateTestFile("test/new.test.js")).toBe(true);
    expect(mayCreateTestFile("tests/conftest.py")).toBe(false);
    expect(mayCreateTestFile("src/new.js")).toBe(false);
  });
});
