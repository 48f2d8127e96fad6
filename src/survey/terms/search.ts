import { hashOf } from "./scan.ts";
import type { Segment } from "./segment.ts";

/** What a word may end with and still be the same word: `sav` finds save, saves, saved, saving. */
const endings = "e es ed er ers ing ings s y ies ied or ors ion ions".split(" ");

/** How often a file holds a word. */
export interface WordHit {
  readonly count: number;
  readonly isDefined: boolean;
}

/** The forms of a stem as texts hold them. */
function formsOf(stem: string): readonly string[] {
  const last = stem.at(-1) ?? "";
  const doubled = /[bgmnprt]$/.test(stem) ? ["ed", "ing", "er"].map((end) => last + end) : [];
  return [stem, ...[...endings, ...doubled].map((end) => stem + end)];
}

/**
 * Where a stem stands: file of the segment → how often, all its forms together.
 * @param stem lower case, as `wordsOf` gives it. @throws RangeError where the segment is damaged.
 */
export function findWord(segment: Segment, stem: string): ReadonlyMap<number, WordHit> {
  const hits = new Map<number, { count: number; isDefined: boolean }>();
  for (const form of formsOf(stem)) {
    segment.find(hashOf(form), (file, count, isDefined) => {
      const hit = hits.get(file);
      if (hit === undefined) hits.set(file, { count, isDefined });
      else {
        hit.count += count;
        hit.isDefined ||= isDefined;
      }
    });
  }
  return hits;
}
