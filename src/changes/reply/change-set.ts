import type { Change, EditHunk, RepoPath } from "../../contracts/index.ts";
import type { Block, Draft } from "./draft.ts";

/**
 * One change per file, in the order of the reply. Repeats are dropped, blocks that contradict each
 * other become problems of the draft.
 */
export function changesOf(draft: Draft): { changes: readonly Change[]; format: string } {
  const groups = Map.groupBy(draft.blocks, (block) => block.path);
  const changes: Change[] = [];
  for (const [path, blocks] of groups) {
    const change = mergeBlocks(path, blocks);
    if (change !== undefined) {
      changes.push(change);
      continue;
    }
    const lines = blocks.map((block) => block.line);
    const reason = `the blocks of this file contradict each other (lines ${lines.join(", ")})`;
    draft.problems.push({ line: lines.at(-1) ?? 0, path, reason });
  }
  const [dress, ...others] = new Set(draft.blocks.map((block) => block.dress));
  return { changes, format: others.length === 0 && dress !== undefined ? dress : "mixed" };
}

type EditBlock = Extract<Block, { kind: "edit" }>;
type RenameBlock = Extract<Block, { kind: "rename" }>;

/** The blocks of one file as one change; undefined when they contradict each other. */
function mergeBlocks(path: RepoPath, blocks: readonly Block[]): Change | undefined {
  const [first] = blocks;
  if (first === undefined) return undefined;
  const { line } = first;
  const kinds = new Set(blocks.map((block) => block.kind));
  if (kinds.has("edit") && !kinds.has("write") && !kinds.has("delete")) {
    return mergeEdits(path, line, blocks as readonly (EditBlock | RenameBlock)[]);
  }
  if (kinds.size > 1) return undefined;
  const isSame = (block: Block): boolean =>
    (block.kind === "write" && first.kind === "write" && block.content === first.content) ||
    (block.kind === "rename" && first.kind === "rename" && block.to === first.to) ||
    block.kind === "delete";
  if (!blocks.every(isSame)) return undefined;
  if (first.kind === "write") {
    const change = { kind: "write", path, content: first.content, line } as const;
    return first.isNamedByFirstLine === true ? { ...change, isNamedByFirstLine: true } : change;
  }
  if (first.kind === "rename") return { kind: "rename", path, to: first.to, line };
  return { kind: "delete", path, line };
}

function mergeEdits(
  path: RepoPath,
  line: number,
  blocks: readonly (EditBlock | RenameBlock)[],
): Change | undefined {
  const targets = new Set(
    blocks.flatMap((block) => (block.kind === "rename" ? block.to : (block.renameTo ?? []))),
  );
  if (targets.size > 1) return undefined;
  const hunks = blocks.flatMap((block) => (block.kind === "edit" ? block.hunks : []));
  const change = { kind: "edit", path, hunks: withoutRepeats(hunks), line } as const;
  const [renameTo] = targets;
  return renameTo === undefined ? change : { ...change, renameTo };
}

/** A hunk said twice is meant once: models repeat whole replies, and its search fits only once. */
function withoutRepeats(hunks: readonly EditHunk[]): readonly EditHunk[] {
  const seen = new Set<string>();
  return hunks.filter((hunk) => {
    const key = `${hunk.search.length}:${hunk.search}${hunk.replace}`;
    return !seen.has(key) && seen.add(key);
  });
}
