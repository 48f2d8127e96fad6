import { open } from "node:fs/promises";
import type { CommandResult, RunOptions, TestCommand } from "../contracts/index.ts";
import { runToFile } from "../lib/processes/index.ts";
import { stripColour } from "../lib/text.ts";

/** A command that prints more is ended; below it the exit code counts, whatever was printed. */
export const maxOutputBytes = 512 * 1024 * 1024;

/** What is kept of a long output, in the record and in memory. */
const headBytes = 64 * 1024;
const tailBytes = 256 * 1024;

/**
 * Runs a test command with stdin closed and its output in `options.outputFile`, ends the whole
 * process tree when the command ends or its time is up, and shortens the file to head and tail.
 * This is what a workspace's `run` does on this machine. Never rejects for what the command does.
 */
export async function runTestCommand(
  command: TestCommand,
  options: RunOptions,
): Promise<CommandResult> {
  const run = await runToFile({
    command: command.command,
    cwd: command.cwd,
    env: options.env,
    outputFile: options.outputFile,
    maxOutputBytes,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    label: "test",
  });
  const output = await shorten(options.outputFile, run.outputBytes);
  return {
    command,
    ended: endedOf(run.ended, options.timeoutMs),
    durationMs: run.durationMs,
    output,
    outputBytes: run.outputBytes,
    outputFile: options.outputFile,
  };
}

type Ended = Awaited<ReturnType<typeof runToFile>>["ended"];

function endedOf(ended: Ended, afterMs: number): CommandResult["ended"] {
  switch (ended.by) {
    case "deadline":
    case "idle":
      return { by: "deadline", afterMs };
    case "spawn_error":
      return { by: "spawn_error", message: ended.message };
    default:
      return ended;
  }
}

/** Head and tail of the file, colour stripped; the file itself is cut to the same. */
async function shorten(file: string, bytes: number): Promise<string> {
  if (bytes === 0) return "";
  const handle = await open(file, "r+");
  try {
    const read = async (length: number, position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const { size } = await handle.stat();
    if (size <= headBytes + tailBytes) return readable(await read(size, 0));
    const head = await read(headBytes, 0);
    const tail = await read(tailBytes, size - tailBytes);
    const notice = `\n[… ${size - headBytes - tailBytes} bytes left out …]\n`;
    await handle.truncate(headBytes);
    await handle.write(notice, headBytes);
    await handle.write(tail, 0, tail.length, headBytes + Buffer.byteLength(notice));
    return `${readable(head)}${notice}${readable(tail)}`;
  } finally {
    await handle.close();
  }
}

function readable(bytes: Buffer): string {
  return stripColour(bytes.toString("utf8"));
}
