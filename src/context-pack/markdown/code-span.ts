/** A code span of Markdown: `content`, and where the text goes on after it. */
export interface CodeSpan {
  readonly content: string;
  readonly end: number;
}

/**
 * The code span that starts at `at`, closed by a run of exactly as many backticks. One blank at
 * both ends is padding (CommonMark), so that a path can begin or end with a backtick.
 */
export function codeSpanAt(text: string, at: number): CodeSpan | undefined {
  const run = runAt(text, at);
  if (run === 0) return undefined;
  let from = at + run;
  for (;;) {
    const next = text.indexOf("`", from);
    if (next === -1) return undefined;
    const length = runAt(text, next);
    if (length === run) return { content: unpad(text.slice(at + run, next)), end: next + length };
    from = next + length;
  }
}

function runAt(text: string, at: number): number {
  let end = at;
  while (text[end] === "`") end++;
  return end - at;
}

function unpad(content: string): string {
  const isPadded = content.startsWith(" ") && content.endsWith(" ") && content.trim() !== "";
  return isPadded ? content.slice(1, -1) : content;
}

/** `text` as a code span: in a run of backticks longer than any inside it. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}
