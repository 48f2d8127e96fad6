import { open, rm, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { codeOf } from "../files.ts";
import { CappedFile } from "./capped-file.ts";
import { Limits } from "./limits.ts";
import { start } from "./start.ts";
import { endFamily, patienceAfterExitMs } from "./tree.ts";
import type { CommandEnd, CommandRequest, ProcessEnding } from "./types.ts";

/** How often the size of the file is looked at: the disk it may take above the cap. */
const lookMs = 50;

/**
 * Runs a command with its output going straight into a file: nothing passes through kit, and no
 * grandchild that keeps the output open can hold the call up. Never rejects. Returns when the
 * command and all it started are gone, at most 2 s after `timeoutMs`.
 *
 * A longer output does not end the command: the file is cut while it grows, so that it holds the
 * first half of `maxOutputBytes` and the latest bytes; between two looks (50 ms) it may be
 * larger. A script that opens `/dev/stdout` for writing anew empties the file, as in any shell.
 */
export async function runToFile(request: CommandRequest): Promise<CommandEnd> {
  const startedAt = performance.now();
  const result = (ended: ProcessEnding, rest: Partial<CommandEnd> = {}): CommandEnd => ({
    ended,
    durationMs: performance.now() - startedAt,
    outputBytes: 0,
    leftOutBytes: 0,
    leftBehind: [],
    ...rest,
  });
  if (request.signal.aborted) return result({ by: "abort" });
  let file: FileHandle;
  try {
    // Appending, as both streams share the file and it is cut while they write.
    await rm(request.outputFile, { force: true });
    file = await open(request.outputFile, "ax+", 0o600);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return result({ by: "spawn_error", code: codeOf(error) ?? "UNKNOWN", message });
  }
  try {
    const { program, args } = commandOf(request);
    const started = await start({
      ...request,
      program,
      args,
      stdio: ["ignore", file.fd, file.fd],
      label: request.label ?? basename(program),
      watched: true,
    });
    if ("by" in started) return result(started);
    const limits = new Limits(request);
    const capped = new CappedFile(file.fd, request.maxOutputBytes);
    const looking = setInterval(() => capped.look(), lookMs);
    const ended = await Promise.race([limits.reached, started.exited]);
    const byItself = ended.by === "exit" || ended.by === "signal";
    const found = await endFamily(started, byItself ? patienceAfterExitMs : 0);
    clearInterval(looking);
    limits.release();
    started.finish();
    return result(ended, { ...capped.finish(), leftBehind: byItself ? found : [] });
  } finally {
    await file.close();
  }
}

function commandOf({ command }: CommandRequest): {
  readonly program: string;
  readonly args: readonly string[];
} {
  if ("shell" in command) return { program: "/bin/sh", args: ["-c", command.shell] };
  const [program = "", ...args] = command.argv;
  return { program, args };
}
