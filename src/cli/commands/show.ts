import { readRun, type Receipt, type RunRead } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { createPaint, type Paint } from "../views/format.ts";
import { printable } from "../views/printable.ts";
import { createRunNarrator } from "../views/run-narrator.ts";
import { recordedRunLines } from "../views/run-summary.ts";

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
    return {
      exitCode: 0,
      document: { ...run.receipt },
      text: `${lines.join("\n")}\n`,
    };
  },
});

/** Who could have been asked and who was left out, and what decided that; a fact a line. */
function groundLines({ ground }: Receipt): string[] {
  if (ground === undefined) return [];
  const { versions, routes, sources, tree } = ground;
  return [
    ...routes.flatMap(({ capability, candidates, skipped }) => [
      `  ${capability}: ${candidates.map(({ backend }) => backend).join(", ") || "nobody"}`,
      ...skipped.map(({ backend, reason }) => `    without ${backend}: ${reason}`),
    ]),
    ...sources
      .filter(({ layer }) => layer !== "shipped")
      .map(({ layer, file, hash }) => `  ${layer}: ${file} (${hash?.slice(0, 12) ?? "unread"})`),
    ...(tree === undefined
      ? []
      : [`  tree ${tree.head.slice(0, 12)}, as it stood ${tree.hash.slice(0, 12)}`]),
    `  kit ${versions.kit}, Node ${versions.node}, ${versions.platform}`,
  ];
}

function runLines(run: RunRead, paint: Paint, verbose: boolean): string[] {
  const tell = createRunNarrator(paint, verbose ? "verbose" : "normal");
  const told = run.events.flatMap((event) => tell(event).lines);
  const unread = run.damaged + run.newer;
  const warning = `! ${unread} lines of its log could not be read`;
  return [
    ...told,
    ...(unread === 0 ? [] : [paint("warning", warning)]),
    ...recordedRunLines(run.receipt, paint),
    ...groundLines(run.receipt).map((line) => paint("quiet", printable(line))),
  ];
}
