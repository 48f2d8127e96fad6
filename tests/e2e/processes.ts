import { readdirSync, readFileSync } from "node:fs";

/**
 * Ids of the living processes that were started on a machine of these tests: its private HOME
 * stands in their environment (Linux; elsewhere an empty list).
 */
function processesOf(home: string): number[] {
  const ids = entriesOf("/proc").filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => environmentOf(id).split("\0").includes(`HOME=${home}`)).map(Number);
}

/** Waits until no process of the machine lives, at most `withinMs`. Gives those that still do. */
export async function survivorsAfter(home: string, withinMs: number): Promise<number[]> {
  const until = Date.now() + withinMs;
  let living = processesOf(home);
  while (living.length > 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    living = processesOf(home);
  }
  return living;
}

function environmentOf(id: string): string {
  try {
    // A process that ended and was not waited for has an empty environment: it is no survivor.
    return readFileSync(`/proc/${id}/environ`, "latin1");
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
