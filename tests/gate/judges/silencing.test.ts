import { describe, expect, test } from "vitest";
import {
  type ChangePlan,
  type FileOperation,
  type GateResult,
  repoPath,
  type TestCase,
} from "../../../src/contracts/index.ts";
import { findSilencing, findWeakening } from "../../../src/gate/index.ts";
import { countMarks, type MarkKind, testMarks } from "../../../src/gate/judges/test-marks.ts";
import { gate, result } from "../support.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const kinds = [
  "focus",
  "skip",
  "exit",
  "tamper",
  "channel",
  "test",
  "assertion",
] as const satisfies readonly MarkKind[];
const endings = ["js", "ts", "py", "go", "rs", "rb", "java", "sh"];

describe("the marks of tests", () => {
  const rows = testMarks.flatMap(({ kind, files, examples }) =>
    examples.map(
      (line) => [kind, `a.${endings.find((end) => files.test(`a.${end}`))}`, line] as const,
    ),
  );

  test.each(rows)("%s in %s: %s", (kind, path, line) => {
    expect(countMarks(path, `${line}\n`, kind)).toBe(1);
    expect(countMarks(path, `// ${line}\n`, kind)).toBe(0);
    expect(countMarks("a.md", `${line}\n`, kind)).toBe(0);
  });

  test.each([
    "process.exit(1)",
    "process.exit(code)",
    "const isEqual = assert.equal === other",
    "const onlyOne = item.only_one",
    "await it.next()",
    "list.filter((t) => t.skipped)",
    "/test\\d/.test(name)",
  ])("are not in: %s", (line) => {
    expect(
      kinds.filter((kind) => !/test|assert/.test(kind) && countMarks("a.js", line, kind) > 0),
    ).toEqual([]);
  });
});

const create = (path: string, text: string): ChangePlan => ({
  operations: [{ kind: "create", path: repoPath(path), after: bytes(text), mode: 0o644 }],
  hash: "p",
});
const edit = (path: string, text: string): ChangePlan => {
  const before = { hash: "h", mode: 0o644 };
  const operation: FileOperation = {
    kind: "edit",
    path: repoPath(path),
    before,
    after: bytes(text),
    strategy: "exact",
  };
  return { operations: [operation], hash: "p" };
};
const remove = (path: string): ChangePlan => ({
  operations: [{ kind: "delete", path: repoPath(path), before: { hash: "h", mode: 0o644 } }],
  hash: "p",
});
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

describe("a new test file", () => {
  test.each([
    ["runs alone", "test/new.test.js", "describe.only('a', f)", "runs some tests alone"],
    ["ends the process", "tests/test_new.py", "import os\nos._exit(0)\n", "ends the process"],
    ["is a mock of what is tested", "__mocks__/math.js", "", "configuration of a test runner"],
    ["stands in for a module", "tests/calc.py", "", "stands in for src/calc.py"],
    ["stands in for a package", "tests/shop/__init__.py", "", "stands in for shop/cart.py"],
  ])("is refused where it %s", async (_, path, text, reason) => {
    const files = new Set(["src/calc.py", "shop/cart.py", "tests/test_calc.py"]);

    const [found] = await findWeakening(create(path, text), nothing, { files });

    expect(found?.reason).toContain(reason);
  });

  test.each(["tests/test_calc2.py", "tests/helpers.py", "tests/__init__.py", "test/b.test.js"])(
    "is welcome otherwise: %s",
    async (path) => {
      const files = new Set(["src/calc.py"]);
      expect(
        await findWeakening(create(path, "def test_a(): assert 1\n"), nothing, { files }),
      ).toEqual([]);
    },
  );
});

