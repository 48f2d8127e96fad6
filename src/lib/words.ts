/** Words of every program: what a text is about only where it has no other words. */
const commonInCode = new Set(
  (
    "error errors fail fails failed failing failure fix fixed fixes bug bugs issue test tests " +
    "code file files line lines return returns function src lib undefined null true false"
  ).split(" "),
);

/** English words that say nothing about what a text is about. */
const stopWords = new Set(
  (
    "a about above after again all also an and any are as at be because been before being below " +
    "between both but by can cannot could did do does doing don done down each either else even ever every " +
    "few for from further get gets give gives got had has have having he her here him his how however i if in into " +
    "is it its itself just keep let like make makes may me might more most must my need needs new no nor not " +
    "now of off on once one only or other our out over own please same she should so some such take than that " +
    "the their them then there these they this those through to too two under until up us use used uses using " +
    "very via want wants was way we well were what when where which while who why will with within without " +
    "would yes yet you your"
  ).split(" "),
);

/**
 * The words of a text that tell what it is about: identifiers split at their humps and
 * underscores, lower case, endings cut (`saving`, `saved`, `save` → `sav`), stop words and
 * single letters dropped, each once, in order of appearance.
 */
export function wordsOf(text: string): readonly string[] {
  return stemsOf(text, (part) => !commonInCode.has(part));
}

/** The words that `wordsOf` leaves out as every program has them: `file`, `error`, `test`. */
export function commonWordsOf(text: string): readonly string[] {
  return stemsOf(text, (part) => commonInCode.has(part));
}

function stemsOf(text: string, counts: (part: string) => boolean): readonly string[] {
  const words = new Set<string>();
  const parts = text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu);
  for (const [part] of parts) {
    if (part.length < 2 || stopWords.has(part) || /^\d+$/.test(part) || !counts(part)) continue;
    words.add(stemOf(part));
  }
  return [...words];
}

/** Endings that a stem may be followed by and still be the same word. */
export const wordEndings = /^(?:e|es|ed|er|ers|ing|ings|s|y|ies|ied)?$/;

/** A word without its English ending; words of three letters stay whole. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  const singular = word.replace(/ies$/, "y").replace(/(?<=(?:s|x|z|ch|sh)e)s$|(?<![su])s$/, "");
  const cut = singular.replace(/(?<=[aeiouy].+)(?:ing|ed)$/, "");
  const stem = cut === singular ? singular : cut.replace(/([bgmnprt])\1$/, "$1");
  const bare = stem.replace(/(?:e|(?<![aeiou])y)$/, "");
  return bare.length < 3 ? singular : bare;
}
