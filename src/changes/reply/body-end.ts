import { closesFence, readFence, type Fence } from "./fences.ts";

/** Where the contents of a fence end, or why that cannot be said. */
export type BodyEnd =
  | { readonly kind: "end"; readonly at: number }
  | { readonly kind: "unfinished" }
  | { readonly kind: "unclear"; readonly reason: string };

/**
 * The closing line of the fence that opens at `start` and holds a whole file. Inner fences of the
 * same sign with an info string open a level, bare ones close one. `isCaption` tells whether a
 * line names a further file: outside Markdown such a fence shows that this one was never closed.
 */
export function endOfBody(
  lines: readonly string[],
  start: number,
  fence: Fence,
  isMarkdown: boolean,
  isCaption: (at: number) => boolean,
): BodyEnd {
  let depth = 1;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (fence.sign === "<") {
      if (closesFence(line, fence)) return { kind: "end", at };
      continue;
    }
    const inner = readFence(line);
    if (inner === undefined || inner.sign !== fence.sign || inner.length < fence.length) continue;
    if (inner.info !== "") {
      if (!isMarkdown && isCaption(at)) {
        return {
          kind: "unclear",
          reason: `the fence is not closed before the next file (line ${at})`,
        };
      }
      depth += 1;
      continue;
    }
    depth -= 1;
    if (depth === 0)
      return isMarkdown ? markdownEnd(lines, at, fence, isCaption) : { kind: "end", at };
  }
  return { kind: "unfinished" };
}

/** A bare fence without a caption after a Markdown file may be the rest of that file. */
function markdownEnd(
  lines: readonly string[],
  end: number,
  fence: Fence,
  isCaption: (at: number) => boolean,
): BodyEnd {
  for (let at = end + 1; at < lines.length; at += 1) {
    const next = readFence(lines[at] ?? "");
    if (next === undefined || next.sign !== fence.sign) continue;
    if (next.info !== "" || next.length < fence.length || isCaption(at)) break;
    const reason = `bare fences inside and after the file can be read in two ways; use a longer outer fence`;
    return { kind: "unclear", reason };
  }
  return { kind: "end", at: end };
}
