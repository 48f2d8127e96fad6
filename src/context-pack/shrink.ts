import type { ContextPack } from "../contracts/index.ts";
import { budgetOf, isOverBudget, prunePack } from "./budget.ts";
import { withComputedFields } from "./completeness.ts";

/** A pack that was shrunk, with the fields that kit computes. */
export interface ShrunkPack {
  readonly pack: ContextPack;
  readonly cuts: readonly string[];
  readonly tokens: number;
  /** What may never be cut is still too much. */
  readonly isOver: boolean;
}

/**
 * Prunes a pack to its budget and writes completeness, warnings and the estimate into it. Those
 * take room as well: where a warning for every cut is too much, one speaks for all.
 */
export function shrinkPack(pack: ContextPack): ShrunkPack {
  const budget = budgetOf(pack);
  const told = (rest: ContextPack, warnings: readonly string[]): ShrunkPack["pack"] =>
    withComputedFields(rest, { warnings });
  const inShort = (cuts: readonly string[]): readonly string[] =>
    cuts.length === 0 ? [] : [`${cuts.length} part(s) left out to fit ${budget} tokens`];
  let maxTokens = budget;
  for (;;) {
    const { pack: rest, cuts, isOver: isAllCut } = prunePack(pack, { maxTokens });
    const attempts = [
      told(rest, cuts),
      told(rest, inShort(cuts)),
      ...(isAllCut ? [told(rest, [])] : []),
    ];
    const fitting = attempts.find(({ tokenEstimate = 0 }) => !isOverBudget(tokenEstimate, budget));
    const shrunk = fitting ?? told(rest, inShort(cuts));
    const { tokenEstimate: tokens = 0 } = shrunk;
    const isOver = fitting === undefined;
    if (!isOver || isAllCut) return { pack: shrunk, cuts, tokens, isOver };
    maxTokens -= tokens - budget;
  }
}
