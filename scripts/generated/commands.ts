import { Readable } from "node:stream";
import type { Command } from "commander";
import { commands } from "../../src/cli/commands/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { createProgram } from "../../src/cli/program.ts";

const mute = {
  write: () => undefined,
  settled: () => Promise.resolve(undefined),
  isTerminal: false,
  columns: 80,
  colour: false,
};

const io: Io = {
  stdin: Readable.from([]),
  stdout: mute,
  stderr: mute,
  env: {},
  cwd: "/",
  clock: () => new Date(0),
  random: () => 0,
};

/** `docs/commands.md`: what `--help` says of each command. */
export async function commandReference(): Promise<string> {
  const { signal } = new AbortController();
  const program = await createProgram(commands, undefined, { version: "", io, signal });
  const sections = [program, ...descendants(program)].map(
    (command) => `## ${fullName(command)}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
  );
  return `# Commands

What \`--help\` says. Written by \`npm run generate\`.

${sections.join("\n\n")}
`;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((below) => [below, ...descendants(below)]);
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** `helpInformation` leaves out the texts that were added after it; `outputHelp` has them. */
function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return help.trimEnd();
}
