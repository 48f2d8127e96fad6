import type { Failure } from "../../../src/contracts/index.ts";
import {
  memoryTree,
  parseReply,
  planChanges,
  type WriteScope,
} from "../../../src/changes/index.ts";
import { repoPath } from "../../../src/contracts/index.ts";
import { replyScope, writeScope, type ScopeWish } from "./scope.ts";
import { treeAfter } from "./tree-after.ts";

/** What a reply came to: the tree it leaves, or the failure. */
export type Outcome =
  | { readonly ok: true; readonly tree: Record<string, string> }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Reads a reply and holds it against a tree of texts. All files of the tree are in the pack
 * unless `wish.files` says otherwise.
 */
export async function outcomeOf(
  reply: string,
  tree: Readonly<Record<string, string>>,
  wish: ScopeWish = {},
  write: Partial<WriteScope> = {},
): Promise<Outcome> {
  const parsed = parseReply(reply, replyScope({ files: Object.keys(tree), ...wish }));
  if (!parsed.ok) return parsed;
  const newPaths = new Set((wish.create ?? []).map((path) => repoPath(path)));
  const scope = writeScope({ newPaths, ...write });
  const planned = await planChanges(parsed.changeSet, memoryTree(tree), scope);
  return planned.ok ? { ok: true, tree: treeAfter(tree, planned.plan) } : planned;
}

/** The tree a reply leaves, or the kind of its failure. */
export async function resultOf(
  ...call: Parameters<typeof outcomeOf>
): Promise<Record<string, string> | string> {
  const outcome = await outcomeOf(...call);
  return outcome.ok ? outcome.tree : outcome.failure.kind;
}
