import { wordEndings } from "../lib/words.ts";

/** After a stem of at most this length only an ending may follow: `add` is not in `address`. */
const shortStem = 3;

/**
 * Offsets at which a stem starts a word or a hump of one (`save` in `autoSave`, not in `unsaved`).
 * @param text as written. @param lower the same in lower case. @param stem lower case.
 * @param max ends the search.
 */
export function offsetsOf(
  text: string,
  lower: string,
  stem: string,
  max: number,
): readonly number[] {
  const offsets: number[] = [];
  for (let at = lower.indexOf(stem); at !== -1; at = lower.indexOf(stem, at + stem.length)) {
    if (!startsWord(text, at)) continue;
    if (stem.length <= shortStem && !endsWord(text, at + stem.length)) continue;
    offsets.push(at);
    if (offsets.length >= max) break;
  }
  return offsets;
}

function startsWord(text: string, at: number): boolean {
  if (at === 0 || !isLetter(text.charCodeAt(at - 1))) return true;
  return (
    isUpper(text.charCodeAt(at)) &&
    (!isUpper(text.charCodeAt(at - 1)) || isLower(text.charCodeAt(at + 1)))
  );
}

function endsWord(text: string, end: number): boolean {
  let at = end;
  while (at - end < 5 && isLower(text.charCodeAt(at))) at += 1;
  return wordEndings.test(text.slice(end, at)) && !isLower(text.charCodeAt(at));
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Letters beyond ASCII count as letters, so that a word of any language stays whole. */
function isLetter(code: number): boolean {
  return isUpper(code) || isLower(code) || code > 191;
}
