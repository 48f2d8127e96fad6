import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, BenchRow } from "./bench/row.ts";

// Measures what the project promises, everything in one run on one machine: `npm run bench`.
// Exits 1 on a missed limit with `--check` alone: a busy machine is no fault of a change.

const folder = join(import.meta.dirname, "bench");
const rows: BenchRow[] = [];

for (const name of readdirSync(folder).toSorted()) {
  const benches = Object.entries((await import(join(folder, name))) as Record<string, unknown>);
  for (const [, bench] of benches.filter(([exported]) => exported.startsWith("bench"))) {
    rows.push(...(await (bench as Bench)()));
  }
}

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
