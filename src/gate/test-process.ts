import type { CommandResult, RunOptions, TestCommand } from "../contracts/index.ts";
import { readBytes } from "../lib/files.ts";
import { runToFile } from "../lib/processes/index.ts";
import { stripColour } from "../lib/text.ts";

/** Bytes of output that are kept, in the record and in memory: half head, half tail. */
const maxOutputBytes = 512 * 1024;

/**
 * Runs a test command with stdin closed and its output going into `options.outputFile`, and ends
 * whatever it leaves running. This is what a workspace's `run` does on this machine. Never
 * rejects for what the command does; `timeoutMs` bounds it, plus at most 2 s.
 */
export async function runTestCommand(
  command: TestCommand,
  options: RunOptions,
): Promise<CommandResult> {
  const { outputFile, timeoutMs, signal, env } = options;
  const run = await runToFile({
    command: command.command,
    cwd: command.cwd,
    env,
    outputFile,
    maxOutputBytes,
    timeoutMs,
    signal,
    label: "test",
  });
  const output = run.outputBytes === 0 ? "" : (await readBytes(outputFile)).toString("utf8");
  return {
    command,
    ended: endedOf(run.ended, run.durationMs),
    durationMs: run.durationMs,
    output: stripColour(output),
    outputBytes: run.outputBytes,
    outputFile,
    ...(run.leftBehind.length === 0 ? {} : { leftBehind: run.leftBehind }),
  };
}

type ProcessEnding = Awaited<ReturnType<typeof runToFile>>["ended"];

function endedOf(ended: ProcessEnding, durationMs: number): CommandResult["ended"] {
  switch (ended.by) {
    case "exit":
    case "signal":
    case "abort":
      return ended;
    case "spawn_error":
      return { by: "spawn_error", message: ended.message };
    // A command that writes to a file has no idle or output limit; both would be kit's own stop.
    case "deadline":
    case "idle":
    case "overflow":
      return { by: "deadline", afterMs: durationMs };
  }
}
