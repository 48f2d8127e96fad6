import type { Block, Draft } from "./draft.ts";

/** What was read but cannot be judged before the whole reply was. */
export interface Doubts {
  /** Fences named only by a comment in them: files if the reply holds no other kind of block. */
  readonly weak: Block[];
  /** Fences under a sentence that speaks of a listed file, or that hold only its path. */
  readonly mentioned: { readonly path: string; readonly line: number }[];
}

/** Judges the doubts of a reply in which no hunk, diff or patch says how its author writes changes. */
export function settle(draft: Draft, doubts: Doubts): void {
  const { blocks, problems } = draft;
  if (blocks.some((block) => block.dress !== "fence")) return;
  const named = new Set<string>(blocks.map((block) => block.path));
  blocks.push(...doubts.weak.filter((block) => !named.has(block.path)));
  blocks.sort((a, b) => a.line - b.line);
  if (blocks.length === 0) return;
  // Writing some files and leaving out one that a sentence speaks of would be half a reply.
  const written = new Set<string>(blocks.map((block) => block.path));
  for (const { path, line } of doubts.mentioned) {
    if (written.has(path)) continue;
    const reason =
      "which file this fence holds is not clear; its path must stand alone on the line above";
    problems.push({ line, path, reason });
  }
}
