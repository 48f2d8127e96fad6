import { Option } from "commander";
import { defineCommand } from "../command.ts";
import {
  addModelOption,
  addRepoOption,
  commandLine,
  dollars,
  duration,
  sandboxOption,
  tokenCount,
  wholeNumber,
} from "../options.ts";
import { prepareWithConsent } from "../run/consent.ts";
import type { RunFlags } from "../run/flags.ts";
import { prepareRun } from "../run/prepare.ts";
import { addWatchOptions } from "../run/watch-options.ts";
import { requireFreeStdout } from "../run/watchers.ts";

export const command = defineCommand<RunFlags>({
  define(command) {
    command.argument("[task]", "what to do, in words; - reads it from stdin");
    addRepoOption(
      command
        .optionsGroup("Task:")
        .option("--task <text>", "the same as an option; - reads it from stdin")
        .option("--task-file <file>", "reads the task from a file")
        .option("--pack <file>", "takes this Context Pack and skips the scout"),
    ).option("--dry-run", "shows who would be asked and what would run; calls and writes nothing");
    addModelOption(command.optionsGroup("Models:"))
      .option("--capability <name>", "what the coder asks for")
      .option("--agent <name>", "lets another agent play the coder")
      .option("--candidate <backend>", "lets the coder ask this backend alone")
      .option(
        "--race <count>",
        "isolated; asks so many at once, the first green lands",
        wholeNumber,
      )
      .addOption(new Option("--claim <folder>").hideHelp())
      .optionsGroup("Judging the change:")
      .addOption(
        new Option("--test <command>", "a command that judges the change; repeatable").argParser(
          commandLine,
        ),
      )
      .option("--may-edit-tests", "lets the coder change existing tests and their configuration")
      .addOption(
        new Option(
          "--verify <what>",
          "sensitive: the tests of the change must be red without its sources",
        ).choices(["sensitive"]),
      )
      .option("--allow-untested", "applies a change although no test command is known")
      .addOption(sandboxOption())
      .option("--review", "another model reviews a change whose tests are green")
      .option("--no-review", "no review, whatever the settings say")
      .option(
        "--reviewers <count>",
        "as many distinct models are to agree; implies --review",
        wholeNumber,
      )
      .optionsGroup("Bounds:")
      .option("--max-attempts <count>", "models that may reply in each step", wholeNumber)
      .option("--max-calls <count>", "requests of the whole run", wholeNumber)
      .option("--budget-usd <amount>", "dollars of the whole run", dollars)
      .option("--budget-tokens <count>", "tokens of the whole run, read and written", tokenCount)
      .option("--timeout <time>", "time for the whole run: 90s, 20m, 2h", duration)
      .option("--step-timeout <time>", "time for the calls of each step", duration)
      .option("--wait [time]", "waits for spent accounts, that long at most", duration)
      .optionsGroup("Where the change is made:")
      .option("--isolate", "works in a tree of its own; only a green change reaches yours")
      .option("--branch <name>", "isolated; the change becomes a commit on this new branch")
      .option("--commit", "isolated; the change becomes a commit on the current branch")
      .option("--keep-failed", "leaves the last refused change in the tree")
      .optionsGroup("Output:");
    addWatchOptions(command);
  },
  examples: [
    ['kit run --task "Saving an empty project crashes"', "from the task to green tests"],
    ['kit run --dry-run "Saving an empty project crashes"', "who would be asked, at no cost"],
    [
      'kit run --task-file issue.md --test "npm test -- parser"',
      "with a task from a file and a narrow test",
    ],
    ['kit run --review --task "Rotate the session key"', "and let another model review the change"],
    ['kit run --branch fix/empty "Saving an empty project crashes"', "isolated, onto a new branch"],
    [
      'kit run --budget-usd 0.50 --wait 2h "Saving an empty project crashes"',
      "for half a dollar at most, waiting for an account to return",
    ],
    [
      'kit run --race 3 --task "Rotate the session key"',
      "three models at once, the first green lands",
    ],
    ["kit run --pack pack.md --max-attempts 1 --json", "from a pack written by hand, for scripts"],
  ],
  async run(flags, context) {
    requireFreeStdout(flags, context);
    const { io, args } = context;
    const [task] = args;
    const text = task === undefined ? undefined : String(task);
    const readsStdin = [flags.task, flags.taskFile, flags.pack].includes("-");
    const prepared = await prepareWithConsent(
      { repo: flags.repo, mayAsk: flags.dryRun !== true && !readsStdin },
      context,
      () => prepareRun(flags, text, io),
    );
    if (flags.dryRun) {
      const { dryRun } = await import("../run/dry-run.ts");
      return dryRun(prepared, io);
    }
    if (flags.race !== undefined) {
      const { race } = await import("../run/race.ts");
      return race(prepared, { ...flags, race: flags.race }, context);
    }
    const { execute } = await import("../run/execute.ts");
    return execute(prepared, flags, context);
  },
});
