import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../files.ts";

/** Names one process for good: process ids are given again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the kernel started it, in its own ticks; empty where that cannot be read. */
  readonly started: string;
  readonly host: string;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid), host: hostname() };
}

/** False only where it is known to be gone: a process of another machine may be alive. */
export function mayBeAlive({ pid, started, host }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const now = startOf(pid);
  return now === "" || started === "" || now === started;
}

/** `zombie` for one that has ended and waits for its parent. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name before the fields may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
    return fields[0] === "Z" ? "zombie" : (fields[19] ?? "");
  } catch {
    return "";
  }
}
