import type { ChangePlan, FileOperation, RepoPath } from "../../contracts/index.ts";
import { decodeUtf8, sha256 } from "../../lib/text.ts";

/** One file of a diff, with both sides; a side that does not exist is absent. */
export interface FileSides {
  readonly operation: FileOperation;
  readonly from?: { readonly path: RepoPath; readonly bytes: Uint8Array };
  readonly to?: { readonly path: RepoPath; readonly bytes: Uint8Array };
}

/** Pairs of deleted and created files are compared up to this number. */
const maxPairs = 2_500;
/** Share of lines that two files must have in common to count as one that moved. */
const minSimilarity = 0.5;

/** The files of a plan with both sides; a deletion and a creation of like contents become a move. */
export function sidesOf(
  plan: ChangePlan,
  before: ReadonlyMap<RepoPath, Uint8Array>,
): readonly FileSides[] {
  const sides = plan.operations.map((operation) => sidesOfOperation(operation, before));
  const deleted = sides.filter((side) => side.operation.kind === "delete");
  const created = sides.filter((side) => side.operation.kind === "create");
  if (deleted.length === 0 || deleted.length * created.length > maxPairs) return sides;
  const moves = new Map<FileSides, FileSides>();
  for (const target of created) {
    const best = mostAlike(
      target,
      deleted.filter((source) => ![...moves.values()].includes(source)),
    );
    if (best !== undefined) moves.set(target, best);
  }
  const sources = new Set(moves.values());
  return sides.flatMap((side) => {
    if (sources.has(side)) return [];
    const source = moves.get(side);
    return source?.from === undefined ? side : { ...side, from: source.from };
  });
}

function sidesOfOperation(
  operation: FileOperation,
  before: ReadonlyMap<RepoPath, Uint8Array>,
): FileSides {
  const { path } = operation;
  if (operation.kind === "create") return { operation, to: { path, bytes: operation.after } };
  const from = { path, bytes: before.get(path) ?? new Uint8Array() };
  if (operation.kind === "delete") return { operation, from };
  const target = operation.kind === "rename" ? operation.to : path;
  return { operation, from, to: { path: target, bytes: operation.after } };
}

function mostAlike(target: FileSides, sources: readonly FileSides[]): FileSides | undefined {
  let best: FileSides | undefined;
  let bestScore = minSimilarity;
  for (const source of sources) {
    const score = similarity(source.from?.bytes, target.to?.bytes);
    if (score >= bestScore && (best === undefined || score > bestScore)) {
      best = source;
      bestScore = score;
    }
  }
  return best;
}

/** Lines in common over lines in all, 0 to 1; files that are no text are alike only when equal. */
function similarity(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return 0;
  if (sha256(a) === sha256(b)) return 1;
  const [left, right] = [decodeUtf8(a), decodeUtf8(b)];
  if (left === undefined || right === undefined) return 0;
  const counts = new Map<string, number>();
  const leftLines = left.split("\n");
  const rightLines = right.split("\n");
  for (const line of leftLines) counts.set(line, (counts.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of rightLines) {
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    shared += 1;
    counts.set(line, count - 1);
  }
  return (2 * shared) / (leftLines.length + rightLines.length);
}
