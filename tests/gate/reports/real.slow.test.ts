import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, snapshot } from "../../support/repository.ts";
import { runReally } from "../support.ts";

interface RealRunner {
  readonly name: string;
  readonly command: string;
  /** What must answer for the row to run. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
}

const vitest = join(import.meta.dirname, "../../../node_modules/vitest/vitest.mjs");

const rows: readonly RealRunner[] = [
  {
    name: "vitest",
    command: "npm test",
    needs: ["npm", "--version"],
    files: {
      vitest: `#!/bin/sh\nexec node ${vitest} "$@"\n`,
      "package.json": '{"type":"module","scripts":{"test":"chmod +x vitest && ./vitest run"}}',
      "a.test.js":
        'test("adds", () => expect(1).toBe(1)); test("subtracts", () => expect(1).toBe(2)); test.skip("divides", () => {});',
      "vitest.config.js": "export default { test: { globals: true } };",
    },
    tests: [
      "passed a.test.js › adds",
      "failed a.test.js › subtracts",
      "skipped a.test.js › divides",
    ],
  },
  {
    name: "pytest",
    command: "python3 -m pytest -q",
    needs: ["python3", "-m", "pytest", "--version"],
    files: {
      "tests/test_a.py":
        "import pytest\ndef test_adds(): pass\ndef test_subtracts(): assert 1 == 2\n@pytest.mark.skip\ndef test_divides(): pass\n",
    },
    tests: [
      "passed tests/test_a.py › test_adds",
      "failed tests/test_a.py › test_subtracts",
      "skipped tests/test_a.py › test_divides",
    ],
  },
  {
    name: "unittest",
    command: "python3 -m unittest",
    needs: ["python3", "--version"],
    files: {
      "test_a.py":
        "import unittest\nclass A(unittest.TestCase):\n  def test_adds(self): pass\n  def test_subtracts(self): self.fail('no')\n",
    },
    tests: ["passed test_a.A › test_adds", "failed test_a.A › test_subtracts"],
  },
  {
    name: "go test",
    command: "go test ./...",
    needs: ["go", "version"],
    files: {
      "go.mod": "module example.com/m\n\ngo 1.19\n",
      "a.go": "package m\n",
      "a_test.go":
        'package m\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\nfunc TestSubtracts(t *testing.T) { t.Fatal("no") }\n',
    },
    tests: ["passed example.com/m › TestAdds", "failed example.com/m › TestSubtracts"],
  },
  {
    name: "cargo test",
    command: "cargo test",
    needs: ["cargo", "--version"],
    files: {
      "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n    #[test]\n    fn subtracts() { panic!("no") }\n}\n',
    },
    tests: ["passed m src/lib.rs › tests::adds", "failed m src/lib.rs › tests::subtracts"],
  },
];

test.each(rows)(
  "the real $name says its tests, and leaves no report in the repository",
  async (row) => {
    const [program = "", ...words] = row.needs;
    if (spawnSync(program, words).status !== 0) {
      console.log(`not run: this machine has no ${row.name}`);
      return;
    }
    const root = repository(row.files);
    const { commands } = await runReally(root, [row.command], { timeoutMs: 200_000 });
    const [result] = commands;
    expect(result?.tests?.map(({ id, status }) => `${status} ${id}`).toSorted()).toEqual(
      row.tests.toSorted(),
    );
    expect(result?.reportFault).toBeUndefined();
    expect(result?.reportedBy).toContain(row.name);
    expect([...snapshot(root).keys()].filter((path) => /\.(?:xml|jsonl)$/.test(path))).toEqual([]);
  },
);
