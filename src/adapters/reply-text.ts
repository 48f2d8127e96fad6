/** CSI and OSC sequences: what terminals take for colour, cursor and title. */
const escape =
  "(?:\\u001b\\[[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\))";
const escapesAtLineEdge = new RegExp(`^${escape}+|${escape}+$`, "gm");

/**
 * A reply without the escape sequences that a coloured pipe put around its lines. One in the
 * middle of a line stays: it is content.
 */
export function withoutLineColours(text: string): string {
  return text.includes("\u001b") ? text.replaceAll(escapesAtLineEdge, "") : text;
}

/** True for a reply that says nothing: blanks, a reasoning block alone, an empty code fence. */
export function saysNothing(text: string): boolean {
  return (
    text
      .replaceAll(/<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi, "")
      .replaceAll(/^\s*(?:```+|~~~+)[\w-]*\s*$/gm, "")
      .trim() === ""
  );
}
