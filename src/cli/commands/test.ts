import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Option } from "commander";
import {
  type ExitCode,
  type GateResult,
  KitError,
  type SandboxMode,
  type TestCommand,
} from "../../contracts/index.ts";
import {
  commandText,
  countsOf,
  digest,
  endedText,
  folderText,
  judgeTree,
  runTestCommand,
  runTests,
  sandboxHints,
  sourceText,
  type TreeVerdict,
} from "../../gate/index.ts";
import { openTestSandbox, watchHooks } from "../../pipeline/index.ts";
import { type Answer, type CommandContext, defineCommand } from "../command.ts";
import { putRight } from "../history.ts";
import { standingDocument } from "../layer.ts";
import { addRepoOption, commandLine, duration, sandboxOption } from "../options.ts";
import { openProject, type Project, requireSound } from "../project.ts";
import { prepareWithConsent } from "../run/consent.ts";
import { refuseUntested } from "../run/prepare.ts";
import { findCommands, type FoundCommands, rememberScripts } from "../test-commands.ts";
import { alignColumns, createPaint } from "../views/format.ts";
import { createMovingLine } from "../views/moving-line.ts";
import { printable } from "../views/printable.ts";
import { problemLines } from "../views/problem-text.ts";
import { commandLines, outputLines } from "../views/test-table.ts";

