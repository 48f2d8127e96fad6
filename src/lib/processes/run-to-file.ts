import { open, rm, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../files.ts";
import { CappedFile } from "./capped-file.ts";
import { Limits } from "./limits.ts";
import { start, type Started } from "./start.ts";
import { endFamily, patienceAfterExitMs } from "./tree.ts";
import type { CommandEnd, CommandRequest, ProcessEnding } from "./types.ts";

/** How often the size of the file is looked at: the disk it may take above the cap. */
const lookMs = 50;

const keptToldBytes = 64 * 1024;

/** How long the end of descriptor 3 is waited for once nobody should hold it any more. */
const drainMs = 250;

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
    told: "",
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
      stdio: [
        "ignore",
        file.fd,
        file.fd,
        ...(request.through === undefined ? [] : ["pipe" as const]),
      ],
      label: request.label ?? basename(program),
      watched: true,
    });
    if ("by" in started) return result(started);
    const limits = new Limits(request);
    const capped = new CappedFile(file.fd, request.maxOutputBytes);
    const told = toldBy(started);
    const looking = setInterval(() => {
      if (capped.look()) limits.alive();
    }, lookMs);
    const ended = await Promise.race([limits.reached, started.exited]);
    const byItself = ended.by === "exit" || ended.by === "signal";
    const found = await endFamily(started, byItself ? patienceAfterExitMs : 0);
    clearInterval(looking);
    limits.release();
    started.finish();
    return result(ended, {
      ...capped.finish(),
      leftBehind: byItself ? found : [],
      told: await told(),
    });
  } finally {
    await file.close();
  }
}

/** Collects descriptor 3; the writers are gone when the result is asked for. */
function toldBy({ child }: Started): () => Promise<string> {
  const stream = child.stdio[3];
  if (!(stream instanceof Readable)) return () => Promise.resolve("");
  const chunks: Buffer[] = [];
  let bytes = 0;
  const over = new Promise<void>((resolve) => {
    stream.on("error", () => resolve()).on("close", () => resolve());
    stream.on("data", (chunk: Buffer) => {
      if (bytes < keptToldBytes) chunks.push(chunk.subarray(0, keptToldBytes - bytes));
      bytes += chunk.length;
    });
  });
  return async () => {
    await Promise.race([over, delay(drainMs, undefined, { ref: false })]);
    stream.destroy();
    return Buffer.concat(chunks).toString("utf8");
  };
}

function commandOf({ command, through = [] }: CommandRequest): {
  readonly program: string;
  readonly args: readonly string[];
} {
  const own = "shell" in command ? ["/bin/sh", "-c", command.shell] : command.argv;
  const [program = "", ...args] = [...through, ...own];
  return { program, args };
}
