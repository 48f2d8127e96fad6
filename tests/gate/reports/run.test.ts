import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { repository, snapshot } from "../../support/repository.ts";
import { runReally } from "../support.ts";

const suite = `import { test } from "node:test"; import assert from "node:assert";
test("adds", () => assert.equal(1 + 1, 2));
test("subtracts", () => assert.equal(1 - 1, 2));
`;
const manifest = (script: string): string => JSON.stringify({ scripts: { test: script } });
const told = ({ id, status }: { id: string; status: string }): string => `${status} ${id}`;

describe("a command that node:test runs", () => {
  test("says its tests, and leaves nothing in the repository or beside it", async () => {
    const root = repository({
      "test/math.test.mjs": suite,
      "package.json": manifest("node --test"),
    });
    const before = snapshot(root);

    const result = await runReally(root, ["npm test"]);

    const [command] = result.commands;
    expect(command?.tests?.map(told)).toEqual([
      "passed test/math.test.mjs › adds",
      "failed test/math.test.mjs › subtracts",
    ]);
    expect(command?.tests?.[1]).toMatchObject({ file: "test/math.test.mjs" });
    expect(command?.tests?.[1]?.message).toContain("0 == 2");
    expect(command).toMatchObject({
      command: { command: { shell: "npm test" } },
      reportedBy: "node:test, a reporter of kit's",
    });
    expect(command?.reportFault).toBeUndefined();
    expect(command?.output).toContain("fail 1");
    expect(result.tests).toEqual(command?.tests);
    expect(snapshot(root)).toEqual(before);
  });

  test("asks no process below it, and keeps the user's options", async () => {
    const nested = `import { test } from "node:test"; import assert from "node:assert";
import { execFileSync } from "node:child_process";
test("nested", () => {
  assert.equal(process.env.NODE_OPTIONS, "--no-warnings");
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  execFileSync(process.execPath, ["--test", "other.mjs"], { env });
});
`;
    const other = 'import { test } from "node:test"; test("inner", () => {});';
    const root = repository({ "a.test.mjs": nested, "other.mjs": other });

    const result = await runReally(root, ["node --test a.test.mjs"], {
      environment: { ...process.env, NODE_OPTIONS: "--no-warnings" },
    });

    expect(result.tests?.map(told)).toEqual(["passed a.test.mjs › nested"]);
  });

  test("adds up the reports of several", async () => {
    const pass = 'import { test } from "node:test"; test("a", () => {});';
    const root = repository({ "a.test.mjs": pass, "b.test.mjs": pass });
    const result = await runReally(root, ["node --test a.test.mjs", "node --test b.test.mjs"]);
    expect(result.tests?.map(told)).toEqual(["passed a.test.mjs › a", "passed b.test.mjs › a"]);
  });

  test("counts a file that does not load as failed, and one without a test as none", async () => {
    const root = repository({ "a.test.mjs": "throw new Error('no');", "b.test.mjs": "" });
    const result = await runReally(root, ["node --test a.test.mjs b.test.mjs"]);
    expect(result.tests?.map(told)).toEqual(["failed a.test.mjs"]);
  });
});

describe("a report that cannot be believed", () => {
  test("was left by a process that ended before its tests did", async () => {
    const early = `${suite}process.on("exit", () => (process.exitCode = 0)); setTimeout(() => process.exit(0), 1);
test("hangs", () => new Promise((done) => setTimeout(done, 5_000)));`;
    const root = repository({ "check.mjs": early });
    const result = await runReally(root, ["node check.mjs"]);
    expect(result.green).toBe(true);
    expect(result.tests).toBeUndefined();
  });

  test("a red exit stays red, whatever it says", async () => {
    const root = repository({
      "a.mjs":
        'import { test } from "node:test"; test("a", () => {}); process.on("exit", () => process.exit(3));',
    });
    const result = await runReally(root, ["node a.mjs"]);
    expect(result.green).toBe(false);
    expect(result.commands[0]?.reportFault).toMatch(
      /ended with 3, but none of its 1 tests failed$/,
    );
  });

  test("a green exit with a failed test is none", async () => {
    const root = repository({ "a.mjs": `${suite}process.on("exit", () => process.exit(0));` });
    const result = await runReally(root, ["node a.mjs"]);
    expect(result.commands[0]?.ended).toEqual({ by: "exit", code: 0 });
    expect(result.green).toBe(false);
    expect(result.commands[0]?.reportFault).toMatch(
      /ended with 0, but 1 of its tests failed: a\.mjs › subtracts$/,
    );
  });
});

describe("a command that was not asked", () => {
  test("is read from its output where that is in a known format", async () => {
    const tap = "TAP version 13\\nok 1 - a\\nnot ok 2 - b\\n1..2\\n";
    const result = await runReally(repository({}), [`printf '${tap}' && exit 1`]);
    expect(result.tests?.map(told)).toEqual(["passed a", "failed b"]);
    expect(result.commands[0]?.reportedBy).toBe("TAP in the output");
  });

  test("has no tests where its output says none, and no fault", async () => {
    const result = await runReally(repository({ "a.js": "" }), ["true", "node a.js"]);
    expect(result.tests).toBeUndefined();
    expect(result.commands.map(({ reportFault }) => reportFault)).toEqual([undefined, undefined]);
    expect(result.green).toBe(true);
  });

  test("runs again unasked where its runner does not know the words", async () => {
    const mocha =
      '#!/bin/sh\nif [ $# -gt 0 ]; then echo "Could not load reporter"; exit 1; fi\necho ok\n';
    const root = repository({ mocha });
    const result = await runReally(root, ["chmod +x mocha && ./mocha"]);
    expect(result).toMatchObject({ green: true, tests: undefined });
    expect(result.commands[0]?.output).toBe("ok\n");
  });
});

test("the folder of a report is removed", async () => {
  const root = repository({ "a.js": "console.log(process.env.NODE_OPTIONS)" });
  const result = await runReally(root, ["node a.js"]);
  const folder = /--test-reporter=(\/\S*)\/reporter\.mjs/.exec(
    result.commands[0]?.output ?? "",
  )?.[1];
  expect(folder).toMatch(/kit-report-/);
  expect(existsSync(folder ?? "/")).toBe(false);
});
