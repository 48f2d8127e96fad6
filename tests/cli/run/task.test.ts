import { expect, test } from "vitest";
import { refuseUntested } from "../../../src/cli/run/prepare.ts";
import { repository } from "../../support/repository.ts";
import { runKit } from "../support.ts";

test.each([[["run", "-"]], [["run", "--task", "-"]]])(
  "kit %j reads the task from stdin",
  async (argv) => {
    const cwd = repository({});
    const dry = ["--dry-run", "--json"];

    const given = await runKit([...argv, ...dry], { cwd, stdin: "Mend add\n" });

    expect(given.exitCode).toBe(0);
    expect(given).toEqual(await runKit(["run", "Mend add", ...dry], { cwd }));
    expect((await runKit([...argv, ...dry], { cwd })).stdout).toContain("The task is empty.");
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
