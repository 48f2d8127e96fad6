import type { FileText } from "./file-text.ts";
import { diffLines } from "../diff/lines.ts";
import { rewriteLines } from "./rewrite.ts";

/** A whole file may drop this many lines, or keep half of them, without being asked again. */
const maxLostLines = 20;

/** The old file rewritten to `lines`; what it repeats keeps its bytes. */
export function replaceWhole(before: FileText, lines: readonly string[]): FileText {
  const old = before.lines.map(({ text }) => text);
  const match = { strategy: "exact", start: 0, end: old.length } as const;
  const rewritten = rewriteLines(before, match, diffLines(old, lines), lines);
  if (rewritten === undefined) throw new RangeError("lines that are not shifted always fit");
  return rewritten;
}

/** Whether so much of a file is gone that the model has more likely cut it short (rule 4). */
export function isShrunk(before: FileText, lines: readonly string[]): boolean {
  const [old, now] = [before.lines.length, lines.length];
  return now * 2 < old && old - now >= maxLostLines;
}
