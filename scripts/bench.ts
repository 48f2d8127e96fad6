import { benchAdapter } from "./bench/adapter.ts";
import { benchHistory } from "./bench/history.ts";
import { benchLedger } from "./bench/ledger.ts";
import { benchMemory } from "./bench/memory.ts";
import { benchOwnTime } from "./bench/own-time.ts";
import { benchParse, benchPlan } from "./bench/reply.ts";
import type { Bench, BenchRow } from "./bench/row.ts";
import { benchStartUp } from "./bench/start-up.ts";
import { benchSurvey } from "./bench/survey.ts";
import { benchTestCommands } from "./bench/test-commands.ts";
import { benchCompare, benchGate, benchReports } from "./bench/test-report.ts";
import { benchTransaction } from "./bench/transaction.ts";

// Measures what the project promises, everything in one run on one machine: `npm run bench`.
// Exits 1 on a missed limit with `--check` alone: a busy machine is no fault of a change.

/**
 * In this order: a disk that lets bursts through is slower for a while after one, so what writes
 * thousands of files comes after what waits for the disk a few times.
 */
const benches: readonly Bench[] = [
  benchOwnTime,
  benchStartUp,
  benchAdapter,
  benchParse,
  benchPlan,
  benchCompare,
  benchReports,
  benchGate,
  benchTestCommands,
  benchLedger,
  benchMemory,
  benchHistory,
  benchSurvey,
  benchTransaction,
];

const rows: BenchRow[] = [];
for (const bench of benches) rows.push(...(await bench()));

const figures = rows.map(({ name, value, unit, limit, beside = "" }) => {
  const mark = value <= limit ? "ok" : "MISSED";
  return [mark, name, `${value.toFixed(1)} ${unit}`, `≤ ${limit} ${unit}`, beside];
});
const widths = [0, 1, 2, 3].map((column) =>
  Math.max(...figures.map((row) => (row[column] ?? "").length)),
);
for (const row of figures) {
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
if (process.argv.includes("--check") && rows.some(({ value, limit }) => value > limit)) {
  process.exitCode = 1;
}
