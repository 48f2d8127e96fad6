import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Receipt } from "../../src/runs/index.ts";
import { root } from "../bundle.ts";
import { type BenchRow, median } from "./row.ts";

const runs = 9;

/** Time of whole runs in which no child was alive: what kit itself adds to models and tests. */
export async function benchOwnTime(): Promise<readonly BenchRow[]> {
  const receipts = Array.from({ length: runs }, demo);
  const whole = median(receipts.map(({ totals }) => totals.durationMs));
  return [
    {
      name: "kit's own time in a run",
      value: median(receipts.map(({ totals }) => totals.kitOwnMs)),
      unit: "ms",
      limit: 150,
      beside: `of ${whole.toFixed(0)} ms in all, median of ${runs} runs of kit demo`,
    },
  ];
}

function demo(): Receipt {
  const kit = join(root, "bin", "kit.cjs");
  const printed = execFileSync(process.execPath, [kit, "demo", "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(printed) as Receipt;
}
