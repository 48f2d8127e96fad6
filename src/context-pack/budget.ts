import type { ContextItem, ContextPack, PackSnippet } from "../contracts/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { profileTokens } from "./budget-profiles.ts";
import { present } from "./codec.ts";
import { renderPack } from "./render.ts";

/** Tokens a pack and the files in its prompt may take; `coder` where it does not say. */
export function budgetOf(pack: ContextPack): number {
  return pack.budget?.maxTokens ?? profileTokens[pack.budget?.profile ?? "coder"];
}

/** Estimated tokens of the canonical Markdown and of the file contents beside it. */
export function measurePack(pack: ContextPack, fileContents: readonly string[] = []): number {
  const files = fileContents.reduce((sum, content) => sum + estimateTokens(content), 0);
  return estimateTokens(renderPack(pack)) + files;
}

/** The ceiling itself is allowed. */
export function isOverBudget(tokens: number, maxTokens: number): boolean {
  return tokens > maxTokens;
}

/** A pack cut to a budget. */
export interface PrunedPack {
  readonly pack: ContextPack;
  /** One warning for every cut, in the order of cutting. */
  readonly cuts: readonly string[];
  /** Estimated tokens of the result, files included. */
  readonly tokens: number;
  /** What may never be cut is still too much. */
  readonly isOver: boolean;
}

interface Cut {
  readonly warning: string;
  readonly apply: (pack: Rows) => void;
}

/** The lists that may be cut; what is gone is `undefined`. */
interface Rows {
  readonly contextItems: (ContextItem | undefined)[];
  readonly snippets: (PackSnippet | undefined)[];
  readonly progress: (string | undefined)[];
  readonly decisions: (NonNullable<ContextPack["decisions"]>[number] | undefined)[];
  readonly files: ContextPack["relevantFiles"][number][];
}

/**
 * Cuts a pack to its budget in a fixed order: context items of lowest rank, longest snippets
 * (first to the lines they name, then whole), progress, decisions, reasons. Never the task,
 * goal, constraints, criteria, attempts, errors, commands or the list of files.
 * @param fileTokens estimated tokens of the file contents in the same prompt.
 */
export function prunePack(
  pack: ContextPack,
  { maxTokens = budgetOf(pack), fileTokens = 0 }: { maxTokens?: number; fileTokens?: number } = {},
): PrunedPack {
  const cuts = cutsOf(pack);
  const after = (count: number): { pack: ContextPack; tokens: number } => {
    const pruned = withCuts(pack, cuts.slice(0, count));
    return { pack: pruned, tokens: estimateTokens(renderPack(pruned)) + fileTokens };
  };
  // Fewest cuts that fit: every further cut makes the pack smaller, so the search may halve.
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isOverBudget(after(middle).tokens, maxTokens)) low = middle + 1;
    else high = middle;
  }
  const result = after(low);
  return {
    ...result,
    cuts: cuts.slice(0, low).map((cut) => cut.warning),
    isOver: isOverBudget(result.tokens, maxTokens),
  };
}

function withCuts(pack: ContextPack, cuts: readonly Cut[]): ContextPack {
  if (cuts.length === 0) return pack;
  const rows: Rows = {
    contextItems: [...(pack.contextItems ?? [])],
    snippets: [...(pack.relevantSnippets ?? [])],
    progress: [...(pack.progress ?? [])],
    decisions: [...(pack.decisions ?? [])],
    files: [...pack.relevantFiles],
  };
  for (const cut of cuts) cut.apply(rows);
  const { contextItems: _, relevantSnippets: __, progress: ___, decisions: ____, ...rest } = pack;
  return {
    ...rest,
    relevantFiles: rows.files,
    ...present("relevantSnippets", left(rows.snippets)),
    ...present("decisions", left(rows.decisions)),
    ...present("progress", left(rows.progress)),
    ...present("contextItems", left(rows.contextItems)),
  };
}

function left<T>(rows: readonly (T | undefined)[]): T[] {
  return rows.filter((row) => row !== undefined);
}

const authorityRanks: Readonly<Record<string, number>> = {
  policy: 3,
  instruction: 2,
  evidence: 1,
  hypothesis: 0,
};

/** All cuts in their fixed order. */
function cutsOf(pack: ContextPack): Cut[] {
  const rank = (item: ContextItem): number => authorityRanks[item.authority] ?? 0;
  const items = (pack.contextItems ?? [])
    .map((item, index) => ({ item, index }))
    .sort((a, b) => rank(a.item) - rank(b.item) || b.index - a.index);
  const snippets = (pack.relevantSnippets ?? [])
    .map((snippet, index) => ({ snippet, index, own: cutToLines(snippet) }))
    .sort((a, b) => b.snippet.content.length - a.snippet.content.length || a.index - b.index);
  return [
    ...items.map(({ item, index }) => ({
      warning: `context item ${item.id} left out`,
      apply: (rows: Rows) => void (rows.contextItems[index] = undefined),
    })),
    ...snippets.flatMap(({ snippet, index, own }) =>
      own === undefined
        ? []
        : [
            {
              warning: `snippet of ${snippet.path} cut to lines ${snippet.lines}`,
              apply: (rows: Rows) => void (rows.snippets[index] = own),
            },
          ],
    ),
    ...snippets.map(({ snippet, index }) => ({
      warning: `snippet of ${snippet.path}${snippet.lines === undefined ? "" : ` (lines ${snippet.lines})`} left out`,
      apply: (rows: Rows) => void (rows.snippets[index] = undefined),
    })),
    ...(pack.progress ?? []).map((text, index) => ({
      warning: `progress left out: ${startOf(text)}`,
      apply: (rows: Rows) => void (rows.progress[index] = undefined),
    })),
    ...(pack.decisions ?? []).map(({ choice }, index) => ({
      warning: `decision left out: ${startOf(choice)}`,
      apply: (rows: Rows) => void (rows.decisions[index] = undefined),
    })),
    ...pack.relevantFiles.flatMap(({ reason, ...file }, index) =>
      reason === undefined
        ? []
        : [
            {
              warning: `reason of ${file.path} left out`,
              apply: (rows: Rows) => void (rows.files[index] = file),
            },
          ],
    ),
  ];
}

/** Enough of a text to know it again; a warning is a text of a pack and ends without blanks. */
function startOf(text: string): string {
  return text.slice(0, 60).trimEnd();
}

/** The snippet with no more lines than it names; nothing where it has no more. */
function cutToLines(snippet: PackSnippet): PackSnippet | undefined {
  const [start, end] = (snippet.lines ?? "").split("-").map(Number);
  if (start === undefined || end === undefined) return undefined;
  const lines = snippet.content.split("\n");
  const content = lines.slice(0, end - start + 1).join("\n");
  const isShorter = lines.length > end - start + 1 && content !== "";
  return isShorter ? { ...snippet, content } : undefined;
}
