/** The opening line of a code fence: backticks, tildes, or one of the tags models use instead. */
export interface Fence {
  readonly indent: string;
  /** What closes it: a run of this sign at least as long, or the closing tag. */
  readonly sign: "`" | "~" | "<";
  readonly length: number;
  /** What follows the sign: language, path, attributes. */
  readonly info: string;
}

const tagOpening = /^<(source|code|pre|codeblock|sourcecode)>([\w+-]*)$/i;
const tagClosing = /^<\/(?:source|code|pre|codeblock|sourcecode)>$/i;

/** Reads a line as the opening (or, with an empty `info`, closing) line of a fence. */
export function readFence(line: string): Fence | undefined {
  let start = 0;
  while (line.charCodeAt(start) === 32 || line.charCodeAt(start) === 9) start += 1;
  const sign = line.charAt(start);
  const indent = line.slice(0, start);
  if (sign === "<") {
    const tag = line.length - start < 40 ? tagOpening.exec(line.slice(start).trimEnd()) : null;
    return tag === null ? undefined : { indent, sign, length: 1, info: tag[2] ?? "" };
  }
  if (sign !== "`" && sign !== "~") return undefined;
  let end = start;
  while (line.charAt(end) === sign) end += 1;
  if (end - start < 3) return undefined;
  const info = line.slice(end).trim();
  // Markdown: a backtick in the info string makes the line inline code.
  if (sign === "`" && info.includes("`")) return undefined;
  return { indent, sign, length: end - start, info };
}

/** A closing line may be longer than the opening one and have blanks after it; words never close. */
export function closesFence(line: string, fence: Fence): boolean {
  if (fence.sign === "<") return tagClosing.test(line.trim());
  const closing = readFence(line);
  return closing?.sign === fence.sign && closing.length >= fence.length && closing.info === "";
}

/** A line that is nothing but the end of some fence. */
export function isFenceLine(line: string): boolean {
  if (line.length < 200 && tagClosing.test(line.trim())) return true;
  return readFence(line)?.info === "" && line.trim() !== "<";
}

/**
 * Whether one fence wraps the lines whole: the first opens, the last closes, and inner fences pair
 * up. `unclear` where the lines can also be read as several fences, or begin or end with half of
 * one: a Markdown file may really begin and end with a sample, other files may not.
 */
export function wrapsWhole(
  lines: readonly string[],
  start: number,
  end: number,
  isMarkdown: boolean,
): "yes" | "no" | "unclear" {
  const first = readMarkdownFence(lines[start]);
  const last = readMarkdownFence(lines[end - 1]);
  if (end - start < 1 || (first === undefined && last === undefined)) return "no";
  const isPair = first !== undefined && closesFence(lines[end - 1] ?? "", first) && end - start > 1;
  if (!isPair) return isMarkdown && fencesPairUp(lines, start, end) ? "no" : "unclear";
  let depth = 1;
  for (let at = start + 1; at < end - 1; at += 1) {
    const inner = readFence(lines[at] ?? "");
    if (inner === undefined || inner.sign !== first.sign || inner.length < first.length) continue;
    depth += inner.info === "" ? -1 : 1;
    if (depth === 0) return isMarkdown && !wrapsMarkdown(first) ? "no" : "unclear";
  }
  return depth === 1 ? "yes" : "unclear";
}

/** A fence of backticks or tildes; `<pre>` and its like are content of pages, not a wrapper. */
function readMarkdownFence(line: string | undefined): Fence | undefined {
  const fence = readFence(line ?? "");
  return fence?.sign === "<" ? undefined : fence;
}

/** Whether each fence is closed by the first line that can close it. */
function fencesPairUp(lines: readonly string[], start: number, end: number): boolean {
  let open: Fence | undefined;
  for (const line of lines.slice(start, end)) {
    if (open === undefined) open = readMarkdownFence(line);
    else if (closesFence(line, open)) open = undefined;
  }
  return open === undefined;
}

function wrapsMarkdown(fence: Fence): boolean {
  return fence.info === "" || /^(?:md|mdx|markdown)\b/i.test(fence.info);
}

/** Files whose own text may begin and end with a fence. */
export function isMarkdownPath(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdc|rst|txt)$/i.test(path) || !/\.[^/]*$/.test(path);
}
