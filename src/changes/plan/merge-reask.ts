import type { BlockProblem, Change, Failure, RepoPath } from "../../contracts/index.ts";
import type { ChangeSet, EditHunk } from "../../contracts/index.ts";

export type MergeResult =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  | { readonly ok: false; readonly failure: Failure };

/**
 * The first reply with its failed blocks replaced by the second one's (rule 5); to be planned anew.
 * `failed` are the blocks of the first failure. The second reply may touch only their paths, any
 * path where a failed block names none, and repeat what it does not change. A failed block that
 * it does not answer stays, and fails again.
 */
export function mergeReask(
  first: ChangeSet,
  second: ChangeSet,
  failed: readonly Pick<BlockProblem, "path" | "line">[],
): MergeResult {
  const failedLines = Map.groupBy(failed, (block) => block.path);
  const isOpen = failedLines.has("");
  const merged = new Map(first.changes.map((change) => [change.path, change]));
  const strays: RepoPath[] = [];
  for (const change of second.changes) {
    const known = merged.get(change.path);
    const lines = failedLines.get(change.path) ?? (isOpen ? [] : undefined);
    if (known !== undefined && isSameChange(known, change)) continue;
    if (lines === undefined) strays.push(change.path);
    else
      merged.set(change.path, mergeChange(known, change, new Set(lines.map(({ line }) => line))));
  }
  if (strays.length > 0) {
    const message = `The second reply also touches ${strays.join(", ")}, which had not failed.`;
    return { ok: false, failure: { kind: "out_of_scope", message, paths: strays } };
  }
  const format = first.format === second.format ? first.format : "mixed";
  return { ok: true, changeSet: { changes: [...merged.values()], format } };
}

/** Only failed hunks are replaced; one that the second reply repeats by its search text, too. */
function mergeChange(
  known: Change | undefined,
  change: Change,
  failedLines: ReadonlySet<number>,
): Change {
  if (known?.kind !== "edit" || change.kind !== "edit") return change;
  const answered = new Set(change.hunks.map((hunk) => hunk.search));
  const isKept = (hunk: EditHunk): boolean =>
    !failedLines.has(hunk.line) && !answered.has(hunk.search);
  // The block's own line names all of its hunks.
  if (failedLines.has(known.line) && !known.hunks.some((hunk) => failedLines.has(hunk.line))) {
    return change;
  }
  const place = known.hunks.findIndex((hunk) => !isKept(hunk));
  const before = known.hunks.slice(0, place < 0 ? known.hunks.length : place).filter(isKept);
  const after = place < 0 ? [] : known.hunks.slice(place).filter(isKept);
  return { ...known, ...change, hunks: [...before, ...change.hunks, ...after] };
}

function isSameChange(a: Change, b: Change): boolean {
  const bare = (change: Change): unknown => {
    const hunks = change.kind === "edit" ? change.hunks.map((h) => [h.search, h.replace]) : [];
    return { ...change, line: 0, hunks };
  };
  return JSON.stringify(bare(a)) === JSON.stringify(bare(b));
}
