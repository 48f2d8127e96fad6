import { addAbortSignal, type Readable } from "node:stream";

/** A stream that people or programs read. */
export interface Output {
  write(text: string): void;
  /** Once everything is written: what the stream failed with; undefined where all of it went out. */
  settled(): Promise<unknown>;
  /** A person looks at it, on a terminal that can erase a line. */
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly colour: boolean;
}

/** Everything of the process a command may touch; tests hand in their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder kit was started in. */
  readonly cwd: string;
  readonly clock: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/**
 * The streams, environment and clock of this process.
 *
 * @param signal ends whoever waits for stdin
 */
export function processIo(signal: AbortSignal): Io {
  let stdin: NodeJS.ReadStream | undefined;
  return {
    // Opened by whoever reads it: most commands never do.
    get stdin() {
      stdin ??= addAbortSignal(signal, process.stdin);
      return stdin;
    },
    stdout: outputOf(process.stdout, process.env),
    stderr: outputOf(process.stderr, process.env),
    env: process.env,
    cwd: process.cwd(),
    clock: () => new Date(),
    random: Math.random,
  };
}

/**
 * The stream as an output that never fails: a reader that left (`kit runs | head -1`), a closed
 * terminal or a full disk behind it ends the printing, and nothing else. A run under way goes on;
 * `settled` tells of it at the end. A terminal that hung up also sends a signal, which ends it.
 */
export function outputOf(
  stream: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): Output {
  let open = true;
  let isWritten = false;
  let fault: unknown;
  const shut = (error: unknown): void => {
    // The first error tells why; a terminal that hung up takes nobody's file.
    if (open && !stream.isTTY) fault = error;
    open = false;
  };
  // Never taken off: what was written before the first error may fail after it.
  stream.on("error", shut);
  return {
    write(text) {
      if (!open) return;
      isWritten = true;
      try {
        stream.write(text);
      } catch (error) {
        shut(error);
      }
    },
    async settled() {
      // Called behind all that was written before; the error event comes ahead of it.
      if (open && isWritten) await new Promise((resolve) => stream.write("", resolve));
      return fault;
    },
    isTerminal: stream.isTTY && env["TERM"] !== "dumb",
    get columns() {
      return stream.columns ?? 80;
    },
    colour: wantsColour(env, stream.isTTY),
  };
}

/** https://no-color.org and https://force-color.org; forced colour wins, as in Node itself. */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
