import { wordsOf } from "../lib/words.ts";
import type { MemoryItem } from "./item.ts";
import { compareCodeUnits } from "./order.ts";

/** An item that words were found in. */
export interface Recalled {
  readonly item: MemoryItem;
  /** Of the words asked for. */
  readonly shared: number;
}

/** Items that hold words of a query, those with most of them first, then the newest. */
export function searchItems(query: string, items: readonly MemoryItem[]): readonly Recalled[] {
  const wanted = wordsOf(query);
  const plain = query.trim().toLowerCase();
  return items
    .map((item) => {
      const text = `${item.summary} ${item.id}`;
      const words = new Set(wordsOf(text));
      const shared = wanted.filter((word) => words.has(word)).length;
      // Words that say little, and parts of ids, are still found as they stand.
      const isVerbatim = plain !== "" && text.toLowerCase().includes(plain);
      return { item, shared: shared + (isVerbatim ? 1 : 0) };
    })
    .filter(({ shared }) => shared > 0)
    .sort(
      (a, b) =>
        b.shared - a.shared ||
        compareCodeUnits(b.item.observedAt ?? "", a.item.observedAt ?? "") ||
        compareCodeUnits(a.item.id, b.item.id),
    );
}
