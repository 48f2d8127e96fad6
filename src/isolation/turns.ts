import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Git } from "../lib/git.ts";
import { acquireLock } from "../lib/lock.ts";

const pauseMs = 20;
/** Adding one takes some 50 ms; whoever holds on for so long is stuck, and git may refuse. */
const longestMs = 60_000;

/**
 * Lets one kit at a time add or prune worktrees of a repository. git reads the entries of all of them for either,
 * and fails on one that another git is just making: `fatal: failed to read
 * .git/worktrees/…/commondir: Success` (git 2.39, 8 at once); a prune may even take it away.
 */
export async function inTurn<T>(git: Git, effect: () => Promise<T>): Promise<T> {
  const common = await git.run(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const file = join(common.toString("utf8").trim(), "kit", "worktrees.lock");
  const until = performance.now() + longestMs;
  for (;;) {
    const lock = await acquireLock(file, { holder: "worktrees" });
    if ("heldBy" in lock && performance.now() < until) {
      await delay(pauseMs);
      continue;
    }
    try {
      return await effect();
    } finally {
      if (!("heldBy" in lock)) await lock.release();
    }
  }
}
