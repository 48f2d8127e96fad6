import { Command } from "commander";
import { expect, test } from "vitest";
import { command as runCommand } from "../../../src/cli/commands/run.ts";
import type { RunFlags } from "../../../src/cli/run/flags.ts";
import type { PreparedRun } from "../../../src/cli/run/prepare.ts";
import { racerFlags } from "../../../src/cli/run/race-flags.ts";

/** What `kit run` reads. */
function read(argv: readonly string[]): RunFlags {
  const command = new Command();
  runCommand.define(command);
  return command.parse([...argv], { from: "user" }).opts<RunFlags>();
}

/** What the run of a candidate reads of the flags of a race. */
function racer(argv: readonly string[], limits: object = {}): RunFlags {
  const place = { backend: "cheap", share: 4, spentMs: 500, claim: "/claim" };
  return read(racerFlags({ limits } as PreparedRun, read(argv), place));
}

test("every flag of a race reaches the runs of its candidates, but for what is the race's own", () => {
  const argv =
    "--repo=r --test=a --test=-c --model=x=p/m --sandbox=off --no-review --reviewers=2 --max-attempts=2 --max-calls=5 --step-timeout=3s --wait=2s --capability=deep --agent=other --may-edit-tests --allow-untested --verify=sensitive".split(
      " ",
    );
  const own = { isolate: true, candidate: "cheap", claim: "/claim" };
  expect(racer([...argv, "--race=4", "--task=t"])).toEqual({ ...read(argv), ...own });
  expect(racer(["--race=4", "--branch=b", "--wait"])).toEqual({
    ...read(["--branch=b", "--wait"]),
    candidate: "cheap",
    claim: "/claim",
  });
  expect(racer(["--race=4", "--commit"])).toMatchObject({ commit: true });
});

test("budgets are divided, from settings too, and time goes on", () => {
  const limits = { budgetUsd: 1, budgetTokens: 1001 };
  expect(racer(["--race=4", "--timeout=2s"], limits)).toMatchObject({
    budgetUsd: 0.25,
    budgetTokens: 250,
    timeout: 1500,
  });
});
