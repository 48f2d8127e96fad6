import { spawnSync } from "node:child_process";

/** One measured figure and the most it may be. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "×";
  readonly limit: number;
  /** What it was measured beside, for people. */
  readonly beside?: string;
}

/** Measures one thing that is promised; `npm run bench` calls all of them. */
export type Bench = () => Promise<readonly BenchRow[]>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = low] = sorted.slice(middle - 1 + (sorted.length % 2), middle + 1);
  return (low + high) / 2;
}

/** Milliseconds of a whole process, from start to end. @throws Error when it does not end with 0 */
export function timeProcess(args: readonly string[], cwd: string, env = process.env): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" });
  const took = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return took;
}
