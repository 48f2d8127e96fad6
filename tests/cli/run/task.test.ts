import { expect, test } from "vitest";
import { refuseUntested } from "../../../src/cli/run/prepare.ts";
import { repository } from "../../support/repository.ts";
import { runKit } from "../support.ts";

test.each([[["run", "-"]], [["run", "--task", "-"]]])(
  "kit %j reads the task from stdin",
  async (argv) => {
    const { stdout, exitCode } = await runKit([...argv, "--dry-run", "--json"], {
      cwd: repository({}),
      stdin: "Mend add\n",
    });

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ task: "Mend add" });
  },
);

test("what follows an unknown test command is an option that the command has", () => {
  const nextOf = (by: "run" | "resume" | "test"): unknown => {
    try {
      refuseUntested([], by);
      return undefined;
    } catch (error) {
      return (error as { next?: string }).next;
    }
  };

  expect(nextOf("run")).toContain("--test");
  expect(nextOf("resume")).toBe('Start it again with one: kit run --test "npm test"');
  expect(nextOf("test")).toBe('Name one: kit test --test "npm test"');
});
