import type { ContextItem, ContextPack } from "../contracts/index.ts";
import { type Arbitration, type ContextRequest, selectContext } from "./arbiter.ts";
import { authorityOf, authorityRanks, type MemoryItem } from "./item.ts";
import { type Memory, poolOf, type Pool, relatedRuns } from "./pool.ts";

/** One more entry of a pack, from one item. */
export interface PackAddition {
  readonly id: string;
  readonly addTo: (pack: ContextPack) => ContextPack;
}

/** What a role is given of all that is known. @returns `undefined` where nothing is known. */
export function recallFor(
  memory: Memory,
  request: Omit<ContextRequest, "project">,
): { readonly pool: Pool; readonly arbitration: Arbitration } {
  const pool = poolOf(memory, request.role);
  const { contradictionIds } = pool;
  const { project } = memory;
  return {
    pool,
    arbitration: selectContext({ ...request, project }, pool.items, { contradictionIds }),
  };
}

/**
 * What earlier runs add to a pack, in the order of rank: instructions are rules of the repository,
 * failed attempts errors, failed runs previous attempts, everything else context items. Only runs
 * whose task has to do with this one take part.
 */
export function additionsFor(
  memory: Memory,
  request: Omit<ContextRequest, "project">,
): readonly PackAddition[] {
  const { pool, arbitration } = recallFor(relatedRuns(memory, request.task), request);
  if (!arbitration.ok) return [];
  const byId = new Map(pool.items.map((item) => [item.id, item]));
  return arbitration.selected.map((item) => ({
    id: item.id,
    addTo: (pack) => added(pack, item, authorityOf(item, byId), pool.errorIds.has(item.id)),
  }));
}

function added(
  pack: ContextPack,
  item: MemoryItem,
  authority: MemoryItem["authority"],
  isError: boolean,
): ContextPack {
  const source = item.provenance.sourceRef ?? item.provenance.sourceType;
  if (authorityRanks[authority] >= authorityRanks.instruction) {
    return { ...pack, repoRules: [...(pack.repoRules ?? []), `${item.summary} (${source})`] };
  }
  if (isError) {
    const error = `As of an earlier run (${source}):\n${item.summary}`;
    return { ...pack, observedErrors: [...(pack.observedErrors ?? []), error] };
  }
  if (item.kind === "episode" && item.confidence !== "verified") {
    const attempt = { summary: `as of an earlier run (${source}): ${item.summary}` };
    return { ...pack, previousAttempts: [...(pack.previousAttempts ?? []), attempt] };
  }
  const { id, kind, summary } = item;
  const entry: ContextItem = { id, kind, authority, summary, source };
  return { ...pack, version: 2, contextItems: [...(pack.contextItems ?? []), entry] };
}