describe("a test that may be edited", () => {
  const text = "test('adds', () => { assert.equal(add(2, 3), 5); });\ntest('b', f);\n";
  const read = (): Promise<Uint8Array> => Promise.resolve(bytes(text));
  const failed = (file?: string): TestCase => ({
    id: "adds",
    status: "failed",
    ...(file !== undefined && { file }),
  });
  const red = gate(result({ code: 1, tests: [failed("test/a.test.js")] }));
  const reasons = async (plan: ChangePlan, baseline: GateResult): Promise<string> =>
    (await findSilencing(plan, read, baseline)).map(({ reason }) => reason).join();

  test.each([
    [
      "is skipped",
      edit("test/a.test.js", text.replace("test('adds'", "test.skip('adds'")),
      "skips",
    ],
    [
      "is emptied",
      edit("test/a.test.js", text.replace("assert.equal(add(2, 3), 5);", "")),
      "assertions",
    ],
    ["is taken out", edit("test/a.test.js", "test('b', f);\n"), "takes out tests"],
    ["is deleted", remove("test/a.test.js"), "deletes tests"],
  ])("is not silenced while it is red: it %s", async (_, plan, reason) => {
    expect(await reasons(plan, red)).toContain(reason);
    expect(await reasons(plan, gate(result({ code: 1 })))).toContain(reason);
    expect(await reasons(plan, gate(result({ code: 1, tests: [failed("test/z.test.js")] })))).toBe(
      "",
    );
    expect(await reasons(plan, gate(result({ tests: [] })))).toBe("");
  });

  test("never runs alone, and may expect another value", async () => {
    const green = gate(result({ tests: [] }));
    expect(
      await reasons(edit("test/a.test.js", text.replace("test('b'", "test.only('b'")), green),
    ).toContain("alone");
    expect(await reasons(edit("test/a.test.js", text.replace("5", "6")), red)).toBe("");
  });
});

describe("a source that replaces an assertion", () => {
  test("is refused, however the tests are told apart", async () => {
    const plan = edit(
      "src/math.js",
      "import assert from 'node:assert';\nassert.equal = () => {};\n",
    );
    const found = await findSilencing(plan, nothing, gate(result({ tests: [] })));
    expect(found[0]?.reason).toContain("replaces");
  });
});

describe("a source that ends the process with 0", () => {
  const plan = edit("src/math.js", "process.exit(0);\n");

  test("is refused, however the tests are told apart", async () => {
    const of = (baseline: GateResult): Promise<readonly unknown[]> =>
      findSilencing(plan, nothing, baseline);
    expect(await of(gate(result({ code: 1 })))).toHaveLength(1);
    expect(await of(gate(result({ code: 1, tests: [] })))).toHaveLength(1);
    expect(await of(gate(result({ output: "  3 passing (1ms)\n" })))).toHaveLength(1);
  });
});

/** What findWeakening and findSilencing say of a new file, where tests are known by name. */
async function said(path: string, text: string, manifests: Readonly<Record<string, string>> = {}) {
  const read = (each: string): Promise<Uint8Array | undefined> =>
    Promise.resolve(manifests[each] === undefined ? undefined : bytes(manifests[each]));
  const found = [
    ...(await findWeakening(create(path, text), read, { files: new Set(Object.keys(manifests)) })),
    ...(await findSilencing(create(path, text), read, gate(result({ tests: [] })))),
  ];
  return found.map(({ reason }) => reason).join();
}

