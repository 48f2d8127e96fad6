import type { Command } from "commander";
import type { ExitCode } from "../contracts/index.ts";
import type { Io } from "./io.ts";

/** What a command has at hand. */
export interface CommandContext {
  readonly io: Io;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** `--json`: stdout is for the document alone. */
  readonly json: boolean;
  /** Positional arguments as commander read them; an absent optional one is `undefined`. */
  readonly args: readonly (string | readonly string[] | undefined)[];
}

/** What a command came to; main prints one of `document` and `text` on stdout. */
export interface Answer {
  readonly exitCode: ExitCode;
  /** For `--json`; main adds `schemaVersion`. Its shape is a schema in `src/cli/schemas`. */
  readonly document: Readonly<Record<string, unknown>>;
  /** For people; absent where the command has written its lines already. Ends with a line end. */
  readonly text?: string;
}

/** A command of kit; a file of `src/cli/commands` exports one as `command`. */
export interface CommandDefinition<Options extends object = object> {
  /** Options and arguments beside `--json` and `--help`. */
  readonly define: (command: Command) => void;
  /** Shown by `--help`: a command line and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly run: (options: Options, context: CommandContext) => Promise<Answer>;
}

/** Keeps the type of the options between definition and table of commands. */
export function defineCommand<Options extends object>(
  definition: CommandDefinition<Options>,
): CommandDefinition<Options> {
  return definition;
}
