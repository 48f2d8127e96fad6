import { describe, expect, test } from "vitest";
import { narrowCommand, narrowings } from "../../../src/gate/commands/narrow.ts";
import { runners } from "../../../src/gate/reports/runners.ts";
import { line } from "../support.ts";

interface Facts {
  readonly files?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The narrowed line of a command of the user's in a repository that holds `files`. */
function narrowed(
  shell: string,
  changed: readonly string[],
  facts: Facts = {},
): string | undefined {
  const { files = {}, scripts = {}, cwd = "/repo" } = facts;
  const command = narrowCommand(line(shell, cwd), changed, {
    root: "/repo",
    scripts,
    isFile: (path) => Object.hasOwn(files, path),
    manifest: (path) => files[path],
  })?.command;
  return command === undefined || "argv" in command ? undefined : command.shell;
}

const crates = {
  "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
  "a/Cargo.toml": '[package]\nname = "crate-a"\n',
  "b/Cargo.toml": '[package]\nversion = "1"\nname = "b"\n[dependencies]\nname = "no"\n',
};

describe("a command for a change", () => {
  test.each([
    ["vitest by what git sees", "vitest run", ["src/a.ts"], {}, "vitest run --changed"],
    [
      "vitest through a script",
      "npm test",
      ["src/a.ts"],
      { scripts: { test: "tsc && vitest run" } },
      "npm test -- --changed",
    ],
    [
      "jest by relation",
      "jest --ci",
      ["src/a.ts", "b c.js"],
      {},
      "jest --ci --passWithNoTests --findRelatedTests ./src/a.ts './b c.js'",
    ],
    [
      "pytest by name",
      "pytest -q",
      ["pkg/math.py"],
      { files: { "tests/test_math.py": "", "tests/test_other.py": "" } },
      "pytest -q ./tests/test_math.py",
    ],
    [
      "pytest in a mirrored folder",
      "pytest",
      ["src/pkg/io/read.py"],
      { files: { "tests/io/test_read.py": "" } },
      "pytest ./tests/io/test_read.py",
    ],
    [
      "pytest for a new test",
      "pytest",
      ["tests/test_new.py"],
      { files: { "tests/test_new.py": "" } },
      "pytest ./tests/test_new.py",
    ],
    [
      "node:test beside the source",
      "node --test",
      ["src/a.mjs"],
      { files: { "src/a.test.mjs": "" } },
      "node --test ./src/a.test.mjs",
    ],
    [
      "node:test in a folder of tests",
      "npm test",
      ["src/a.js"],
      { files: { "test/a.test.js": "" }, scripts: { test: "node --test" } },
      "npm test -- ./test/a.test.js",
    ],
    [
      "go by package",
      "go test ./...",
      ["pkg/a.go", "pkg/b.go", "main.go", "README.md"],
      {},
      "go test ./pkg .",
    ],
    ["go with flags", "go test -race ./...", ["pkg/a.go"], {}, "go test -race ./pkg"],
    [
      "cargo by crate",
      "cargo test",
      ["a/src/lib.rs", "b/src/x/y.rs"],
      { files: crates },
      "cargo test -p crate-a -p b",
    ],
    [
      "below the folder of the command",
      "jest",
      ["web/src/a.js"],
      { cwd: "/repo/web" },
      "jest --passWithNoTests --findRelatedTests ./src/a.js",
    ],
  ] as const)("is narrowed: %s", (_, shell, changed, facts, expected) => {
    expect(narrowed(shell, changed, facts)).toBe(expected);
  });

  test.each([
    ["an unknown program", "make test", ["a.js"], {}],
    ["a runner that selects already", "vitest run src/other", ["src/a.ts"], {}],
    [
      "a selection by name",
      "pytest -k fast",
      ["tests/test_a.py"],
      { files: { "tests/test_a.py": "" } },
    ],
    ["a file of which no test has the name", "pytest", ["pkg/math.py"], {}],
    ["a file outside of the command's folder", "jest", ["lib/a.js"], { cwd: "/repo/web" }],
    [
      "a crate that is the whole workspace",
      "cargo test",
      ["src/lib.rs"],
      { files: { "Cargo.toml": '[package]\nname = "m"' } },
    ],
    ["a go change without go files", "go test ./...", ["README.md"], {}],
    ["a go command of one package", "go test ./pkg", ["pkg/a.go"], {}],
    ["go words that a shell would read", "go test ./...", ["a;b/x.go"], {}],
    ["a chain that goes on", "vitest run && tsc", ["src/a.ts"], {}],
    ["nothing that is written", "vitest run", [], {}],
  ] as const)("is none for %s", (_, shell, changed, facts) => {
    expect(narrowed(shell, changed, facts)).toBeUndefined();
  });

  test("every narrowing is of a runner in the table", () => {
    const names = new Set(runners.map(({ name }) => name));
    expect(narrowings.filter(({ runner }) => !names.has(runner))).toEqual([]);
  });
});