const forged: readonly (readonly [path: string, text: string, reason: string])[] = [
  ["src/a.js", 'import { exit } from "node:process";\nexit(0);\n', "ends"],
  ["src/a.js", "const code = 0;\nprocess.exit(code);\n", "ends"],
  ["src/a.js", 'process["exit"](0);\n', "ends"],
  ["src/a.js", "if (import.meta.url) {\n  process.exit(0);\n}\n", "ends"],
  ["src/a.js", 'readdirSync(d).filter((n) => n.startsWith("kit-report-"));\n', "reports"],
  ["test/b.test.js", "process.env.NODE_OPTIONS;\n", "reports"],
  ["calc.py", 'os.environ.get("PYTEST_ADDOPTS")\n', "reports"],
  ["cli.py", "import os\nos._exit(0)\n", "ends"],
  ["calc.py", "from os import _exit as bye\nbye(0)\n", "ends"],
  ["calc.py", 'if __name__ == "__main__" or True:\n    import sys\n    sys.exit(0)\n', "ends"],
  [
    "calc.py",
    'import sys\n\ndef main():\n    sys.exit(0)\n\nmain()\n\nif __name__ == "__main__":\n    main()\n',
    "ends",
  ],
  ["main.go", "package main\n\nfunc init() {\n\tos.Exit(0)\n}\n", "ends"],
  [
    "a_test.go",
    "package m\n\nfunc TestMain(m *testing.M) {\n\tcode := 0\n\tos.Exit(code)\n}\n",
    "ends",
  ],
  [
    "a_test.go",
    "package m\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcode = 0\n\tos.Exit(code)\n}\n",
    "ends",
  ],
  ["tests/test_a.py", "import calc\n\ncalc.add = lambda a, b: a + b\n", "rebinds"],
  [
    "tests/test_a.py",
    "from shop import (\n    Cart,\n)\nif True:\n    Cart.total = fake\n",
    "rebinds",
  ],
  ["tests/test_a.py", "import unittest\nunittest.TestCase.assertEqual = f\n", "replaces"],
  ["test/a.test.cjs", 'const calc = require("../src/calc");\ncalc.add = () => 5;\n', "rebinds"],
  ["calc.py", "from _pytest.python import Function\n\nFunction.runtest = f\n", "replaces"],
  ["calc.py", "import unittest as u\nT = u.TestCase\nT.assertEqual = f\n", "replaces"],
  ["src/a.js", 'import assert from "node:assert";\nconst a = assert;\na.equal = f;\n', "replaces"],
  [
    "src/a.js",
    'import * as x from "node:assert";\nObject.assign(x.default, { equal() {} });\n',
    "replaces",
  ],
  ["src/a.js", 'const { expect: e } = require("chai");\ne["equal"] = f;\n', "replaces"],
  [
    "src/a.js",
    'import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true }) });\n',
    "replaces",
  ],
  ["src/a.js", 'chai.use((_, u) => _.Assertion.overwriteMethod("equal", f));\n', "replaces"],
  ["src/a.py", "import sys\nsys.exit()\n", "ends"],
  // Made everybody's: also those who import the functions by name.
  ...[
    'import { createRequire, syncBuiltinESMExports } from "node:module";\nconst load = createRequire(import.meta.url);\nfor (const name of Object.keys(load("node:assert"))) load("node:assert")[name] = () => {};\nsyncBuiltinESMExports();\n',
    'import module from "node:module";\nconst judge = process.getBuiltinModule("node:assert/strict");\njudge.equal = () => {};\nmodule.syncBuiltinESMExports();\n',
    'import { createRequire, syncBuiltinESMExports as share } from "node:module";\nconst a = createRequire(import.meta.url)("assert");\nfor (const [k] of Object.entries(a)) put(a, k, f);\nshare();\n',
    'import { createRequire } from "node:module";\nObject.assign(createRequire(import.meta.url)("assert"), { equal() {} });\n',
    'import * as m from "node:module";\nimport a from "node:assert";\nReflect.ownKeys(a).forEach((k) => patch(a, k));\nm.syncBuiltinESMExports();\n',
    'import { syncBuiltinESMExports } from "module";\nconst x = process.getBuiltinModule(["ass", "ert"].join(""));\nx.equal = f;\nsyncBuiltinESMExports();\n',
    'import { syncBuiltinESMExports } from "module";\nconst x = require("\\x61ssert");\nx.equal = f;\nsyncBuiltinESMExports();\n',
    'require("assert").strictEqual = () => {};\n',
    'require("node:assert").strict.equal = () => {};\n',
    '(await import("node:assert")).default.equal = () => {};\n',
    'const a: any = require("node:assert");\na.equal = f;\n',
    'let a;\na = require("assert");\na.ok = () => {};\n',
    'import { mock } from "node:test";\nimport assert from "node:assert";\nmock.method(assert, "equal", () => {});\n',
    'import { mock } from "node:test";\nmock.module("node:assert", { defaultExport: f });\n',
    'import { registerHooks } from "node:module";\nregisterHooks({ resolve: (s, c, n) => (s === "node:assert" ? fake : n(s, c)) });\n',
    'const Module = require("module");\nconst real = Module._load;\nModule._load = (name, ...rest) => (name === "assert" ? fake : real(name, ...rest));\n',
  ].map((text) => ["src/a.js", text, "replaces"] as const),
  ["test/a.test.js", 'vi.mock("node:assert", () => ({ default: { equal() {} } }));\n', "replaces"],
];

