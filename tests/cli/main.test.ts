import { expect, test } from "vitest";
import { defineCommand } from "../../src/cli/command.ts";
import type { CommandEntry } from "../../src/cli/commands/index.ts";
import { KitError, type KitErrorKind } from "../../src/contracts/index.ts";
import { GitError } from "../../src/lib/git.ts";
import { OddPlaceError } from "../../src/lib/own-place.ts";
import { runKit } from "./support.ts";

/** A table with one command that ends the way a test asks for. */
function commandThat(run: () => unknown): readonly CommandEntry[] {
  const command = defineCommand<{ loud?: boolean }>({
    define: (program) => program.argument("[thing]", "what to try").option("--loud", "shout"),
    examples: [["kit try it", "tries it"]],
    async run({ loud }, { args }) {
      await Promise.resolve();
      run();
      return { exitCode: 1, document: { loud, args }, text: `tried ${String(args[0])}\n` };
    },
  });
  return [{ name: "try", summary: "try a thing", load: () => Promise.resolve({ command }) }];
}

const quietly = commandThat(() => undefined);

test("a command gets its arguments and options, prints its text and gives its exit code", async () => {
  const ran = await runKit(["try", "it"], { commands: quietly });

  expect(ran).toEqual({ exitCode: 1, stdout: "tried it\n", stderr: "" });
});

test("--json prints one document with schemaVersion and nothing else", async () => {
  const ran = await runKit(["try", "it", "--loud", "--json"], { commands: quietly });

  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toEqual({ schemaVersion: 1, loud: true, args: ["it"] });
});

test("--version prints the version", async () => {
  expect(await runKit(["--version"])).toEqual({ exitCode: 0, stdout: "1.2.3\n", stderr: "" });
});

test("--help of a command shows its options and examples", async () => {
  const { exitCode, stdout } = await runKit(["try", "--help"], { commands: quietly });

  expect(exitCode).toBe(0);
  expect(stdout).toContain("--loud      shout");
  expect(stdout).toContain("Examples:\n  kit try it\n      tries it");
});

test("without a command kit shows its help and ends with 2", async () => {
  const { exitCode, stdout, stderr } = await runKit([], { commands: quietly });

  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain("try a thing");
});

test.each([
  [["tri"], "kit: Unknown command 'tri'.\nnext: Did you mean try?\n"],
  [["help", "tri"], "kit: Unknown command 'tri'.\nnext: Did you mean try?\n"],
  [["zzzz"], "kit: Unknown command 'zzzz'.\nnext: See: kit --help\n"],
  [["try", "--lout"], "kit: Unknown option '--lout'.\nnext: Did you mean --loud?\n"],
])("%j is a usage error with a suggestion where one is near", async (argv, message) => {
  const ran = await runKit(argv, { commands: quietly });

  expect(ran).toEqual({ exitCode: 2, stdout: "", stderr: message });
});

test("usage errors are a document with --json", async () => {
  const { exitCode, stdout, stderr } = await runKit(["try", "--lout", "--json"], {
    commands: quietly,
  });

  expect(exitCode).toBe(2);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    error: {
      kind: "usage",
      message: "Unknown option '--lout'.",
      next: "Did you mean --loud?",
      problems: [],
    },
  });
});

test.each<[KitErrorKind, number]>([
  ["usage", 2],
  ["configuration", 2],
  ["not_found", 2],
  ["environment", 5],
  ["conflict", 1],
])("a %s error ends with %i, its problems with places, its next step last", async (kind, code) => {
  const commands = commandThat(() => {
    throw new KitError(kind, "It is broken.", {
      next: "mend it",
      problems: [
        {
          severity: "error",
          place: { file: "/x/models.yaml", line: 3, column: 7 },
          key: "backends.cheap.thinking",
          value: "hihg",
          message: "one of off, low, high is needed",
        },
        { severity: "warning", place: { file: "a.md" }, message: "nobody reads this" },
      ],
    });
  });

  const ran = await runKit(["try"], { commands });

  expect(ran).toEqual({
    exitCode: code,
    stdout: "",
    stderr: [
      "kit: It is broken.",
      '  /x/models.yaml:3:7: backends.cheap.thinking: one of off, low, high is needed (found "hihg")',
      "  a.md: warning: nobody reads this",
      "next: mend it",
      "",
    ].join("\n"),
  });
});

test("a full disk is the environment's fault, in words, with what mends it", async () => {
  const commands = commandThat(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      path: "/repo/.kit/runs/x",
    });
  });

  expect(await runKit(["try"], { commands })).toEqual({
    exitCode: 5,
    stdout: "",
    stderr:
      "kit: The disk is full: /repo/.kit/runs/x\nnext: Free some disk space and run kit again.\n",
  });
});

test("a bug is one line and a place to report it; KIT_DEBUG=1 adds the stack", async () => {
  const commands = commandThat(() => {
    throw new TypeError("x is not a function\nof two lines");
  });

  const plain = await runKit(["try"], { commands, env: {} });
  const debugged = await runKit(["try"], { commands, env: { KIT_DEBUG: "1" } });

  expect(plain.exitCode).toBe(5);
  expect(plain.stderr.split("\n")).toEqual([
    "kit: kit failed where it should not: x is not a function",
    "next: Report it to the issues of capkit, with what the same command prints under KIT_DEBUG=1",
    "",
  ]);
  expect(debugged.stderr).toContain("main.test.ts");
});

test("whatever an interrupted command throws, the exit is 130", async () => {
  const controller = new AbortController();
  const commands = commandThat(() => {
    controller.abort();
    throw new Error("aborted somewhere");
  });

  const ran = await runKit(["try"], { commands, signal: controller.signal });

  expect(ran).toEqual({ exitCode: 130, stdout: "", stderr: "kit: Interrupted.\n" });
});

test.each([
  [
    new GitError(["ls-files"], "fatal: index file smaller than expected\n", "other", 128),
    "git ls-files (exit 128): fatal: index file smaller than expected",
    "Look with git status",
  ],
  [new OddPlaceError("/r/.kit", "a link to /x"), "/r/.kit is a link to /x: kit", "Remove it"],
])("what stands in the way of kit's files or git is no bug: %s", async (error, said, next) => {
  const commands = commandThat(() => {
    throw error;
  });

  const { exitCode, stderr } = await runKit(["try", "it"], { commands });

  expect(exitCode).toBe(5);
  expect(stderr).toContain(`kit: ${said}`);
  expect(stderr).toContain(`next: ${next}`);
});
