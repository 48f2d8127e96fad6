import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandResult, GateResult, TestCommand } from "../../src/contracts/index.ts";
import { runTestCommand, runTests } from "../../src/gate/index.ts";

/** A command of the user's, as `--test` gives it. */
export function line(shell: string, cwd = "/repo"): TestCommand {
  return { command: { shell }, cwd, source: { kind: "flag" }, trusted: true };
}

/** A result nobody ran. */
export function result(over: Partial<CommandResult> & { code?: number } = {}): CommandResult {
  const { code = 0, ...rest } = over;
  const output = rest.output ?? "";
  return {
    command: line("npm test"),
    ended: { by: "exit", code },
    durationMs: 1,
    output,
    outputBytes: output.length,
    ...rest,
  };
}

/** What the gate says of results nobody ran. */
export function gate(...commands: readonly CommandResult[]): GateResult {
  const green = commands.every(({ ended }) => ended.by === "exit" && ended.code === 0);
  return { commands, tests: undefined, green, withheld: [] };
}

export interface RealRun {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly passEnvironment?: readonly string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Really runs commands of the user's in `root`, outputs in a folder of their own. */
export async function runReally(
  root: string,
  commands: readonly (string | TestCommand)[],
  options: RealRun = {},
): Promise<GateResult> {
  const outputs = realpathSync(mkdtempSync(join(tmpdir(), "kit-outputs-")));
  onTestFinished(() => rmSync(outputs, { recursive: true, force: true }));
  return runTests({
    root,
    commands: commands.map((each) => (typeof each === "string" ? line(each, root) : each)),
    run: runTestCommand,
    environment: options.environment ?? process.env,
    passEnvironment: options.passEnvironment ?? [],
    timeoutMs: options.timeoutMs ?? 20_000,
    signal: options.signal ?? new AbortController().signal,
    outputFile: (index) => join(outputs, `${index}.log`),
  });
}
