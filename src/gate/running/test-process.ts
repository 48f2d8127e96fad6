import { constants } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import type { CommandResult, RunOptions, TestCommand } from "../../contracts/index.ts";
import { codeOf } from "../../lib/files.ts";
import { runToFile } from "../../lib/processes/index.ts";
import { redact } from "../../lib/redaction.ts";
import { stripColour } from "../../lib/text.ts";
import { environmentFileSecrets, hideValues } from "./environment-files.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import { readTold } from "../sandbox/supervise.ts";

/** What the file may hold while the command runs; what is written while it is cut can be lost. */
const maxOutputBytes = 1024 * 1024;

/** Writes over what is there; no new file, no link, no wait for the reader of a pipe. */
const replacing =
  constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const noSandbox: Sandbox = {
  confined: false,
  reason: "none was asked for",
  close: () => Promise.resolve(),
};

/** Bytes kept of a long output, in the record and in memory: so many of its start and of its end. */
const endBytes = 256 * 1024;

/**
 * Runs a test command with stdin closed and its output going into `options.outputFile`, and ends
 * whatever it leaves running. This is what a workspace's `run` does on this machine. Never
 * rejects for what the command does; `timeoutMs` bounds it, plus at most 2 s. A sandbox ends a
 * command at once, without a SIGTERM before.
 */
export async function runTestCommand(
  command: TestCommand,
  options: RunOptions,
  sandbox: Sandbox = noSandbox,
): Promise<CommandResult> {
  const { outputFile, timeoutMs, idleTimeoutMs, signal, env, reportFolder } = options;
  const { command: line, cwd } = command;
  const run = await runToFile({
    command: line,
    cwd,
    env: sandbox.confined ? sandbox.environment(env) : env,
    outputFile,
    maxOutputBytes,
    timeoutMs,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    signal,
    label: "test",
    ...(sandbox.confined && {
      through: sandbox.through(cwd, reportFolder === undefined ? [] : [reportFolder]),
    }),
  });
  const told = readTold(run.told);
  const output = run.outputBytes === 0 ? "" : await cleanedOutput(outputFile, run.outputBytes, cwd);
  const refused = sandbox.confined && !told.isStarted && run.ended.by === "exit";
  const leftBehind = [...run.leftBehind, ...told.leftBehind.map((each) => redact(each))];
  return {
    command,
    ended: refused
      ? { by: "spawn_error", message: `the sandbox: ${output.trim().slice(0, 300)}` }
      : endedOf(run.ended, run.durationMs),
    durationMs: run.durationMs,
    output,
    outputBytes: run.outputBytes,
    outputFile,
    ...(leftBehind.length === 0 ? {} : { leftBehind }),
    ...(sandbox.confined && { sandbox: { network: sandbox.network } }),
  };
}

/** What was printed, shortened, without colour and secrets; the record's file holds the same. */
async function cleanedOutput(file: string, outputBytes: number, cwd: string): Promise<string> {
  let output: string;
  try {
    const text = stripColour(await readEnds(file, outputBytes));
    output = redact(hideValues(text, environmentFileSecrets(cwd)));
  } catch (error) {
    // The command can have removed its own record, or its folder, or put something else there.
    const code = codeOf(error);
    if (code === undefined) throw error;
    return `[its output is gone: ${code}]`;
  }
  try {
    await writeFile(file, output, { flag: replacing });
  } catch (error) {
    // A full disk, or what is no file: the verdict does not need the record.
    if (codeOf(error) === undefined) throw error;
  }
  return output;
}

async function readEnds(file: string, outputBytes: number): Promise<string> {
  // Never through a link or a pipe that the command put there.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return "[its output is gone: no regular file is there]";
    const { size } = stats;
    const read = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    if (size <= 2 * endBytes) return (await read(0, size)).toString("utf8");
    const head = wholeLines(await read(0, endBytes));
    const tail = await read(size - endBytes, endBytes);
    const leftOut = outputBytes - head.length - tail.length;
    return `${head.toString("utf8")}[… ${leftOut} bytes left out …]\n${tail.toString("utf8")}`;
  } finally {
    await handle.close();
  }
}

/** Without a last line that was cut, unless there is no other. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(10);
  return end === -1 ? bytes : bytes.subarray(0, end + 1);
}

type ProcessEnding = Awaited<ReturnType<typeof runToFile>>["ended"];

function endedOf(ended: ProcessEnding, durationMs: number): CommandResult["ended"] {
  if (ended.by === "exit" || ended.by === "signal" || ended.by === "abort") return ended;
  if (ended.by === "spawn_error") return { by: "spawn_error", message: ended.message };
  return ended.by === "idle"
    ? { by: "idle", afterMs: durationMs }
    : { by: "deadline", afterMs: durationMs };
}
