import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { basename } from "node:path";
import { Limits } from "./limits.ts";
import { LineSplitter, TailBuffer } from "./lines.ts";
import { start, type Started } from "./start.ts";
import { endFamily, patienceAfterExitMs } from "./tree.ts";
import type { ProcessEnding, ProcessRequest, ProcessResult } from "./types.ts";

const defaultMaxStdoutBytes = 64 * 1024 * 1024;
const keptStderrBytes = 64 * 1024;

/** Silence after which a pipe that an unreachable process still holds is closed. */
const drainMs = 250;

/**
 * Runs a program with pipes. Returns when the child and all it started are gone: after a limit
 * SIGTERM, SIGKILL `graceMs` later, and a second after that at the latest. Never rejects, but with
 * what `onStdoutLine` throws, once the child is gone.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedAt = performance.now();
  const output = new Output(request);
  const result = (ended: ProcessEnding, leftBehind: readonly string[] = []): ProcessResult => ({
    ended,
    ...output.kept(),
    durationMs: performance.now() - startedAt,
    leftBehind,
  });
  if (request.signal?.aborted === true) return result({ by: "abort" });
  const startsOthers = request.startsOthers ?? true;
  const started = await start({
    ...request,
    stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    label: request.label ?? basename(request.program),
    watched: startsOthers,
  });
  if ("by" in started) return result(started);

  const limits = new Limits(request);
  const closed = new Promise<void>((resolve) => started.child.once("close", () => resolve()));
  output.read(started, limits);
  const ended = await Promise.race([limits.reached, started.exited]);
  const byItself = ended.by === "exit" || ended.by === "signal";
  const found =
    startsOthers || !byItself
      ? await endFamily(started, byItself ? patienceAfterExitMs : 0, request.graceMs)
      : [];
  await drain(started, closed, output);
  limits.release();
  started.finish();
  output.finish();
  return result(output.failed(ended), byItself ? found : []);
}

/** Lets what is still in the pipes arrive; a pipe that never ends is closed from this side. */
async function drain(started: Started, closed: Promise<void>, output: Output): Promise<void> {
  for (let seen = -1; seen !== output.bytesSeen;) {
    seen = output.bytesSeen;
    const silence = delay(drainMs, "silent" as const, { ref: false });
    if ((await Promise.race([closed, silence])) !== "silent") break;
  }
  for (const stream of started.child.stdio) stream?.destroy();
}

/** Reads both pipes and keeps what was asked for. */
class Output {
  bytesSeen = 0;
  readonly #request: ProcessRequest;
  readonly #maxBytes: number;
  readonly #lines: LineSplitter | undefined;
  readonly #stderr = new TailBuffer(keptStderrBytes);
  #stdout: Buffer[] = [];
  #stdoutBytes = 0;
  #overflow = false;
  #thrown: { readonly error: unknown } | undefined;

  constructor(request: ProcessRequest) {
    this.#request = request;
    this.#maxBytes = request.maxStdoutBytes ?? defaultMaxStdoutBytes;
    const { onStdoutLine } = request;
    if (onStdoutLine !== undefined) this.#lines = new LineSplitter(onStdoutLine, this.#maxBytes);
  }

  read({ child }: Started, limits: Limits): void {
    const { stdin, stdout, stderr } = child;
    const receive = (stream: Readable | null, keep: (chunk: Buffer) => void): void => {
      stream
        ?.on("error", () => undefined)
        .on("data", (chunk: Buffer) => {
          this.bytesSeen += chunk.length;
          limits.alive();
          keep(chunk);
        });
    };
    receive(stderr, (chunk) => this.#stderr.push(chunk));
    receive(stdout, (chunk) => {
      if (this.#overflow || this.#thrown !== undefined) return;
      try {
        this.#overflow = !this.#keep(chunk);
        if (this.#overflow) limits.stop({ by: "overflow" });
      } catch (error) {
        this.#thrown = { error };
        limits.stop({ by: "abort" });
      }
    });
    // A child that exits without reading its input closes the pipe: EPIPE is no fault of ours.
    stdin?.on("error", () => undefined).end(this.#request.input);
  }

  #keep(chunk: Buffer): boolean {
    if (this.#lines !== undefined) return this.#lines.push(chunk);
    const room = this.#maxBytes - this.#stdoutBytes;
    const kept = chunk.subarray(0, room);
    this.#stdout.push(kept);
    this.#stdoutBytes += kept.length;
    return chunk.length <= room;
  }

  /** @throws what `onStdoutLine` threw. */
  finish(): void {
    if (this.#thrown !== undefined) throw this.#thrown.error;
    if (!this.#overflow) this.#lines?.finish();
  }

  /** An overflow that came with the last bytes, after the exit, is one too. */
  failed(ended: ProcessEnding): ProcessEnding {
    return this.#overflow && (ended.by === "exit" || ended.by === "signal")
      ? { by: "overflow" }
      : ended;
  }

  kept(): { readonly stdout: Buffer; readonly stderr: string } {
    return { stdout: Buffer.concat(this.#stdout), stderr: this.#stderr.text() };
  }
}
