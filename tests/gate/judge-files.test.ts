import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repoPath, type ChangePlan } from "../../src/contracts/index.ts";
import { findWeakening, judgeFiles } from "../../src/gate/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { line } from "./support.ts";

const files = {
  "scripts/check.js": "",
  "scripts/data/expected.txt": "",
  "ci/test.sh": "",
  "check.sh": "",
  "run_tests.py": "",
  "my check.js": "",
  "src/math.js": "",
  "src/math.c": "",
  "sub/check.js": "",
};

describe("files that a test command names", () => {
  test.each([
    ["node scripts/check.js", ["scripts/check.js"]],
    ["node scripts/check", ["scripts/check.js"]],
    ["sh ci/test.sh", ["ci/test.sh"]],
    ["bash ./check.sh --fast", ["check.sh"]],
    ["./check.sh", ["check.sh"]],
    ["python3 run_tests.py && echo ok", ["run_tests.py"]],
    ["python3 -m run_tests", ["run_tests.py"]],
    ["node 'my check.js'", ["my check.js"]],
    ["sh -c 'cd sub && node check.js'", ["sub/check.js"]],
    ["cd sub; node check.js", ["sub/check.js"]],
    ["node --import=./scripts/check.js --test", ["scripts/check.js"]],
    ["./a.out | diff - scripts/data/expected.txt", ["scripts/data/expected.txt"]],
    ["CI=1 npx mocha scripts/check.js", ["scripts/check.js"]],
    ["cc -o a.out src/math.c && ./a.out", []],
    ["node --check src/math.js && node --test", []],
    ["if grep -q 'a + b' src/math.js; then node --test; fi", []],
    ["python3 -m doctest src/math.js", []],
    ["node ../outside.js", []],
    ["node /etc/passwd", []],
    ["node no-such-file.js", []],
  ])("%s", async (shell, expected) => {
    const root = temporaryFolder();
    writeFiles(root, files);

    expect([...(await judgeFiles([line(shell, root)], root))]).toEqual(expected);
  });

  test("what the test script of the folder, its hooks and the scripts it calls name", async () => {
    const root = temporaryFolder();
    const scripts = {
      pretest: "sh ../ci/test.sh",
      test: "npm run unit",
      unit: "node check.js",
      build: "node build.js",
      lint: "node lint.js",
    };
    writeFiles(root, {
      ...files,
      "sub/package.json": JSON.stringify({ scripts }),
      "sub/build.js": "",
      "sub/lint.js": "",
    });

    const found = await judgeFiles([line("npm test && npm run lint", join(root, "sub"))], root);

    expect([...found].toSorted()).toEqual(["ci/test.sh", "sub/check.js", "sub/lint.js"]);
  });

  test("the makefile, and what the recipe of its target names", async () => {
    const root = temporaryFolder();
    const makefile = "test: unit\n\nunit:\n\t@node scripts/check.js\n\nbuild:\n\tsh ci/test.sh\n";
    writeFiles(root, { ...files, Makefile: makefile });

    const found = await judgeFiles([line("make test", root)], root);

    expect([...found]).toEqual(["Makefile", "scripts/check.js"]);
  });

  test("a link and the file behind it", async () => {
    const root = temporaryFolder();
    writeFiles(root, files);
    symlinkSync("scripts/check.js", join(root, "verify.js"));

    const found = await judgeFiles([line("node verify.js", root)], root);

    expect([...found]).toEqual(["verify.js", "scripts/check.js"]);
  });

  test("a command that is not trusted names none", async () => {
    const root = temporaryFolder();
    writeFiles(root, files);

    expect((await judgeFiles([{ ...line("sh check.sh", root), trusted: false }], root)).size).toBe(
      0,
    );
  });

  test("are as read-only as tests", async () => {
    const path = repoPath("scripts/check.js");
    const plan: ChangePlan = {
      operations: [{ kind: "write", path, after: new Uint8Array() }],
      hash: "x",
    } as unknown as ChangePlan;
    const read = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());

    expect(await findWeakening(plan, read, new Set([path]))).toEqual([
      { path, reason: "is named by the test command" },
    ]);
    expect(await findWeakening(plan, read)).toEqual([]);
  });
});
