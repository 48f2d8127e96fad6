/**
 * A sign that is no part of a word, written with letters or digits, so that a word after it seems
 * to go on: escapes of JSON, shells and reprs, of addresses and of quoted-printable, and colour.
 */
export const escapedSign = [
  String.raw`\\[abefnrtv0]`,
  String.raw`\\[0-7]{2,3}`,
  String.raw`\\x[0-9A-Fa-f]{2}`,
  String.raw`\\u[0-9A-Fa-f]{4}`,
  String.raw`%[0-9A-Fa-f]{2}`,
  "=(?:0A|0D|20|22|27|3D)",
  // What comes before the bracket is the escape itself, or its own escape, or was lost.
  String.raw`\[[\d;]{0,12}[mKJHG]`,
].join("|");

/**
 * A pattern for a place with none of `signs` in front (the inside of a character class), or with
 * an escaped sign there.
 */
export function after(signs: string): string {
  return `(?:(?<![${signs}])|(?<=${escapedSign}))`;
}
