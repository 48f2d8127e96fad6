import { diskTree, openTransactions, parseReply, planChanges } from "../../../src/changes/index.ts";
import type { ApplyResult } from "../../../src/changes/index.ts";
import { parseRepoPath } from "../../../src/contracts/index.ts";
import { join } from "node:path";
import { replyScope, writeScope, type ScopeWish } from "../support/scope.ts";

/** A block with the whole contents of a file. */
export function fileBlock(path: string, content = "x\n"): string {
  return `=== FILE: ${path} ===\n${content}=== END ===\n`;
}

/** A coder's reply, read, planned against the disk and applied to the repository at `root`. */
export async function applyReply(
  root: string,
  reply: string,
  wish: ScopeWish,
): Promise<ApplyResult> {
  // A pack holds no path that is none; a test may wish for one to see that it stays out.
  const sound = (paths: readonly string[] = []): string[] =>
    paths.filter((path) => parseRepoPath(path).ok);
  const scope = replyScope({ ...wish, files: sound(wish.files), create: sound(wish.create), root });
  const parsed = parseReply(reply, scope);
  if (!parsed.ok) return parsed;
  const newPaths = new Set([...scope.paths].filter(([, is]) => is === "new").map(([path]) => path));
  const planned = await planChanges(parsed.changeSet, diskTree(root), writeScope({ newPaths }));
  if (!planned.ok) return planned;
  const transactions = openTransactions({ root, stateDir: join(root, ".git", "kit") });
  return transactions.apply(planned.plan);
}
