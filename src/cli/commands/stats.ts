import { type StatsRow, statsOf } from "../../routing/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { recordedRuns } from "../learning.ts";
import { addRepoOption } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { alignColumns, counted, formatCost, formatCount, formatDuration } from "../views/format.ts";
import { modelText } from "../views/route-document.ts";
import { percent, unreadableLines } from "../views/learning.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo">>({
  define(command) {
    addRepoOption(command.argument("[capability]", "this capability alone"));
  },
  examples: [
    ["kit stats", "what each model did in this repository's runs, and what it cost"],
    ["kit stats strong-code", "the same for one capability"],
  ],
  async run({ repo }, { io, args: [capability] }) {
    const { runsFolder } = await openHistory(repo, io);
    const { attempts, runs, unreadable } = await recordedRuns(runsFolder);
    const rows = statsOf(attempts).filter(
      (row) => capability === undefined || row.capability === capability,
    );
    const text =
      rows.length === 0
        ? [
            `No attempts${capability === undefined ? "" : ` for ${String(capability)}`} yet. Start a run: kit run --task "…"`,
          ]
        : [
            `${counted(runs, "run")}, green shares with their 95 % intervals`,
            "",
            ...rows.flatMap(rowLines),
          ];
    return {
      exitCode: 0,
      document: { runs, rows, unreadable },
      text: `${[...text, ...unreadableLines(unreadable)].join("\n").trimEnd()}\n`,
    };
  },
});

function rowLines(row: StatsRow): string[] {
  const format = row.editFormat === undefined ? "" : `, ${row.editFormat} edits`;
  const perGreen =
    row.costPerGreenUsd === undefined ? "" : `, ${formatCost(row.costPerGreenUsd, 0)} a green`;
  const cost = `${formatCost(row.costUsd, row.costUnknown)}${perGreen}`;
  const counted = row.attempts - row.tokensUnknown;
  const failures = row.failures.map(({ kind, count }) => `${kind} ${count}`);
  return [
    `${row.capability}: ${modelText(row.model)}${format}`,
    ...alignColumns(
      [
        ["green", shareText(row)],
        ["cost", cost],
        [
          "tokens",
          counted === 0
            ? "unknown"
            : `${formatCount(row.inputTokens)} → ${formatCount(row.outputTokens)}`,
        ],
        [
          "time",
          `${formatDuration(row.medianMs)} median, ${formatDuration(row.p90Ms)} for nine in ten`,
        ],
        ...(failures.length > 0 ? [["failures", failures.join(", ")]] : []),
      ],
      "  ",
    ),
    "",
  ];
}

/** `7 of 9 (78 %, 45–94 %); 2 more attempts were not its doing` */
function shareText({ green, judged, attempts, share }: StatsRow): string {
  const others = attempts - judged;
  const rest = others === 0 ? "" : `; ${counted(others, "attempt")} ended by others' doing`;
  if (share === undefined) return `nothing to judge${rest}`;
  const interval = `${percent(share.low)}–${percent(share.high)} %`;
  return `${green} of ${judged} (${percent(share.rate)} %, ${interval})${rest}`;
}