const honest: readonly (readonly [path: string, text: string])[] = [
  ["bin/tool.js", "run();\nprocess.exit(0);\n"],
  ["src/start.js", "#!/usr/bin/env node\nprocess.exit(0);\n"],
  ["src/named.js", "process.exit(0);\n"],
  ["src/a.js", 'process.once("SIGTERM", () => {\n  server.close(() => process.exit(0));\n});\n'],
  ["src/a.js", "if (require.main === module) {\n  process.exit(run());\n}\n"],
  ["src/a.js", "fail();\nprocess.exit(1);\n"],
  [
    "calc.py",
    'import sys\n\ndef main():\n    sys.exit(0)\n\nif __name__ == "__main__":\n    main()\n',
  ],
  ["main.go", "package main\n\nfunc main() {\n\tos.Exit(0)\n}\n"],
  ["a_test.go", "package m\n\nfunc TestMain(m *testing.M) {\n\tsetUp()\n\tos.Exit(m.Run())\n}\n"],
  [
    "a_test.go",
    "package m\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\ttearDown()\n\tos.Exit(code)\n}\n",
  ],
  ["test/a.test.js", 'import test from "node:test";\nconst own = {};\nown.name = "x";\n'],
  [
    "test/a.test.js",
    "const real = process.exit;\nprocess.exit = (code) => { throw new Error(String(code)); };\nprocess.exit = real;\n",
  ],
  ["test/a.test.js", "expect.extend({ toBeEven: (n) => ({ pass: n % 2 === 0 }) });\n"],
  [
    "tests/test_a.py",
    "import calc\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(calc, 'add', f)\n",
  ],
  ["tests/test_a.py", "from app import app\n\napp.testing = True\n"],
  [
    "tests/test_a.py",
    "import unittest\nunittest.TestCase.maxDiff = None\n".replace(
      "unittest.TestCase.",
      "class T(unittest.TestCase):\n    ",
    ),
  ],
  ["tests/test_a.py", "import sys, unittest\nif __name__ == '__main__':\n    unittest.main()\n"],
  [
    "src/graceful.js",
    'import fs from "node:fs";\nimport { syncBuiltinESMExports } from "node:module";\nfs.readFile = retried(fs.readFile);\nsyncBuiltinESMExports();\n',
  ],
  [
    "test/a.test.js",
    'import assert from "node:assert";\nimport fs from "node:fs";\nimport { mock, test } from "node:test";\ntest("reads", () => {\n  mock.method(fs, "readFileSync", () => "x");\n  assert.equal(read(), "x");\n});\n',
  ],
  [
    "test/a.test.js",
    'import assert from "node:assert";\nimport fs from "node:fs";\nimport { syncBuiltinESMExports } from "node:module";\nfs.readFileSync = () => "x";\nsyncBuiltinESMExports();\nassert.equal(read(), "x");\n',
  ],
  ["test/a.test.js", 'vi.mock("../src/net.js");\nvi.spyOn(console, "log");\n'],
  ["src/a.js", "const plugin = require(name);\nplugin.options = {};\n"],
  ["src/a.js", 'const { equal } = require("node:assert");\nequal(1, 1);\nconst x = 1;\n'],
  ["src/a.js", 'const text = "assert";\nshow.assert = (a) => a;\n'],
  ["src/a.js", "const assertion = { equal: f };\nparser.expect = (kind) => next(kind);\n"],
];

describe("a report that code under test could forge, and tests it could turn", () => {
  test.each(forged)("are refused in %s: %j", async (path, text, reason) => {
    expect(await said(path, text)).toContain(reason);
  });

  test.each(honest)("are not seen in %s: %j", async (path, text) => {
    const manifest = JSON.stringify({ bin: { tool: "./src/named.js" } });
    expect(await said(path, text, { "package.json": manifest })).toBe("");
  });

  test("a vite configuration is one of vitest where vitest reads it", async () => {
    const uses = { "package.json": JSON.stringify({ devDependencies: { vitest: "5" } }) };
    const text = "export default { plugins: [] };\n";
    expect(await said("vite.config.js", text, uses)).toContain("vitest reads");
    expect(await said("vite.config.js", text, { ...uses, "vitest.config.ts": "" })).toBe("");
    expect(await said("vite.config.js", text, { "package.json": "{}" })).toBe("");
  });
});
