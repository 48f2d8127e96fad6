import { describe, expect, test } from "vitest";
import { repoPath, type ChangePlan, type FileOperation } from "../../../src/contracts/index.ts";
import { createsTests, findWeakening, weakeningOf } from "../../../src/gate/index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const manifest = (value: object): string => JSON.stringify(value);
const before = {
  scripts: { test: "npm run unit && vitest run", unit: "node --test", build: "tsc" },
  jest: { bail: true },
};

/** Path, old contents, new contents. */
const weakened: readonly (readonly [
  title: string,
  path: string,
  old: string | undefined,
  now: string | undefined,
])[] = [
  [
    "the test script",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { ...before.scripts, test: "true" } }),
  ],
  [
    "the test script removed",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { unit: "node --test" } }),
  ],
  [
    "a script that the test script runs",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { ...before.scripts, unit: "true" } }),
  ],
  [
    "a hook before the tests",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { ...before.scripts, pretest: "rm -r test" } }),
  ],
  [
    "a hook before a script of the tests",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { ...before.scripts, preunit: "x" } }),
  ],
  [
    "a runner's key",
    "packages/a/package.json",
    manifest(before),
    manifest({ ...before, jest: { testMatch: [] } }),
  ],
  [
    "a runner's key that is new",
    "package.json",
    manifest(before),
    manifest({ ...before, vitest: {} }),
  ],
  [
    "pytest's section",
    "pyproject.toml",
    "[tool.pytest.ini_options]\naddopts = ''\n",
    "[tool.pytest.ini_options]\naddopts = '-k none'\n",
  ],
  [
    "pytest's section that is new",
    "pyproject.toml",
    "[project]\nname = 'a'\n",
    "[project]\nname = 'a'\n[tool.pytest.ini_options]\naddopts = '-k none'\n",
  ],
  [
    "pytest's section of setup.cfg",
    "setup.cfg",
    "[tool:pytest]\naddopts =\n",
    "[tool:pytest]\naddopts = --co\n",
  ],
  [
    "coverage's section",
    "pyproject.toml",
    "[tool.coverage.report]\nfail_under = 90\n",
    "[tool.coverage.report]\nfail_under = 1\n",
  ],
  ...[
    'tool.pytest.ini_options.addopts = "-p fake"\n[project]\n',
    'tool = { pytest = { ini_options = { addopts = "-p fake" } } }\n',
    '[tool]\npytest.ini_options = { addopts = "-p fake" }\n',
    "\"tool\".'pytest'.ini_options.addopts = '-p fake'\n",
    '["t\\u006fol".pytest.ini_options]\naddopts = "-p fake"\n',
  ].map((text) => ["pytest's keys in another spelling", "pyproject.toml", "", text] as const),
  [
    "what babel makes of sources",
    "package.json",
    manifest(before),
    manifest({ ...before, babel: { plugins: ["./src/plugin.js"] } }),
  ],
  ["cargo's switch", "Cargo.toml", "[lib]\nname = 'a'\n", "[lib]\nname = 'a'\ntest = false\n"],
  ["cargo's test target", "Cargo.toml", "[[test]]\nname = 'a'\n", "[package]\n"],
  ["make's rule", "Makefile", "test:\n\t./run\n", "test:\n\ttrue\n"],
  [
    "a rule that make's test needs",
    "Makefile",
    "test: unit\n\nunit:\n\t./run\n",
    "test: unit\n\nunit:\n\ttrue\n",
  ],
  ["a makefile that is read before", "GNUmakefile", undefined, "test:\n\ttrue\n"],
  [
    "a vite configuration with tests",
    "vite.config.ts",
    "export default { test: {} }",
    "export default { test: { include: [] } }",
  ],
  [
    "tests inside a Rust source",
    "src/lib.rs",
    "#[test]\nfn a() {}\n  #[tokio::test]\nasync fn b() {}\n",
    "#[test]\nfn a() {}\n",
  ],
  ["a Rust source with tests, deleted", "src/lib.rs", "#[test]\nfn a() {}\n", undefined],
  ["an ignored Rust test", "src/lib.rs", "#[test]\nfn a() {}\n", "#[test]\n#[ignore]\nfn a() {}\n"],
];

