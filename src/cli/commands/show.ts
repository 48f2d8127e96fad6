import { readRun, type RunRead } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { createPaint, type Paint } from "../views/format.ts";
import { printable, printableDeep } from "../views/printable.ts";
import { groundLines, resumedLines, tallyLines } from "../views/recorded-facts.ts";
import { createRunNarrator } from "../views/run-narrator.ts";
import { recordedRunLines } from "../views/run-summary.ts";
import { wrapLine } from "../views/wrap.ts";

/** Columns a line may have, also on a wider terminal and a narrower one. */
const [narrowest, widest] = [40, 80];

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { verbose?: boolean }>({
  define(command) {
    command.argument(
      "[id]",
      "an id, its start or its last four characters; the newest when absent",
    );
    addRepoOption(command).option("--verbose", "prompts, children and reports too");
  },
  examples: [
    ["kit show", "the newest run, told again from its records"],
    ["kit show k3f9 --json", "the receipt of a run"],
  ],
  async run({ repo, verbose }, { io, args: [id] }) {
    const { runsFolder } = await openHistory(repo, io);
    const run = await readRun(runsFolder, id === undefined ? id : String(id));
    const lines = runLines(run, createPaint(io.stdout.colour), verbose === true);
    const width = Math.max(narrowest, Math.min(io.stdout.columns, widest));
    return {
      exitCode: 0,
      document: { ...run.receipt },
      text: `${lines.flatMap((line) => wrapLine(line, width)).join("\n")}\n`,
    };
  },
});

function runLines(run: RunRead, paint: Paint, verbose: boolean): string[] {
  const tell = createRunNarrator(paint, verbose ? "verbose" : "normal");
  const told = run.events.flatMap((event) => tell(event).lines);
  const unread = run.damaged + run.newer;
  const warning = `! ${unread} lines of its log could not be read`;
  return [
    ...told,
    ...(unread === 0 ? [] : [paint("warning", warning)]),
    ...recordedRunLines(run.receipt, paint),
    ...tallyLines(printableDeep(run.receipt), paint),
    ...resumedLines(run.receipt),
    ...groundLines(run.receipt).map((line) => paint("quiet", printable(line))),
  ];
}
