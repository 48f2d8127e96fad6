import { wordsOf } from "../lib/words.ts";
import { authorityRanks, authorityOf, confidenceRanks, type MemoryItem } from "./item.ts";

/** What the order of items depends on beside the items themselves. */
export interface OrderFacts {
  readonly project: string;
  readonly task: string;
  readonly kinds: readonly string[];
  readonly contradictionIds: ReadonlySet<string>;
  readonly byId: ReadonlyMap<string, MemoryItem>;
}

/**
 * The items by rule 3: open contradictions, own project, words of the task shared, kind as
 * wanted, confidence, authority, newest, id by code unit. Total, as ids are unique.
 */
export function inOrder(items: readonly MemoryItem[], facts: OrderFacts): readonly MemoryItem[] {
  const taskWords = new Set(wordsOf(facts.task));
  // Bigger comes first; each row is one step of the rule.
  const keys = (item: MemoryItem): readonly number[] => [
    Number(facts.contradictionIds.has(item.id)),
    Number(item.project === facts.project),
    wordsOf(item.summary).filter((word) => taskWords.has(word)).length,
    -rankOf(item.kind, facts.kinds),
    confidenceRanks[item.confidence],
    authorityRanks[authorityOf(item, facts.byId)],
    timeOf(item),
  ];
  return items
    .map((item) => ({ item, keys: keys(item) }))
    .sort((a, b) => compareKeys(a.keys, b.keys) || compareCodeUnits(a.item.id, b.item.id))
    .map(({ item }) => item);
}

/** Position among the wanted kinds; an unwanted one (an open contradiction) comes after them. */
function rankOf(kind: string, kinds: readonly string[]): number {
  const at = kinds.indexOf(kind);
  return at === -1 ? kinds.length : at;
}

/** Epoch milliseconds; an item without a readable date is older than all others. */
function timeOf({ observedAt }: MemoryItem): number {
  const time = Date.parse(observedAt ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, key] of a.entries()) {
    const other = b[index] ?? 0;
    if (key !== other) return key > other ? -1 : 1;
  }
  return 0;
}

/** The same on every machine, whatever its locale. */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
