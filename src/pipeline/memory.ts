import type { ContextPack } from "../contracts/index.ts";
import { budgetOf, measurePack } from "../context-pack/index.ts";
import { additionsFor, type Memory, recallFor, relatedRuns } from "../memory/index.ts";

/** Of a pack's budget, at most this many tokens are of earlier runs. */
const PACK_SHARE_TOKENS = 1_500;
/** Of the tokens an item takes in a pack, its own text; the rest is dress. */
const ITEM_SHARE = 0.8;
/** Tokens of earlier runs in the scout's prompt. */
const SCOUT_TOKENS = 2_000;

/**
 * The pack with what earlier runs contribute, never over its budget; and what was added.
 * @param fileTokens of the contents of its files, which the budget holds as well
 */
export function withEarlierRuns(
  pack: ContextPack,
  memory: Memory | undefined,
  task: string,
  fileTokens: () => number = () => 0,
): { readonly pack: ContextPack; readonly added: readonly string[] } {
  if (memory === undefined || isEmpty(memory)) return { pack, added: [] };
  const before = measurePack(pack);
  const most = Math.min(budgetOf(pack) - fileTokens(), before + PACK_SHARE_TOKENS);
  if (most <= before) return { pack, added: [] };
  const budgetTokens = Math.floor((most - before) * ITEM_SHARE);
  const additions = additionsFor(memory, { role: "implementer", task, budgetTokens });
  // The arbiter counts items, the budget the whole text: what ranks last goes until that fits.
  for (let count = additions.length; count > 0; count -= 1) {
    const taken = additions.slice(0, count);
    const grown = taken.reduce((larger, { addTo }) => addTo(larger), pack);
    if (measurePack(grown) <= most)
      return { pack: grown, added: taken.map(({ id }) => `from an earlier run: ${id}`) };
  }
  return { pack, added: [] };
}

/** What the scout is told of earlier runs; undefined where none has to do with the task. */
export function earlierRunsFor(
  memory: Memory | undefined,
  task: string,
  isRed: boolean,
): string | undefined {
  if (memory === undefined || isEmpty(memory)) return undefined;
  const role = isRed || speaksOfFault.test(task) ? "repro" : "planner";
  const { arbitration } = recallFor(relatedRuns(memory, task), {
    role,
    task,
    budgetTokens: SCOUT_TOKENS,
  });
  if (!arbitration.ok || arbitration.selected.length === 0) return undefined;
  return arbitration.selected
    .map(({ kind, summary, observedAt, provenance }) => {
      const when = observedAt === undefined ? "" : ` on ${observedAt.slice(0, 10)}`;
      return `- [${kind}, ${provenance.sourceRef ?? provenance.sourceType}${when}] ${summary.replaceAll("\n", "\n  ")}`;
    })
    .join("\n");
}

/** Words by which people report a fault rather than wish for something new. */
const speaksOfFault =
  /\b(?:bugs?|crash\w*|broken|breaks?|wrong\w*|errors?|exceptions?|fail\w*|fix\w*|regress\w*|hangs?|leaks?|incorrect\w*|missing|throws?|should not|does ?n[o']t|instead of)\b/i;

function isEmpty({ runs, facts }: Memory): boolean {
  return runs.length === 0 && facts.length === 0;
}
