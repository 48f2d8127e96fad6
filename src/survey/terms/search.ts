import { otherSpellings } from "../spellings.ts";
import { hashOf } from "./scan.ts";
import type { Segment } from "./segment.ts";

/** What a word may end with and still be the same word: `sav` finds save, saves, saved, saving. */
const endings =
  "e es ed er ers ing ings s y ies ied or ors ion ions ation ations able ment ments".split(" ");

/** How often a file holds a word. */
export interface WordHit {
  readonly count: number;
  readonly isDefined: boolean;
}

/** Endings that make another word of one: `deletion` is of what is deleted. */
const derived = /(?:ations?|ions?|ments?|ors?|ers?|able|ally|ly|ness|ity)$/;
const shortestBase = 4;

/** The forms of a stem as texts hold them, those of its short and long spellings too. */
function formsOf(stem: string): ReadonlySet<string> {
  const stems = new Set([stem, ...otherSpellings(stem)]);
  const base = stem.replace(derived, "");
  if (base.length >= shortestBase) stems.add(base);
  const forms = new Set<string>();
  for (const each of stems) {
    const last = each.at(-1) ?? "";
    const doubled = /[bgmnprt]$/.test(each) ? ["ed", "ing", "er"].map((end) => last + end) : [];
    for (const end of ["", ...endings, ...doubled]) forms.add(each + end);
  }
  return forms;
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
