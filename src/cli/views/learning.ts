import type { SuggestedOrder } from "../../routing/index.ts";
import { priorStrength, scoreOf } from "../../routing/index.ts";
import type { RecordedRuns } from "../learning.ts";
import { alignColumns, counted, formatCost } from "./format.ts";

/** `78` for 0.777. */
export function percent(share: number): string {
  return String(Math.round(share * 100));
}

/** One line for each run that could not be read. */
export function unreadableLines(unreadable: RecordedRuns["unreadable"]): string[] {
  return unreadable.map(({ name, reason }) => `not read: ${name}: ${reason}`);
}

/** The suggested order with its arithmetic, a line a candidate. */
export function suggestionLines(order: SuggestedOrder): string[] {
  const { beliefs, candidates, unit, configured, suggested, explores, runs } = order;
  if (candidates.length === 0) return [];
  const amount = (value: number): string =>
    unit === "usd" ? formatCost(value, 0) : `${value.toFixed(2)} attempts`;
  const rows = candidates.flatMap((candidate, index) => {
    const belief = beliefs.find((one) => one.candidate === candidate);
    if (belief === undefined) return [];
    const { prior, judged, green, rate, costUsd, costFrom } = belief;
    const cost =
      costUsd === undefined
        ? "cost unknown"
        : `${formatCost(costUsd, 0)} (${costFrom?.kind === "recorded" ? counted(costFrom.attempts, "attempt") : "by its price"})`;
    return [
      [
        `${index + 1}.`,
        candidate.backend,
        `(${priorStrength} × ${prior.toFixed(2)} + ${green}) / (${priorStrength} + ${judged}) = ${rate.toFixed(2)} green`,
        cost,
        `→ ${amount(scoreOf(belief, unit))} a green`,
      ],
    ];
  });
  const exploring = explores === undefined ? "" : `; this run explores ${explores}`;
  return [
    `  suggested, from ${counted(runs, "run")}${exploring}`,
    ...alignColumns(rows, "    "),
    `    expected until green: ${amount(suggested)}, as configured ${amount(configured)}`,
    ...(unit === "attempts" ? ["    a cost is unknown, so attempts are counted instead"] : []),
  ];
}

/** The same for `--json`. */
export function suggestionDocument(order: SuggestedOrder): Record<string, unknown> {
  const { beliefs, candidates, unit, configured, suggested, explores, runs } = order;
  return {
    runs,
    unit,
    order: candidates.map(({ backend }) => backend),
    configured,
    suggested,
    ...(explores !== undefined && { explores }),
    beliefs: beliefs.map((belief) => ({
      backend: belief.candidate.backend,
      prior: belief.prior,
      judged: belief.judged,
      green: belief.green,
      rate: belief.rate,
      ...(belief.costUsd !== undefined && { costUsd: belief.costUsd }),
      ...(belief.costFrom && { costFrom: belief.costFrom }),
      score: scoreOf(belief, unit),
    })),
  };
}
