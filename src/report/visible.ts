/**
 * What a browser would act on or not show at all, and nobody should be fooled by: controls, marks
 * that turn the direction of writing (https://trojansource.codes), and other characters without a
 * picture. The joiners of emoji and of Indic and Persian words stay.
 */
const hidden = /\r(?!\n)|[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\p{Cf}\u2028\u2029]/gu;
const joiners = /^[\u200c\u200d]$/;

/** Text with its hidden characters made visible (`␀`, `⟨U+202E⟩`); tabs stay, and line ends are LF. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(hidden, (character) => {
      if (joiners.test(character)) return character;
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      if (code === 0x7f) return "␡";
      return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
    });
}
