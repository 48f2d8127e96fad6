import { Readable } from "node:stream";
import type { CommandEntry } from "../../src/cli/commands/index.ts";
import type { Io, Output } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";

/** What a command printed, and how it ended. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunKitOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly commands?: readonly CommandEntry[];
  readonly stdout?: Partial<Output>;
  /** A person at a terminal: their answers, one a question. */
  readonly answers?: readonly string[];
}

/** Runs kit in this process, as the launcher would, on streams that remember. */
export async function runKit(argv: readonly string[], options: RunKitOptions = {}): Promise<Ran> {
  const printed = { stdout: "", stderr: "" };
  const io: Io = {
    stdin: stdinOf(options),
    stdout: remembering((text) => (printed.stdout += text), options.stdout),
    stderr: remembering((text) => (printed.stderr += text), {
      isTerminal: options.answers !== undefined,
    }),
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    clock: () => new Date(),
    random: Math.random,
  };
  const signal = options.signal ?? new AbortController().signal;
  const exitCode = await main(argv, io, signal, "1.2.3", options.commands);
  return { exitCode, ...printed };
}

function stdinOf({ stdin, answers }: RunKitOptions): Io["stdin"] {
  if (answers === undefined) return Readable.from(stdin === undefined ? [] : [stdin]);
  return Object.assign(Readable.from(answers.map((answer) => `${answer}\n`)), { isTTY: true });
}

function remembering(remember: (text: string) => void, over: Partial<Output> = {}): Output {
  return {
    write: remember,
    settled: () => Promise.resolve(undefined),
    isTerminal: false,
    columns: 80,
    colour: false,
    ...over,
  };
}
