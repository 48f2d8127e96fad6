import type { MemoryItem, SourceType } from "./item.ts";
import { compareCodeUnits } from "./order.ts";

/** Where an item comes from. Holds no summaries but the item's own. */
export interface Explanation {
  readonly item?: MemoryItem;
  /** Ids of all ancestors, sorted; those that are not in the pool too. */
  readonly lineage: readonly string[];
  readonly evidenceRefs: readonly string[];
  /** Of the item and its known ancestors. */
  readonly sources: readonly {
    readonly id: string;
    readonly sourceType: SourceType;
    readonly sourceRef?: string;
  }[];
}

/** Explains one item of a pool; an unknown id has nothing to explain. An item is not its own ancestor. */
export function explainItem(id: string, pool: readonly MemoryItem[]): Explanation {
  const byId = new Map(pool.map((item) => [item.id, item]));
  const item = byId.get(id);
  if (item === undefined) return { lineage: [], evidenceRefs: [], sources: [] };
  const ancestors = new Set<string>();
  const open = [...(item.provenance.derivedFrom ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id || ancestors.has(next)) continue;
    ancestors.add(next);
    open.push(...(byId.get(next)?.provenance.derivedFrom ?? []));
  }
  const lineage = [...ancestors].sort(compareCodeUnits);
  const sources = [id, ...lineage].flatMap((each) => {
    const known = byId.get(each);
    if (known === undefined) return [];
    const { sourceType, sourceRef } = known.provenance;
    return [{ id: each, sourceType, ...(sourceRef !== undefined && { sourceRef }) }];
  });
  return { item, lineage, evidenceRefs: item.evidenceRefs ?? [], sources };
}
