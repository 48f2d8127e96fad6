import { CommanderError } from "commander";
import type { ExitCode } from "../contracts/index.ts";
import { commands as allCommands, type CommandEntry } from "./commands/index.ts";
import { errorDocument, errorLines, reportOf } from "./errors.ts";
import type { Io } from "./io.ts";
import { createProgram, documentText, printAnswer } from "./program.ts";
import { exitAfter } from "./unwritten.ts";

/**
 * kit, from the arguments to the exit code. Touches the process only through `io`.
 *
 * @param given arguments without program and script
 * @param commands the table of commands; tests hand in their own
 * @returns the exit code; never rejects
 */
export async function main(
  given: readonly string[],
  io: Io,
  signal: AbortSignal,
  version: string,
  commands: readonly CommandEntry[] = allCommands,
): Promise<ExitCode> {
  const exitCode = await carryOut(given, io, signal, version, commands);
  return exitAfter("stdout", await io.stdout.settled(), exitCode, io);
}

async function carryOut(
  given: readonly string[],
  io: Io,
  signal: AbortSignal,
  version: string,
  commands: readonly CommandEntry[],
): Promise<ExitCode> {
  // For `kit help rum` commander prints all of the help; of `kit rum` it says what is wrong.
  const isLost =
    given[0] === "help" && given.length > 1 && !commands.some(({ name }) => name === given[1]);
  const argv = isLost ? given.slice(1) : given;
  let exitCode: ExitCode = 0;
  try {
    const program = await createProgram(commands, argv, {
      version,
      io,
      signal,
      async carry(definition, context, options) {
        const answer = await definition.run(options as never, context);
        printAnswer(answer, context);
        ({ exitCode } = answer);
      },
    });
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? 0 : 2;
    return tell(error, argv, io, signal, commandOf(argv, commands));
  }
}

/** Commander ends `--help` and `--version` with an error that is none. */
function isHelp({ code }: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(code);
}

/** `kit pack check`: the commands that the arguments begin with. */
function commandOf(argv: readonly string[], commands: readonly CommandEntry[]): string {
  const entry = commands.find(({ name }) => name === argv[0]);
  const below = entry?.below?.find(({ name }) => name === argv[1]);
  return ["kit", entry?.name, below?.name].filter((name) => name !== undefined).join(" ");
}

function tell(
  error: unknown,
  argv: readonly string[],
  io: Io,
  signal: AbortSignal,
  command: string,
): ExitCode {
  const report = reportOf(error, signal, command);
  // Options may be what is wrong, so `--json` is looked for in the plain arguments.
  const end = argv.indexOf("--");
  const json = argv.slice(0, end === -1 ? undefined : end).includes("--json");
  if (json) io.stdout.write(documentText(errorDocument(report)));
  else io.stderr.write(`${errorLines(report).join("\n")}\n`);
  if (io.env["KIT_DEBUG"] === "1" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return report.exitCode;
}
