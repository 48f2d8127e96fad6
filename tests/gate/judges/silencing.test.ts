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

  test("is refused where only an exit code judges, and left to the tests where they are told apart", async () => {
    const of = (baseline: GateResult): Promise<readonly unknown[]> =>
      findSilencing(plan, nothing, baseline);
    expect(await of(gate(result({ code: 1 })))).toHaveLength(1);
    expect(await of(gate(result({ code: 1, tests: [] })))).toEqual([]);
    expect(await of(gate(result({ output: "  3 passing (1ms)\n" })))).toEqual([]);
  });
});
