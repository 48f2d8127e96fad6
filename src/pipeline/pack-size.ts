import type { ContextPack } from "../contracts/index.ts";
import { budgetOf, measurePack, prunePack } from "../context-pack/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { readPackFiles } from "../survey/index.ts";

/** Estimated tokens of the contents that stand beside a pack in the coder's prompt. */
export function contentTokens(root: string, pack: ContextPack): number {
  const existing = pack.relevantFiles.filter(({ create }) => !create).map(({ path }) => path);
  const { files } = readPackFiles(root, existing);
  return files.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** Tokens of a pack with the contents of its files: what its budget is held against. */
export function sizeWithFiles(root: string, pack: ContextPack): number {
  return measurePack(pack) + contentTokens(root, pack);
}

/** A pack cut to its budget, with a line for every cut. */
export interface SizedPack {
  readonly pack: ContextPack;
  readonly report: readonly string[];
}

/**
 * Prunes a pack until it and the contents of its files are within its budget. Where what may
 * never be cut is too much already, no cut would help: then the text of the pack alone is held
 * against the budget, excerpts of files that are shown whole go, and the report says so.
 */
export function fitToBudget(root: string, pack: ContextPack): SizedPack {
  const fileTokens = contentTokens(root, pack);
  const whole = prunePack(pack, { fileTokens });
  if (!whole.isOver) return { pack: whole.pack, report: whole.cuts };
  const { pack: bare, dropped } = withoutShownExcerpts(pack);
  const own = prunePack(bare);
  const count = bare.relevantFiles.length;
  return {
    pack: own.pack,
    report: [
      ...dropped.map((path) => `snippet of ${path} left out: the file is shown whole`),
      ...own.cuts,
      `about ${measurePack(own.pack) + fileTokens} tokens with the contents of ${count} file(s), over the budget of ${budgetOf(pack)}: files are never cut`,
    ],
  };
}

function withoutShownExcerpts(pack: ContextPack): {
  readonly pack: ContextPack;
  readonly dropped: readonly string[];
} {
  const shown = new Set(pack.relevantFiles.map(({ path }) => path));
  const { relevantSnippets = [], ...rest } = pack;
  const kept = relevantSnippets.filter(({ path }) => !shown.has(path));
  const dropped = relevantSnippets.filter(({ path }) => shown.has(path)).map(({ path }) => path);
  return { pack: kept.length > 0 ? { ...rest, relevantSnippets: kept } : rest, dropped };
}
