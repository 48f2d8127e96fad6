import { type CommandContext, defineCommand } from "../command.ts";
import { type Check, exitCodeOf } from "../doctor/check.ts";
import { checkMachine } from "../doctor/machine.ts";
import { checkModels } from "../doctor/models.ts";
import { checkRepository, mendRepository } from "../doctor/repository.ts";
import { addRepoOption } from "../options.ts";
import { openProject } from "../project.ts";
import { counted, createPaint, type Paint, type Tone } from "../views/format.ts";
import { printable } from "../views/printable.ts";

interface DoctorFlags {
  readonly repo?: string;
  readonly offline?: true;
  readonly fix?: true;
}

export const command = defineCommand<DoctorFlags>({
  define(command) {
    addRepoOption(command)
      .option("--offline", "asks neither pi nor any endpoint")
      .option("--fix", "puts right what killed runs left in this repository");
  },
  examples: [
    ["kit doctor", "what works, what does not, and the command that mends it"],
    ["kit doctor --offline --json", "the same without pi and endpoints, for a program"],
  ],
  async run({ repo, offline, fix }, { io, signal }) {
    const project = await openProject(repo === undefined ? {} : { repo }, io);
    const fixed = fix === true ? await mendRepository(project, io) : [];
    const [machine, models, repository] = await Promise.all([
      checkMachine(project, io, signal),
      checkModels(project, io, signal, offline === true),
      checkRepository(project, io),
    ]);
    signal.throwIfAborted();
    const checks = [...machine, ...models, ...repository];
    return {
      exitCode: exitCodeOf(checks),
      document: { root: project.root, ready: exitCodeOf(checks) === 0, fixed, checks },
      text: `${lines(checks, fixed, io).join("\n")}\n`,
    };
  },
});

const marks: Readonly<Record<Check["state"], readonly [mark: string, tone: Tone]>> = {
  ok: ["✓", "good"],
  warning: ["!", "warning"],
  problem: ["✗", "bad"],
  not_checked: ["–", "quiet"],
};

function lines(
  checks: readonly Check[],
  fixed: readonly string[],
  io: CommandContext["io"],
): string[] {
  const paint = createPaint(io.stdout.colour);
  const groups = [...new Set(checks.map(({ group }) => group))];
  return [
    ...groups.flatMap((group) => [
      paint("strong", group),
      ...checks
        .filter((check) => check.group === group)
        .flatMap((check) => checkLines(check, paint)),
    ]),
    ...fixed.map(printable),
    "",
    ending(checks, paint),
  ];
}

function checkLines({ name, state, said, mend }: Check, paint: Paint): string[] {
  const [mark, tone] = marks[state];
  return [
    `  ${paint(tone, mark)} ${printable(name)}: ${printable(said)}`,
    ...(mend === undefined ? [] : [`      ${printable(mend)}`]),
  ];
}

function ending(checks: readonly Check[], paint: Paint): string {
  const problems = checks.filter(({ state }) => state === "problem").length;
  const warnings = checks.filter(({ state }) => state === "warning").length;
  const more = warnings === 0 ? "" : ` (${counted(warnings, "warning")})`;
  return problems === 0
    ? paint("good", `Nothing speaks against a run${more}.`)
    : paint("bad", `A run would not work: ${counted(problems, "problem")}${more}.`);
}
