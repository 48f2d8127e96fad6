import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultMessages } from "../../../src/gate/faults/fault-messages.ts";
import { judgeEnvironment } from "../../../src/gate/index.ts";
import { readInstallation } from "../../../src/gate/faults/installation.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { line, result, runReally } from "../support.ts";

/** A repository in which every evidence of the table is believed: all is declared, nothing installed. */
function bareRepository(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    "package.json": JSON.stringify({
      dependencies: { express: "5" },
      devDependencies: { vitest: "5", lodash: "4", "@scope/a": "1" },
    }),
    "package-lock.json": "{}",
    "requirements.txt": "requests==2\npytest\nPyYAML\n",
  });
  return root;
}

describe("what a broken environment prints", () => {
  test.each(
    faultMessages
      .filter(({ isMachine }) => isMachine !== true)
      .map((row) => [row.evidence.split("\n")[0] ?? "", row] as const),
  )("%s", async (_, row) => {
    const root = bareRepository();
    const [code = 1] = row.codes ?? [];
    const red = result({ code, output: `\n${row.evidence}\n`, command: line("npm test", root) });

    const fault = await judgeEnvironment([result({ command: line("true", root) }), red], root);

    expect(fault?.cause).toContain(row.cause);
    expect(fault?.cause).toContain(`(exit ${code})`);
    expect(fault?.mend).toMatch(/^[A-Z]/);
    expect(fault?.possiblyByChange).toBe(true);
  });

  test.each([
    ["sh: 1: vitest: not found", 127, "Install the dependencies: npm ci"],
    ["sh: 1: pytest: not found", 127, "Install the dependencies: pip install -r requirements.txt"],
    ["sh: 1: no-such-runner: not found", 127, "Install no-such-runner"],
    ["Error: Cannot find module 'express'", 1, "npm ci"],
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/a' imported from /x", 1, "npm ci"],
    ["Error: Cannot find module 'lodash/fp'", 1, "npm ci"],
    ["E   ModuleNotFoundError: No module named 'yaml'", 2, "pip install -r requirements.txt"],
    ["ModuleNotFoundError: No module named 'requests.auth'", 1, "pip install -r requirements.txt"],
    ["/usr/bin/python3: No module named pytest", 1, "pip install -r requirements.txt"],
  ])("%s → %s: %s", async (output, code, mend) => {
    const root = bareRepository();

    const fault = await judgeEnvironment(
      [result({ code, output, command: line("x", root) })],
      root,
    );

    expect(fault?.mend).toContain(mend);
  });
});

describe("a full disk", () => {
  const row = faultMessages.find(({ isMachine }) => isMachine === true);

  test("is believed only where the disk is full", async () => {
    const root = bareRepository();
    const output = row?.evidence ?? "";
    const installation = await readInstallation(root, root);

    expect(output).toContain("ENOSPC");
    expect(row?.counts?.("", { ...installation, isDiskFull: true })).toBe(true);
    expect(
      await judgeEnvironment([result({ code: 1, output, command: line("x", root) })], root),
    ).toBeUndefined();
  });
});

describe("what is the code's fault, whatever it prints", () => {
  test.each([
    [
      "a relative module that the change should have made",
      "Error: Cannot find module './new.js'\nRequire stack:\n- /r/a.js",
      1,
    ],
    [
      "an absolute module that something required",
      "Error: Cannot find module '/r/new.js'\n  requireStack: [ '/r/a.js' ]",
      1,
    ],
    [
      "a package that no manifest asks for",
      "Error: Cannot find package 'left-pad' imported from /r/a.js",
      1,
    ],
    ["an alias of the project", "Error: Cannot find module '@/components/new'", 1],
    ["a Python module of the project", "E   ModuleNotFoundError: No module named 'calculator'", 2],
    [
      "a failing test that speaks of the network",
      "not ok 1 - net\n  Request timed out: 429 Too Many Requests, ECONNRESET",
      1,
    ],
    [
      "a failing test that quotes a shell",
      "AssertionError: expected 'sh: 1: x: not found' to be ''",
      1,
    ],
    [
      "a missing package while other tests passed",
      "Error: Cannot find module 'express'\nTests:       1 failed, 3 passed, 4 total",
      1,
    ],
  ])("%s", async (_, output, code) => {
    const root = bareRepository();

    expect(
      await judgeEnvironment([result({ code, output, command: line("x", root) })], root),
    ).toBeUndefined();
  });

  test("an installed package is not missing", async () => {
    const root = bareRepository();
    writeFiles(root, { "node_modules/express/index.js": "" });
    const red = result({
      code: 1,
      output: "Cannot find module 'express'",
      command: line("x", join(root)),
    });

    expect(await judgeEnvironment([red], root)).toBeUndefined();
  });

  test("a crash of the tested program", async () => {
    const crash = result({ ended: { by: "signal", signal: "SIGSEGV" }, output: "" });
    const shellCrash = result({ code: 139 });

    expect(await judgeEnvironment([crash, shellCrash], "/repo")).toBeUndefined();
  });

  test("a green command that complains", async () => {
    expect(
      await judgeEnvironment([result({ output: "sh: 1: x: not found" })], "/repo"),
    ).toBeUndefined();
  });
});

/** What a command that cannot run really prints on this machine. */
describe("real commands that cannot run", () => {
  const files = {
    "package.json": JSON.stringify({
      scripts: { test: "no-such-bin --run" },
      devDependencies: { "no-such-bin": "1" },
    }),
    "run.sh": "exit 0\n",
  };

  test.each([
    ["no-such-runner --all", "test command cannot be started: no-such-runner (exit 127)"],
    ["./run.sh", "not executable"],
    ["npm run nope", "no such script"],
    ["node missing-file.js", "no such file"],
    ["cd nowhere && npm test", "no such folder"],
    ["make test", "no such target"],
    ["npm test", "test command cannot be started: no-such-bin (exit 127)"],
  ])("%s", async (command, cause) => {
    const root = temporaryFolder();
    writeFiles(root, files);

    const { environment, green } = await runReally(root, [command]);

    expect(green).toBe(false);
    expect(environment?.cause).toContain(cause);
  });

  test("a manifest's command whose program is missing", async () => {
    const root = temporaryFolder();
    const command = {
      command: { argv: ["no-such-runner", "test"] },
      cwd: root,
      source: { kind: "manifest", file: "x" },
      trusted: true,
    } as const;

    const { environment } = await runReally(root, [command]);

    expect(environment).toMatchObject({ possiblyByChange: false });
    expect(environment?.cause).toMatch(/^test command cannot be started: no-such-runner test/);
  });

  test("a command that something kills is named with its signal", async () => {
    const root = temporaryFolder();

    const { environment } = await runReally(root, ["kill -9 $$"]);

    expect(environment?.cause).toContain("signal 9 (SIGKILL)");
  });
});

test("a test that passed by name shows that the machine is sound, without any count", async () => {
  const output = "--- PASS: TestA (0.00s)\nError: Cannot find module 'express'\n";
  const root = bareRepository();
  const ran = result({ code: 1, output, command: line("npm test", root) });
  const tests = [{ id: "a", status: "passed" as const }];

  expect(await judgeEnvironment([ran], root)).toBeDefined();
  expect(await judgeEnvironment([{ ...ran, tests }], root)).toBeUndefined();
});
