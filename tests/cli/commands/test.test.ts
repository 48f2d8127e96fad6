import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentSchemas } from "../../../src/cli/schemas/index.ts";
import { git, repository, snapshot, temporaryFolder } from "../../support/repository.ts";
import { type Ran, runKit, type RunKitOptions } from "../support.ts";

/** kit in a repository, for a user with a state of their own. */
function kitIn(files: Record<string, string>): {
  root: string;
  kit: (argv: readonly string[], options?: RunKitOptions) => Promise<Ran>;
} {
  const root = repository(files);
  const env = { ...process.env, KIT_STATE_DIR: temporaryFolder(), SECRET_TOKEN: "hunter2hunter2" };
  return {
    root,
    kit: (argv, options) => runKit(["test", ...argv], { cwd: root, env, ...options }),
  };
}

const makefile = (recipe: string): Record<string, string> => ({
  Makefile: `test:\n\t@${recipe}\n`,
});
const read = (ran: Ran): Record<string, unknown> =>
  JSON.parse(ran.stdout) as Record<string, unknown>;

describe("kit test", () => {
  const endings: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ["a green tree", makefile("echo 1..1; echo ok 1 - adds"), 0, "green"],
    ["a red one", makefile("echo 1..1; echo not ok 1 - adds; exit 1"), 1, "red"],
    ["one in which nothing is collected", makefile("echo 1..0"), 1, "vacuous"],
    ["a machine without the program", makefile("no-such-runner"), 5, "environment"],
  ];

  test.each(endings)(
    "ends for %s as it should, and writes nothing there",
    async (_, files, code, kind) => {
      const { root, kit } = kitIn(files);
      const before = snapshot(root);

      const ran = await kit(["--json"]);

      expect(ran.exitCode).toBe(code);
      const document = read(ran);
      expect(document).toMatchObject({
        verdict: kind,
        testCommands: [{ command: "make test", source: "Makefile" }],
      });
      expect(() => documentSchemas.test.parse(document)).not.toThrow();
      expect(snapshot(root)).toEqual(before);
    },
  );

  test.each(["auto", "off"])(
    "leaves no hook that a test made where none was, with the sandbox %s, and says so",
    async (sandbox) => {
      const { root, kit } = kitIn(makefile("mkdir -p tools/hooks; echo x > tools/hooks/pre-push"));
      git(root, "config", "core.hooksPath", "tools/hooks");

      const { exitCode, stderr } = await kit([`--sandbox=${sandbox}`]);

      expect(exitCode).toBe(0);
      expect(stderr).toContain("kit put it right: tools/hooks/pre-push.");
      const [, keptIn = ""] = /What they wrote is in (.*)/.exec(stderr) ?? [];
      expect(existsSync(join(keptIn, "tools/hooks/pre-push"))).toBe(true);
      expect(existsSync(join(root, "tools/hooks/pre-push"))).toBe(false);
    },
  );

  test("says what failed, what was withheld, and the verdict last", async () => {
    const { kit } = kitIn(makefile("echo 'Error: boom'; exit 3"));

    const { exitCode, stdout } = await kit([]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("make test (Makefile)");
    expect(stdout).toContain("Error: boom");
    expect(stdout).toMatch(/withheld from the tests: .*SECRET_TOKEN/);
    expect(stdout).not.toContain("hunter2");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("red: the test command ended red");
  });

  test("ends with 2 where no command is known, and names the one that waits for a yes", async () => {
    expect(await kitIn({}).kit([])).toMatchObject({ exitCode: 2 });
    const { stderr, exitCode } = await kitIn({ ".kit/kit.yaml": "test_commands: touch x\n" }).kit(
      [],
    );

    expect(exitCode).toBe(2);
    expect(stderr).toContain("touch x");
    expect(stderr).toContain("kit trust");
  });

  test("ends a command at its time", async () => {
    const { exitCode, stdout } = await kitIn({}).kit([
      "--test",
      "exec sleep 60",
      "--timeout",
      "200ms",
    ]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("the time limit");
  });

  test("runs nothing in a dry run", async () => {
    const { root, kit } = kitIn(makefile("touch ran"));

    const ran = await kit(["--dry-run", "--json"]);

    expect(read(ran)).toMatchObject({ verdict: null, testCommands: [{ runs: true }] });
    expect(() => documentSchemas.test.parse(read(ran))).not.toThrow();
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  test("says that a manifest's script is another one than last time", async () => {
    const { root, kit } = kitIn(makefile("echo one"));
    expect((await kit([])).stderr).toBe("");
    writeFileSync(join(root, "Makefile"), "test:\n\t@echo two\n");

    expect((await kit([])).stderr).toMatch(/changed since kit last ran it: .*echo one.*echo two/);
    expect((await kit([])).stderr).toBe("");
  });

  test("asks on a terminal about a script that was trusted, and runs it on a yes alone", async () => {
    const { root, kit } = kitIn(makefile("echo one"));
    const env = { ...process.env, KIT_STATE_DIR: temporaryFolder() };
    await runKit(["trust", "--yes"], { cwd: root, env });
    writeFileSync(join(root, "Makefile"), "test:\n\t@touch ran\n");

    const refused = await kit([], { env, answers: ["n"] });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("it is   test: @touch ran");
    expect(existsSync(join(root, "ran"))).toBe(false);
    const agreed = await kit([], { env, answers: ["y"] });
    expect(agreed.exitCode).toBe(0);
    expect(existsSync(join(root, "ran"))).toBe(true);
  });
});
