import { join } from "node:path";
import { acquireLock } from "../../lib/lock.ts";
import type { FileSystem } from "./file-system.ts";
import { makePrivateFolder } from "./journal.ts";
import { Obstacle } from "./obstacle.ts";

/** The working tree of a transaction, the folder of its records, and the disk both are on. */
export interface Site {
  readonly fs: FileSystem;
  /** Absolute, links resolved. */
  readonly root: string;
  readonly stateDir: string;
}

/**
 * Runs `effect` while no other process applies or restores in this tree.
 * @throws Obstacle `conflict`, at once, where one does.
 */
export async function alone<T>(
  { fs, stateDir }: Site,
  holder: string,
  effect: () => Promise<T>,
): Promise<T> {
  await makePrivateFolder(fs, stateDir, stateDir);
  const lock = await acquireLock(join(stateDir, "transactions.lock"), { holder });
  if ("heldBy" in lock) {
    const { pid } = lock.heldBy;
    const who = pid === undefined ? "Another kit" : `Another kit (process ${pid})`;
    const message = `${who} is changing files in this tree.`;
    throw new Obstacle({ kind: "conflict", message, paths: [] });
  }
  try {
    return await effect();
  } finally {
    await lock.release();
  }
}
