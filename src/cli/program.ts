import { Command, Option } from "commander";
import type { Answer, CommandContext, CommandDefinition } from "./command.ts";
import type { CommandEntry } from "./commands/index.ts";
import type { Io } from "./io.ts";

/** Called by the command that was asked for. */
export type Carry = (
  definition: CommandDefinition<never>,
  context: CommandContext,
  options: object,
) => Promise<void>;

/** What the program needs beside the entries; `carry` is left out where only its help is wanted. */
export interface ProgramOptions {
  readonly version: string;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly carry?: Carry;
}

/**
 * Commander's tree of the commands. Only the commands that `argv` names are loaded; of the
 * others it knows name and summary, which help and "did you mean" need.
 *
 * @param argv arguments without program and script; `undefined` loads every command
 */
export async function createProgram(
  entries: readonly CommandEntry[],
  argv: readonly string[] | undefined,
  options: ProgramOptions,
): Promise<Command> {
  const program = new Command("kit")
    .description("One task in one repository to green tests, for the least money.")
    .version(options.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "explain a command")
    .helpCommand("help [command]", "explain a command")
    .addHelpText("after", overview)
    .configureOutput({
      writeOut: (text) => options.io.stdout.write(text),
      writeErr: (text) => options.io.stderr.write(text),
      getOutHasColors: () => options.io.stdout.colour,
      getErrHasColors: () => options.io.stderr.colour,
      getOutHelpWidth: () => options.io.stdout.columns,
      getErrHelpWidth: () => options.io.stderr.columns,
      // The error is thrown as well, and told by main in kit's own words.
      outputError: () => undefined,
    })
    .exitOverride();
  for (const entry of entries) await addCommand(program, entry, argv, options);
  return program;
}

const overview = `
Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 5 environment;
of kit run also 3 no model replied, 4 no valid pack, 130 interrupted.
Every command takes --json. Colour follows NO_COLOR and FORCE_COLOR.`;

async function addCommand(
  parent: Command,
  entry: CommandEntry,
  argv: readonly string[] | undefined,
  options: ProgramOptions,
): Promise<void> {
  const command = parent.command(entry.name).summary(entry.summary).description(sentence(entry));
  const wanted = argv === undefined || argv.includes(entry.name);
  if (!wanted) return;
  for (const below of entry.below ?? []) await addCommand(command, below, argv, options);
  if (!entry.load) return;
  const { command: definition } = await entry.load();
  definition.define(command);
  command.addOption(new Option("--json", "print one JSON document on stdout"));
  command.addHelpText("after", examplesText(definition));
  command.action(async (...received: unknown[]) => {
    // Commander gives the arguments, then the options, then the command itself.
    const args = received.slice(0, -2) as CommandContext["args"];
    // Commander gives what stands behind `quota clear` to `quota`, where both know it.
    const given = command.optsWithGlobals<{ json?: boolean }>();
    const { io, signal, carry } = options;
    await carry?.(definition, { io, signal, json: given.json === true, args }, given);
  });
}

function sentence({ summary }: CommandEntry): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function examplesText({ examples }: CommandDefinition<never>): string {
  if (examples.length === 0) return "";
  return `\nExamples:\n${examples.map(([line, does]) => `  ${line}\n      ${does}`).join("\n")}`;
}

/** Prints an answer the way it was asked for. */
export function printAnswer(answer: Answer, { io, json }: CommandContext): void {
  if (json) io.stdout.write(documentText(answer.document));
  else if (answer.text !== undefined) io.stdout.write(answer.text);
}

/** The one document of `--json`. */
export function documentText(document: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ schemaVersion: 1, ...document }, null, 2)}\n`;
}
