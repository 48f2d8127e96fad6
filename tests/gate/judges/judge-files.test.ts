import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repoPath, type ChangePlan } from "../../../src/contracts/index.ts";
import { findWeakening, judgeFiles } from "../../../src/gate/index.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { line } from "../support.ts";

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

describe("files behind the files that a test command names", () => {
  const judges = async (
    shell: string,
    files: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> => {
    const root = temporaryFolder();
    writeFiles(root, files);
    return [...(await judgeFiles([line(shell, root)], root))].toSorted();
  };

  test("scripts that a shell script calls, not what it tries", async () => {
    const files = {
      "check.sh":
        '#!/bin/sh\n. tests/env.sh\n. ./lib.sh\nsh "$(dirname "$0")/ci/unit.sh"\n./ci/more.sh\n# sh ci/old.sh\n./tool.sh 2 3 | diff - want.txt\n[ "$(node src/cli.js)" = 5 ]\n',
      "ci/unit.sh": "cd ci && bash scripts/deep.sh",
      "ci/scripts/deep.sh": "sh ../../check.sh",
      "ci/more.sh": "",
      "ci/old.sh": "",
      "tests/env.sh": "",
      "lib.sh": "",
      "tool.sh": "",
      "want.txt": "",
      "src/cli.js": "",
    };

    expect(await judges("sh check.sh", files)).toEqual([
      "check.sh",
      "ci/more.sh",
      "ci/scripts/deep.sh",
      "ci/unit.sh",
      "tests/env.sh",
      "want.txt",
    ]);
  });

  test("files of a glob", async () => {
    const files = {
      "checks/a.js": "",
      "checks/deep/b.js": "",
      "node_modules/c.js": "",
      "d.js": "",
    };

    expect(await judges("node --test 'checks/**/*.js'", files)).toEqual([
      "checks/a.js",
      "checks/deep/b.js",
    ]);
    expect(await judges("npx prettier --check '**/*.js'", files)).toEqual([]);
  });

  test("what the configuration of a runner puts around the tests", async () => {
    const files = {
      "vitest.config.ts":
        'export default { resolve: { alias: { "@": "./src/index.ts" } }, test: { globalSetup: ["./support/start.ts"], setupFiles: "support/each.ts" } }',
      ".mocharc.yml": "require:\n  - ./support/mocha.js\n  - ts-node/register\nspec: x\n",
      "package.json":
        '{"exports":{"require":"./src/index.ts"},"jest":{"runner":"<rootDir>/support/runner.js"}}',
      "support/start.ts": "",
      "support/each.ts": "",
      "support/mocha.js": "",
      "support/runner.js": "",
      "src/index.ts": "",
    };

    expect(await judges("npm test", files)).toEqual([
      "support/each.ts",
      "support/mocha.js",
      "support/runner.js",
      "support/start.ts",
    ]);
  });

  test("the file of a task runner", async () => {
    expect(await judges("just test", { justfile: "test:\n  node --test\n" })).toEqual(["justfile"]);
  });
});

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

    expect(await findWeakening(plan, read, { judge: new Set([path]) })).toEqual([
      { path, reason: "is named by the test command" },
    ]);
    expect(await findWeakening(plan, read)).toEqual([]);
  });
});
