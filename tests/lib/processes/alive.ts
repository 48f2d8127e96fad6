import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { processTable } from "../../../src/lib/processes/table.ts";

/** Those of the processes that are alive; zombies are not. */
export async function alive(pids: readonly number[]): Promise<readonly number[]> {
  const table = await processTable();
  return pids.filter((pid) => table.some((entry) => entry.pid === pid));
}

/** Waits until a condition holds; throws after `limitMs`. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  limitMs = 5000,
): Promise<void> {
  const endAt = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > endAt) throw new Error(`not true within ${limitMs} ms`);
    await delay(10);
  }
}

/** Numbers that programs under test appended to a file, one a line. */
export function pidsIn(file: string): readonly number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
}
