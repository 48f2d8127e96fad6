import { durationMs } from "../../../config/index.ts";
import { stateFolder } from "../../../lib/git.ts";
import { cleanUp, type CleanUpReport } from "../../../pipeline/index.ts";
import { InvalidArgumentError } from "commander";
import { defineCommand } from "../../command.ts";
import { openHistory } from "../../history.ts";
import { addRepoOption, wholeNumber } from "../../options.ts";
import { openProject, type ProjectRequest } from "../../project.ts";
import { alignColumns, counted } from "../../views/format.ts";

interface Flags extends Pick<ProjectRequest, "repo"> {
  readonly keep?: number;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: true;
  readonly force?: true;
}

export const command = defineCommand<Flags>({
  define(command) {
    addRepoOption(command)
      .option("--keep <count>", "keep the newest ones only (setting: runs.keep)", wholeNumber)
      .option("--older-than <age>", "remove those older than 30d (setting: runs.max_age)", age)
      .option("--dry-run", "say what would be removed")
      .option("--force", "also runs whose change stands uncommitted: it cannot be undone then");
  },
  examples: [
    ["kit runs gc --keep 100 --dry-run", "what would go, and what would stay although it is older"],
    [
      "kit runs gc --older-than 30d",
      "removes older runs, and the old file contents only they need",
    ],
    ["kit runs gc", "as the settings say; without any, leftovers and unused caches only"],
  ],
  async run({ repo, keep, olderThan, dryRun, force }, { io }) {
    const { runsFolder, running } = await openHistory(repo, io);
    const { root, git, settings } = await openProject(repo === undefined ? {} : { repo }, io);
    const given = keep !== undefined || olderThan !== undefined;
    const newest = given ? keep : settings.runsKeep.value;
    const ageMs = given ? olderThan : settings.runsMaxAgeMs.value;
    const report = await cleanUp({
      place: { root, git, stateDir: await stateFolder(git, root) },
      runsFolder,
      ...(running !== undefined && { running }),
      ...(newest !== undefined && { keep: newest }),
      ...(ageMs !== undefined && { olderThanMs: ageMs }),
      force: force === true,
      dryRun: dryRun === true,
      everything: true,
      now: io.clock().getTime(),
    });
    return {
      exitCode: 0,
      document: { dryRun: dryRun === true, ...report },
      text: textOf(report, dryRun === true),
    };
  },
});

function age(value: string): number {
  const ms = durationMs(value);
  if (ms === undefined || ms <= 0) {
    throw new InvalidArgumentError("an age like 30d, 2w or 12h is needed");
  }
  return ms;
}

function textOf({ removed, kept, transactions, leftovers }: CleanUpReport, dry: boolean): string {
  const lines = [
    `${dry ? "Would remove" : "Removed"}: ${counted(removed.length, "run")}`,
    ...alignColumns(
      removed.map(({ id, reason }) => [id, reason]),
      "  ",
    ),
    ...(kept.length === 0
      ? []
      : [`Kept although a limit lets them go: ${counted(kept.length, "run")}`]),
    ...alignColumns(
      kept.map(({ id, reason }) => [id, reason]),
      "  ",
    ),
    ...(transactions.length === 0
      ? []
      : [`Old file contents of ${counted(transactions.length, "change")}, which no run needs`]),
    ...leftovers.map((path) => `Left over: ${path}`),
  ];
  return `${lines.join("\n")}\n`;
}
