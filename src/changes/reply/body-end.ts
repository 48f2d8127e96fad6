import { closesFence, type Fence } from "./fences.ts";
import type { Landmarks } from "./landmarks.ts";

/** Where the contents of a fence end, or why that cannot be said. */
export type BodyEnd =
  | { readonly kind: "end"; readonly at: number }
  | { readonly kind: "unfinished" }
  | { readonly kind: "unclear"; readonly reason: string };

/** What has to be known of a body beside its lines. */
export interface BodyFence {
  readonly fence: Fence;
  /** The fence that wraps the whole reply, if one does. */
  readonly outer: Fence | undefined;
  /** Markdown may hold fences of its own. */
  readonly isMarkdown: boolean;
  /** Whether the fence in this line has the caption of a further file above it. */
  isCaptioned(at: number): boolean;
}

/**
 * The closing line of the fence that opens at `start` and holds a whole file. Inner fences of the
 * same sign with an info string open a level, bare ones close one. Outside Markdown a captioned
 * fence shows that this one was never closed; so does the end of the outer fence.
 */
export function endOfBody(
  lines: readonly string[],
  landmarks: Landmarks,
  start: number,
  body: BodyFence,
): BodyEnd {
  const { fence, isMarkdown } = body;
  let depth = 1;
  for (const { at, fence: inner } of landmarks.from(start + 1)) {
    if (fence.sign === "<") {
      if (closesFence(lines[at] ?? "", fence)) return { kind: "end", at };
      continue;
    }
    if (inner === undefined || inner.sign !== fence.sign || inner.length < fence.length) continue;
    if (inner.info !== "") {
      if (!isMarkdown && body.isCaptioned(at)) {
        const reason = `the fence is not closed before the next file (line ${at})`;
        return { kind: "unclear", reason };
      }
      depth += 1;
      continue;
    }
    if (closesOuter(inner, body)) return { kind: "unfinished" };
    depth -= 1;
    if (depth > 0) continue;
    return settledEnd(lines, landmarks, at, body);
  }
  return { kind: "unfinished" };
}

/** A longer bare fence ends the outer fence, not this one. */
function closesOuter(bare: Fence, { fence, outer }: BodyFence): boolean {
  if (outer === undefined || outer.sign !== bare.sign) return false;
  return outer.length > fence.length && bare.length >= outer.length;
}

/**
 * A bare fence without a caption after a file may be the rest of that file: in Markdown always,
 * elsewhere where text follows the closing line at once.
 */
function settledEnd(
  lines: readonly string[],
  landmarks: Landmarks,
  end: number,
  body: BodyFence,
): BodyEnd {
  const { fence, isMarkdown } = body;
  if (!isMarkdown && (lines[end + 1] ?? "").trim() === "") return { kind: "end", at: end };
  for (const { at, fence: next } of landmarks.from(end + 1)) {
    if (next === undefined || next.sign !== fence.sign) continue;
    if (next.info !== "" || next.length < fence.length) break;
    if (closesOuter(next, body) || body.isCaptioned(at)) break;
    const reason =
      "bare fences inside and after the file can be read in two ways; use a longer outer fence";
    return { kind: "unclear", reason };
  }
  return { kind: "end", at: end };
}
