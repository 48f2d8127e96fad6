import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Which state of a run's files something was read from. */
export interface Stamp {
  readonly stamp: string;
  /** The receipt is there, and nothing was written into the log since. */
  readonly ended: boolean;
}

/**
 * Looks at the files of a run. In place rather than in libuv's threads: a list looks at hundreds.
 * @param folder absolute, of one run
 */
export function stampOf(folder: string): Stamp {
  const receipt = lstatSync(join(folder, "receipt.json"), { throwIfNoEntry: false });
  const log = lstatSync(join(folder, "events.jsonl"), { throwIfNoEntry: false });
  const parts = [receipt, log].map((stat) =>
    stat === undefined ? "-" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`,
  );
  return {
    stamp: parts.join(" "),
    ended: receipt !== undefined && receipt.mtimeMs >= (log?.mtimeMs ?? 0),
  };
}
