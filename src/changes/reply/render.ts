import type { Change, EditHunk } from "../../contracts/index.ts";
import { longestFenceRun } from "../../lib/text.ts";
import { readFence } from "./fences.ts";
import { readHunkMark } from "./markers.ts";

/**
 * The changes as canonical blocks; `parseReply` with the same tag gives them back, whatever their
 * contents hold. Where a content holds the tag, a longer one is used; where it holds marks of
 * hunks, the hunk's own marks are tagged. Contents are empty or end with LF and hold no CR LF.
 */
export function renderReply(changes: readonly Change[], tag: string): string {
  const ownTag = unusedTag(changes, tag);
  return changes.map((change) => renderChange(change, ownTag)).join("\n");
}

function renderChange(change: Change, tag: string): string {
  const header = (word: string, path: string): string => `=== ${word}: ${path} === ${tag}\n`;
  const end = `=== END === ${tag}\n`;
  if (change.kind === "write") return header("FILE", change.path) + guard(change.content) + end;
  if (change.kind === "delete") return header("DELETE", change.path);
  if (change.kind === "rename") return header("RENAME", `${change.path} -> ${change.to}`);
  const hunks = change.hunks.map((hunk) => renderHunk(hunk, tag)).join("");
  const { renameTo } = change;
  const move = renameTo === undefined ? "" : header("RENAME", `${change.path} -> ${renameTo}`);
  return header("EDIT", change.path) + hunks + end + move;
}

/** A content with fences gets one more around it: the one that reading drops. */
function guard(content: string): string {
  if (!content.split("\n").some((line) => readFence(line) !== undefined)) return content;
  const fence = "`".repeat(Math.max(3, longestFenceRun(content) + 1));
  return `${fence}\n${content}${fence}\n`;
}

function renderHunk({ search, replace }: EditHunk, tag: string): string {
  const text = `${search}${replace}`;
  const hasMarks = text.split("\n").some((line) => readHunkMark(line) !== undefined);
  const suffix = hasMarks ? ` ${tag}` : "";
  return `<<<<<<< SEARCH${suffix}\n${search}=======${suffix}\n${replace}>>>>>>> REPLACE${suffix}\n`;
}

function unusedTag(changes: readonly Change[], tag: string): string {
  const texts = changes.flatMap((change) => {
    if (change.kind === "write") return change.content;
    return change.kind === "edit"
      ? change.hunks.flatMap((hunk) => [hunk.search, hunk.replace])
      : [];
  });
  let [own, count] = [tag.toLowerCase(), 0];
  while (texts.some((text) => text.toLowerCase().includes(own)))
    own = `${tag.toLowerCase()}-${(count += 1)}`;
  return own;
}
