import type { ContextPack } from "../contracts/index.ts";
import { budgetOf, measurePack } from "../context-pack/index.ts";
import { additionsFor, type Memory, recallFor, relatedRuns } from "../memory/index.ts";

/** Of a pack's budget, at most this many tokens are of earlier runs. */
const PACK_SHARE_TOKENS = 1_500;
/** Tokens of earlier runs in the scout's prompt. */
const SCOUT_TOKENS = 2_000;

/** The pack with what earlier runs contribute, never over its budget; and what was added. */
export function withEarlierRuns(
  pack: ContextPack,
  memory: Memory | undefined,
  task: string,
): { readonly pack: ContextPack; readonly added: readonly string[] } {
  if (memory === undefined || isEmpty(memory)) return { pack, added: [] };
  const before = measurePack(pack);
  const most = Math.min(budgetOf(pack), before + PACK_SHARE_TOKENS);
  const request = { role: "implementer", task, budgetTokens: most - before };
  let grown = pack;
  const added: string[] = [];
  for (const { id, addTo } of additionsFor(memory, request)) {
    const larger = addTo(grown);
    if (measurePack(larger) > most) continue;
    grown = larger;
    added.push(`from an earlier run: ${id}`);
  }
  return { pack: grown, added };
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
