import { readFile, writeFile } from "node:fs/promises";
import type { CommandResult, RunOptions, TestCommand } from "../contracts/index.ts";
import { runToFile } from "../lib/processes/index.ts";
import { redact } from "../lib/redaction.ts";
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
  const output = run.outputBytes === 0 ? "" : await cleanedOutput(outputFile);
  return {
    command,
    ended: endedOf(run.ended, run.durationMs),
    durationMs: run.durationMs,
    output,
    outputBytes: run.outputBytes,
    outputFile,
    ...(run.leftBehind.length === 0 ? {} : { leftBehind: run.leftBehind }),
  };
}

/** What was printed, without colour and secrets; the record's file holds the same. */
async function cleanedOutput(file: string): Promise<string> {
  const printed = await readFile(file, "utf8").catch(() => "");
  const output = redact(stripColour(printed));
  if (output !== printed) await writeFile(file, output);
  return output;
}

type ProcessEnding = Awaited<ReturnType<typeof runToFile>>["ended"];

function endedOf(ended: ProcessEnding, durationMs: number): CommandResult["ended"] {
  if (ended.by === "exit" || ended.by === "signal" || ended.by === "abort") return ended;
  if (ended.by === "spawn_error") return { by: "spawn_error", message: ended.message };
  return { by: "deadline", afterMs: durationMs };
}
