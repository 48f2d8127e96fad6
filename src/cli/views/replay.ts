import type { Replayed } from "../../pipeline/index.ts";
import { counted, type Paint } from "./format.ts";
import { printable } from "./printable.ts";

/** A replay for people: a line for each part of the run, then what differs, then the verdict. */
export function replayLines(replayed: Replayed, paint: Paint): string[] {
  const { runId, recordedBy, replayedBy, checks, differences, damages, endsEarly } = replayed;
  const by =
    recordedBy === replayedBy
      ? `recorded and replayed by kit ${replayedBy}`
      : `recorded by kit ${recordedBy}, replayed by kit ${replayedBy}`;
  return [
    `run ${runId} · ${by}`,
    ...partLines(checks, paint),
    ...differences.flatMap((difference) => [
      paint("bad", `✗ ${difference.where}, ${difference.what}`),
      `  recorded: ${printable(difference.recorded ?? "nothing")}`,
      `  now:      ${printable(difference.now ?? "nothing")}`,
    ]),
    ...damages.map((damage) => paint("bad", `✗ not as kit wrote it: ${printable(damage)}`)),
    ...(endsEarly === undefined ? [] : [`  it goes no further: ${endsEarly}`]),
    lastLine(replayed, paint),
  ];
}

function partLines(checks: Replayed["checks"], paint: Paint): string[] {
  const parts = [...new Set(checks.map(({ where }) => where))];
  const width = Math.max(0, ...parts.map((part) => part.length));
  return parts.map((part) => {
    const of = checks.filter(({ where }) => where === part);
    const same = of.every((check) => check.same);
    const names = [...new Set(of.map(({ what }) => what))].join(", ");
    return `${same ? paint("good", "✓") : paint("bad", "✗")} ${part.padEnd(width)}  ${names}`;
  });
}

function lastLine({ same, damages, differences, checks }: Replayed, paint: Paint): string {
  if (same) return paint("good", `✓ Identical: ${counted(checks.length, "decision")}`);
  if (damages.length > 0) return paint("bad", "✗ The record was changed: nothing was compared");
  return paint("bad", `✗ ${counted(differences.length, "decision")} would differ`);
}