const harmless: readonly (readonly [
  title: string,
  path: string,
  old: string | undefined,
  now: string | undefined,
])[] = [
  [
    "a dependency",
    "package.json",
    manifest(before),
    manifest({ ...before, dependencies: { a: "1" } }),
  ],
  [
    "a script that no test runs",
    "package.json",
    manifest(before),
    manifest({ ...before, scripts: { ...before.scripts, build: "tsc -b", lint: "x" } }),
  ],
  [
    "the same in another order and layout",
    "package.json",
    manifest(before),
    JSON.stringify({ jest: before.jest, scripts: before.scripts }, null, 4),
  ],
  [
    "a first test script",
    "package.json",
    manifest({ name: "a" }),
    manifest({ name: "a", scripts: { test: "node --test" } }),
  ],
  ["a new manifest", "packages/b/package.json", undefined, manifest(before)],
  [
    "another section",
    "pyproject.toml",
    "[tool.pytest.ini_options]\na = 1\n[project]\nv = 1\n",
    "[project]\nv = 2\n\n[tool.pytest.ini_options]\na = 1\n",
  ],
  [
    "a dependency on pytest",
    "pyproject.toml",
    "[tool.poetry.dependencies]\npytest = '8'\n",
    "[tool.poetry.dependencies]\npytest = '9'\n[project]\ndependencies = [\n  'pytest-cov',\n]\n",
  ],
  [
    "a dependency of cargo",
    "Cargo.toml",
    "[dependencies]\na = '1'\n",
    "[dependencies]\na = '2'\ntest-log = '1'\n",
  ],
  [
    "another rule of make",
    "Makefile",
    "build:\n\tcc\n\ntest:\n\t./run\n",
    "build:\n\tcc -O2\n\ntest:\n\t./run\n\nclean:\n\trm x\n",
  ],
  [
    "a vite configuration without tests",
    "vite.config.js",
    "export default {}",
    "export default { base: '/' }",
  ],
  [
    "a Rust source with another test",
    "src/lib.rs",
    "#[test]\nfn a() {}\n",
    "#[test]\nfn a() {}\n#[test]\nfn b() {}\n",
  ],
  ["an ordinary source", "src/a.js", "test('a')", ""],
];

describe("what a change may not do to a manifest or source", () => {
  test.each(weakened)("weakens: %s", (_, path, old, now) => {
    expect(
      weakeningOf(
        path,
        old === undefined ? undefined : bytes(old),
        now === undefined ? undefined : bytes(now),
      ),
    ).toMatch(/^(changes|takes|marks) /);
  });

  test.each(harmless)("is harmless: %s", (_, path, old, now) => {
    expect(
      weakeningOf(
        path,
        old === undefined ? undefined : bytes(old),
        now === undefined ? undefined : bytes(now),
      ),
    ).toBeUndefined();
  });
});

describe("what of a plan touches the judge", () => {
  const state = { hash: "h", mode: 0o644 };
  const operation = (kind: FileOperation["kind"], path: string, to = "x"): FileOperation => {
    const after = bytes("new");
    const at = repoPath(path);
    if (kind === "create") return { kind, path: at, after, mode: 0o644 };
    if (kind === "delete") return { kind, path: at, before: state };
    if (kind === "rename") return { kind, path: at, to: repoPath(to), before: state, after };
    return { kind, path: at, before: state, after, strategy: "exact" };
  };
  const plan = (...operations: readonly FileOperation[]): ChangePlan => ({ operations, hash: "p" });
  const read = (path: string): Promise<Uint8Array | undefined> =>
    Promise.resolve(path === "package.json" ? bytes(manifest(before)) : bytes("old"));

  test.each([
    ["edits a test file", operation("edit", "test/a.test.js")],
    ["rewrites a test file", operation("write", "test/a.test.js")],
    ["deletes a test file", operation("delete", "test/a.test.js")],
    ["renames a test file", operation("rename", "test/a.test.js", "test/b.js")],
    ["creates the configuration of a test runner", operation("create", "vitest.config.ts")],
    [
      "renames a file to the configuration of a test runner",
      operation("rename", "src/a.py", "conftest.py"),
    ],
  ])("%s", async (reason, each) => {
    expect(await findWeakening(plan(each), read)).toEqual([{ path: each.path, reason }]);
  });

  test("sources may be changed, tests created, manifests changed elsewhere", async () => {
    const change = plan(
      operation("edit", "src/a.js"),
      operation("create", "test/new.test.js"),
      operation("rename", "src/a.ts", "src/b.ts"),
    );

    expect(await findWeakening(change, read)).toEqual([]);
    expect(createsTests(change)).toBe(true);
    expect(createsTests(plan(operation("edit", "src/a.js")))).toBe(false);
  });

  test("a manifest is compared with what stands on disk", async () => {
    const script: FileOperation = {
      kind: "write",
      path: repoPath("package.json"),
      before: state,
      after: bytes(manifest({ scripts: { test: "true" } })),
    };

    expect(await findWeakening(plan(script), read)).toMatchObject([{ path: "package.json" }]);
  });
});
