import { statsOf } from "../routing/index.ts";
import { type ModelOverTime, type Overview, type RunInOverview } from "../report/index.ts";
import { listRuns } from "../runs/index.ts";
import { learnedFrom } from "./learning.ts";
import { modelText } from "./views/route-document.ts";

const dayMs = 86_400_000;
/** Longer histories are shown by week. */
const mostDays = 21;
const mostStretches = 104;

/** Everything `kit report --all` shows. @param runsFolder absolute `.kit/runs`; need not exist */
export async function overviewOf(
  runsFolder: string,
  root: string,
  kitVersion: string,
): Promise<Overview> {
  const listed = await listRuns(runsFolder);
  const runs = listed.flatMap((run): RunInOverview[] => {
    if ("unreadable" in run) return [];
    const { runId, startedAt, outcome, task, attempts, totals } = run.receipt;
    const { durationMs, costUsd, costUnknown } = totals;
    const told = { runId, startedAt, outcome, task, attempts: attempts.length };
    return [{ ...told, durationMs, costUnknown, ...(costUsd !== undefined && { costUsd }) }];
  });
  const scale = scaleOf(runs.map(({ runId }) => timeOf(runId)));
  const { attempts } = learnedFrom(listed);
  const groups = scale.stretches.map((_, index) =>
    statsOf(attempts.filter(({ runId }) => scale.at(timeOf(runId)) === index)),
  );
  const models = statsOf(attempts).map((row): ModelOverTime => {
    const isSame = (other: typeof row): boolean =>
      other.step === row.step &&
      other.capability === row.capability &&
      other.editFormat === row.editFormat &&
      modelText(other.model) === modelText(row.model);
    const format = row.editFormat === undefined ? "" : `, ${row.editFormat} edits`;
    return {
      capability: row.capability,
      model: `${modelText(row.model)}${format}`,
      whole: row,
      over: groups.map((rows) => rows.find(isSame)),
    };
  });
  return {
    kitVersion,
    root,
    runs,
    stretches: scale.stretches,
    unit: scale.unit,
    stretchOf: ({ runId }) => scale.at(timeOf(runId)),
    models,
    unreadable: listed.length - runs.length,
  };
}

/** The time in a run's id, `20261130-191430-k3f9`, in milliseconds: every receipt has one. */
function timeOf(runId: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)-/.exec(runId);
  return parts ? Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) : 0;
}

/** Days or weeks from the first to the last; of a very long history the last two years. */
function scaleOf(times: readonly number[]): Pick<Overview, "stretches" | "unit"> & {
  readonly at: (time: number) => number;
} {
  const sorted = times.toSorted((one, other) => one - other);
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? 0;
  const isWeekly = last - first > mostDays * dayMs;
  const size = isWeekly ? 7 * dayMs : dayMs;
  // 1970-01-01 was a Thursday; weeks begin on Mondays.
  const offset = isWeekly ? 4 * dayMs : 0;
  const indexOf = (time: number): number => Math.floor((time - offset) / size);
  const from = Math.max(indexOf(first), indexOf(last) - mostStretches + 1);
  const count = times.length === 0 ? 0 : indexOf(last) - from + 1;
  const nameOf = (index: number): string =>
    new Date((from + index) * size + offset).toISOString().slice(0, 10);
  return {
    unit: isWeekly ? "week" : "day",
    stretches: Array.from({ length: count }, (_, index) => nameOf(index)),
    at: (time) => indexOf(time) - from,
  };
}
