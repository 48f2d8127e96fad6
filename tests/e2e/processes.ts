import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/**
 * Ids of the living processes that were started on a machine of these tests: its private HOME
 * stands in their environment (Linux; elsewhere an empty list). `program` is a part of the command.
 */
export function processesOf(home: string, program = ""): number[] {
  const ids = entriesOf("/proc").filter((name) => /^\d+$/.test(name));
  return ids
    .filter((id) => partOf(id, "environ").split("\0").includes(`HOME=${home}`))
    .filter((id) => partOf(id, "cmdline").includes(program))
    .map(Number);
}

/** Waits until no process of the machine lives, at most `withinMs`. Gives those that still do. */
export async function survivorsAfter(home: string, withinMs: number): Promise<number[]> {
  const until = Date.now() + withinMs;
  let living = processesOf(home);
  while (living.length > 0 && Date.now() < until) {
    await setTimeout(20);
    living = processesOf(home);
  }
  return living;
}

/**
 * Watches a process until it is over and gives the most memory it held, in MB; 0 where the system
 * does not say (other than Linux).
 */
export async function peakMemoryOf(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(partOf(`${child.pid}`, "status")) ?? [];
    peak = Math.max(peak, Number(kilobytes ?? 0) / 1024);
    await setTimeout(20);
  }
  return peak;
}

function partOf(id: string, part: "environ" | "cmdline" | "status"): string {
  try {
    // A process that ended and was not waited for has an empty environment: it is no survivor.
    return readFileSync(`/proc/${id}/${part}`, "latin1");
  } catch {
    return "";
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