interface TestFlags {
  readonly repo?: string;
  readonly test?: readonly string[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly sandbox?: SandboxMode;
  readonly dryRun?: true;
}

/** What the gate will run. */
interface PreparedTest extends FoundCommands {
  readonly project: Project;
}

const exitCodes: Readonly<Record<TreeVerdict["kind"], ExitCode>> = {
  green: 0,
  red: 1,
  vacuous: 1,
  unconfigured: 2,
  environment: 5,
};

export const command = defineCommand<TestFlags>({
  define(command) {
    addRepoOption(command)
      .addOption(
        new Option("--test <command>", "runs this command instead; repeatable").argParser(
          commandLine,
        ),
      )
      .option("--timeout <time>", "time for each command: 90s, 20m, 2h", duration)
      .addOption(sandboxOption())
      .option("--dry-run", "shows what would run; runs nothing");
  },
  examples: [
    ["kit test", "the tests of this tree, as kit run would judge it"],
    ['kit test --test "npm test -- parser" --timeout 2m', "a command of your own"],
    ["kit test --json", "for scripts: exit 0 green, 1 red, 2 no command, 5 environment"],
  ],
  async run(flags, context) {
    const { io } = context;
    const prepared = await prepareWithConsent(
      { repo: flags.repo, mayAsk: flags.dryRun !== true },
      context,
      async (): Promise<PreparedTest> => {
        const { repo, sandbox } = flags;
        const project = await openProject(
          {
            ...(repo !== undefined && { repo }),
            ...(sandbox !== undefined && { settings: { sandbox } }),
          },
          io,
        );
        return { project, ...(await findCommands(project, { flags: flags.test ?? [] }, io)) };
      },
    );
    if (flags.dryRun) return shown(prepared);
    return tested(prepared, flags, context);
  },
});

function shown({ project, testCommands: commands, warnings }: PreparedTest): Answer {
  const rows = commands.map((each) => [
    printable(commandText(each)),
    `in ${folderText(each, project.root)}`,
    `(${printable(sourceText(each, project.root))})`,
    each.trusted ? "" : "shown, not run",
  ]);
  const lines = [
    ...(rows.length === 0 ? ["No test command is known."] : alignColumns(rows)),
    ...warnings,
    ...problemLines(project.problems),
  ];
  return {
    exitCode: commands.some(({ trusted }) => trusted) ? 0 : 2,
    document: {
      ...documentOf(project, commands, warnings),
      verdict: null,
      summary: null,
      results: [],
      withheld: [],
    },
    text: `${lines.join("\n")}\n`,
  };
}

async function tested(
  { project, testCommands: commands, scripts, warnings }: PreparedTest,
  flags: TestFlags,
  { io, signal, json }: CommandContext,
): Promise<Answer> {
  requireSound(project);
  refuseUntested(commands, "test");
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  const running = commands.filter(({ trusted }) => trusted);
  const { root, git, stateFolder: stateDir } = project;
  // The verdict must not be about a tree that a killed kit left half changed.
  const { unsettled } = await putRight({ root, git, stateDir }, io);
  if (unsettled.length > 0) {
    throw new KitError(
      "conflict",
      `An earlier kit's change could not be put right: ${unsettled[0]?.reason ?? ""}`,
      {
        next: "See what there is: kit runs",
      },
    );
  }
  await rememberScripts(project, scripts, io);
  const result = await runGate(project, running, flags, { io, signal });
  signal.throwIfAborted();
  const verdict = judgeTree(result);
  const mend = result.environment?.mend;
  const isRed = verdict.kind !== "green";
  return {
    exitCode: exitCodes[verdict.kind],
    document: {
      ...documentOf(project, commands, warnings),
      verdict: verdict.kind,
      summary: verdict.summary,
      ...(mend !== undefined && { next: mend }),
      results: result.commands.map((each) => ({
        command: commandText(each.command),
        ended: endedText(each.ended),
        durationMs: Math.round(each.durationMs),
        ...countsDocument(each),
        ...(each.tests !== undefined && { tests: each.tests }),
        ...(each.reportedBy !== undefined && { reportedBy: each.reportedBy }),
        ...(each.reportFault !== undefined && { reportFault: each.reportFault }),
        leftBehind: each.leftBehind ?? [],
        sandbox: each.sandbox ?? null,
      })),
      withheld: result.withheld,
      ...(isRed && { digest: digest(result.commands, { root, maxChars: 8_000 }) }),
    },
    ...(!json && { text: `${endLines(result, verdict, root, io).join("\n")}\n` }),
  };
}

/** The same code as a run's gate; the outputs are gone afterwards, what counts of them is shown. */
async function runGate(
  { root, git, settings, stateFolder: stateDir }: Project,
  commands: readonly TestCommand[],
  flags: TestFlags,
  { io, signal }: Pick<CommandContext, "io" | "signal">,
): Promise<GateResult> {
  const sandbox = await openTestSandbox({
    root,
    hasGit: git !== undefined,
    settings,
    environment: io.env,
  });
  if (!sandbox.confined && settings.sandbox.value !== "off") {
    io.stderr.write(`Test commands run without a sandbox, with your rights: ${sandbox.reason}\n`);
  }
  const folder = await mkdtemp(join(tmpdir(), "kit-output-"));
  const moving = io.stderr.isTerminal ? createMovingLine(io.stderr, io.clock) : undefined;
  const hooks = git === undefined ? undefined : await watchHooks(git);
  try {
    const result = await runTests({
      root,
      commands,
      async run(command, options) {
        moving?.say(`running ${printable(commandText(command))}`);
        moving?.draw();
        const idleTimeoutMs = settings.gateIdleTimeoutMs.value;
        const limits = idleTimeoutMs === undefined ? options : { ...options, idleTimeoutMs };
        return runTestCommand(command, limits, sandbox);
      },
      environment: io.env,
      passEnvironment: settings.passEnvironment.value,
      timeoutMs: flags.timeout ?? settings.gateTimeoutMs.value,
      signal,
      outputFile: (index) => join(folder, `test-${index + 1}.log`),
    });
    const keptIn = join(stateDir, "hooks", io.clock().toISOString().replaceAll(":", "-"));
    const changed = hooks?.putRight(keptIn) ?? [];
    if (changed.length > 0) {
      io.stderr.write(
        `Tests changed what git runs as hooks, and kit put it right: ${printable(changed.join(", "))}. What they wrote is in ${keptIn}\n`,
      );
    }
    return result;
  } finally {
    await sandbox.close();
    moving?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function endLines(
  result: GateResult,
  verdict: TreeVerdict,
  root: string,
  io: CommandContext["io"],
): string[] {
  const paint = createPaint(io.stdout.colour);
  const isGreen = verdict.kind === "green";
  const { withheld, environment } = result;
  return [
    ...result.commands.flatMap((each) => commandLines(each, root, paint)),
    ...(isGreen ? [] : outputLines(result, root)),
    ...(isGreen ? [] : sandboxHints(result.commands).map((hint) => paint("warning", hint))),
    "",
    ...(isGreen || withheld.length === 0
      ? []
      : [`withheld from the tests: ${withheld.join(", ")}`]),
    paint(isGreen ? "good" : "bad", `${verdict.kind}: ${printable(verdict.summary)}`),
    ...(environment === undefined ? [] : [`next: ${printable(environment.mend)}`]),
  ];
}

function countsDocument(result: GateResult["commands"][number]): Record<string, unknown> {
  const counts = countsOf(result);
  return counts === undefined ? {} : { counts };
}

function documentOf(
  { root, layer, problems }: Project,
  commands: readonly TestCommand[],
  warnings: readonly string[],
): Record<string, unknown> {
  return {
    root,
    testCommands: commands.map((each) => ({
      command: commandText(each),
      folder: folderText(each, root),
      source: sourceText(each, root),
      runs: each.trusted,
    })),
    projectLayer: standingDocument(layer.trust),
    warnings,
    problems,
  };
}
