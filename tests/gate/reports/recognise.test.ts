import { describe, expect, test } from "vitest";
import type { TestCommand } from "../../../src/contracts/index.ts";
import { chainedCommands } from "../../../src/gate/reports/command-words.ts";
import { recognise } from "../../../src/gate/reports/recognise.ts";
import { runners } from "../../../src/gate/reports/runners.ts";
import { line } from "../support.ts";

const argv = (...words: readonly string[]): TestCommand => ({
  ...line(""),
  command: { argv: words },
});

/** The line or words as they are started with two words for the runner. */
function asked(command: TestCommand, scripts: Readonly<Record<string, string>> = {}): unknown {
  const changed = recognise(command, scripts)?.withWords?.(["-x", "a b"]).command;
  if (changed === undefined) return undefined;
  return "shell" in changed ? changed.shell : changed.argv;
}

describe("a shell line", () => {
  test.each([
    ["mocha 'test/*.js' && tsc", [["mocha", "test/*.js"], ["tsc"]]],
    ['FOO=1 jest --x="a b" $Y ${Z}', [["FOO=1", "jest", "--x=a b", "$Y", "${Z}"]]],
    ["vitest run src/{a,b}/**/*.test.ts", [["vitest", "run", "src/{a,b}/**/*.test.ts"]]],
    ['echo "a\\"b" c\\ d', [["echo", 'a"b', "c d"]]],
  ])("%s is its commands", (text, expected) => {
    expect(chainedCommands(text)).toEqual(expected);
  });

  test.each([
    "a | b",
    "a; b",
    "a || b",
    "a & b",
    "a > b",
    "a 2>&1",
    "a $(b)",
    "a `b`",
    "(a)",
    "{ a; }",
    "a # b",
    "a\nb",
    "a && ",
    "a '",
    "! a",
    "",
  ])("%j is more than a chain, or none", (text) => {
    expect(chainedCommands(text)).toBeUndefined();
  });
});

describe("the runner of a command", () => {
  test.each(runners.map(({ name, example }) => ({ name, example })))(
    "$example is $name, directly and as a script",
    ({ name, example }) => {
      expect(recognise(line(example), {})?.runner.name).toBe(name);
      expect(recognise(argv(...example.split(" ")), {})?.runner.name).toBe(name);
      expect(recognise(argv("npm", "test"), { test: example })?.runner.name).toBe(name);
    },
  );

  test.each([
    ["npx vitest run", "vitest"],
    ["NODE_ENV=test ./node_modules/.bin/jest --ci", "jest"],
    ["cross-env A=1 react-scripts test", "jest"],
    ["c8 node --import tsx --test 'test/**/*.ts'", "node:test"],
    ["pnpm exec mocha", "mocha"],
    [".venv/bin/python -m pytest -q", "pytest"],
    ["uv run pytest", "pytest"],
    ["poetry run python -W error -m unittest discover", "unittest"],
    ["./gradlew :app:test", "gradle"],
    ["./mvnw -q verify", "maven"],
    ["vendor/bin/phpunit tests", "phpunit"],
    ["cargo +nightly test --workspace", "cargo test"],
  ])("%s is %s", (text, name) => {
    expect(recognise(line(text), {})?.runner.name).toBe(name);
  });

  test.each([
    ["an unknown program", "make test"],
    ["a report of the user's own", "vitest run --reporter=verbose"],
    ["another verb", "go build ./..."],
    ["a check of syntax alone", "node --check a.js"],
    ["two runners", "vitest run && jest"],
    ["a pipe", "go test ./... | tee log"],
    ["a script that is missing", "npm run unit"],
    ["a workspace's script", "npm --workspace a test"],
  ])("%s has none: %s", (_, text) => {
    expect(recognise(line(text), {})).toBeUndefined();
  });

  test("scripts that call each other have none", () => {
    const scripts = { test: "npm run a", a: "npm run b", b: "npm run a" };
    expect(recognise(line("npm test"), scripts)).toBeUndefined();
  });
});

describe("words for a runner", () => {
  test.each([
    ["vitest run", "vitest run -x 'a b'"],
    ["tsc && vitest run", "tsc && vitest run -x 'a b'"],
    ["npm test", "npm test -- -x 'a b'"],
    ["npm test -- src", "npm test -- src -x 'a b'"],
    ["npm run -s unit", "npm run -s unit -- -x 'a b'"],
    ["npm run all", "npm run all -- -- -x 'a b'"],
    ["pnpm test", "pnpm test -x 'a b'"],
    ["yarn unit", "yarn unit -x 'a b'"],
    ["bun run unit", "bun run unit -x 'a b'"],
  ])("reach it through %s", (text, expected) => {
    const scripts = { test: "vitest run", unit: "tsc && vitest run", all: "npm run unit" };
    expect(asked(line(text), scripts)).toBe(expected);
  });

  test("stay words where the command is a list", () => {
    expect(asked(argv("npm", "test"), { test: "jest" })).toEqual([
      "npm",
      "test",
      "--",
      "-x",
      "a b",
    ]);
  });

  test.each([
    ["it is not the last of a chain", "vitest run && tsc"],
    ["what follows `--` is no option", "jest -- src"],
  ])("do not reach it where %s", (_, text) => {
    expect(recognise(line(text), {})?.withWords).toBeUndefined();
  });

  test("what may be a runner gives way to what is one", () => {
    expect(recognise(line("node build.js && node --test"), {})?.runner.name).toBe("node:test");
  });
});
