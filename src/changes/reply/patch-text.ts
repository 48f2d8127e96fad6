import type { EditHunk } from "../../contracts/index.ts";
import { readDiffHunks } from "./diff-text.ts";
import { admit, type Draft } from "./draft.ts";
import { resolvePath, type ReplyScope } from "./scope.ts";

/** Whether a line opens a patch envelope. */
export function isPatchOpening(line: string): boolean {
  return /^\*{3} begin patch\s*$/i.test(line.length < 100 ? line.trim() : "");
}

const header = /^\*{3} (add|update|delete) file:\s?(.*)$/i;
const moveTo = /^\*{3} move to:\s?(.*)$/i;
const ending = /^\*{3} end patch$/i;

/** Reads a `*** Begin Patch` envelope from its opening on. Gives the next line. */
export function readPatch(
  lines: readonly string[],
  start: number,
  draft: Draft,
  scope: ReplyScope,
): number {
  let at = start + 1;
  while (at < lines.length) {
    const text = lineAt(lines, at);
    if (ending.test(text)) return at + 1;
    const found = header.exec(text);
    if (found !== null) {
      at = readFile(lines, at, (found[1] ?? "").toLowerCase(), found[2] ?? "", draft, scope);
      continue;
    }
    if (text !== "") {
      draft.problems.push({
        line: at + 1,
        path: "",
        reason: "a line of the patch belongs to no file",
      });
      return skipToEnd(lines, at);
    }
    at += 1;
  }
  draft.unfinished = { line: start + 1, path: "the patch" };
  return at;
}

function lineAt(lines: readonly string[], at: number): string {
  const line = lines[at] ?? "";
  return line.length < 500 ? line.trim() : line;
}

function skipToEnd(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !ending.test(lineAt(lines, at))) at += 1;
  return at + 1;
}

function readFile(
  lines: readonly string[],
  start: number,
  verb: string,
  name: string,
  draft: Draft,
  scope: ReplyScope,
): number {
  const line = start + 1;
  const path = admit(draft, resolvePath(name, scope), line);
  if (verb === "delete") {
    if (path !== undefined) draft.blocks.push({ kind: "delete", path, line, dress: "patch" });
    return start + 1;
  }
  if (verb === "add") {
    let at = start + 1;
    while (at < lines.length && (lines[at] ?? "").startsWith("+")) at += 1;
    const content = lines
      .slice(start + 1, at)
      .map((text) => `${text.slice(1)}\n`)
      .join("");
    if (path !== undefined)
      draft.blocks.push({ kind: "write", path, content, line, dress: "patch" });
    return at;
  }
  const move = moveTo.exec(lineAt(lines, start + 1))?.[1];
  const { hunks, next } = readUpdate(lines, move === undefined ? start + 1 : start + 2);
  if (path === undefined) return next;
  const common = { path, line, dress: "patch" as const };
  if (move !== undefined) {
    const to = admit(draft, resolvePath(move, scope), line);
    if (to === undefined) return next;
    if (hunks.length === 0) draft.blocks.push({ ...common, kind: "rename", to });
    else draft.blocks.push({ ...common, kind: "edit", hunks, renameTo: to });
  } else if (hunks.length === 0) {
    draft.problems.push({ line, path, reason: "the update holds no change" });
  } else draft.blocks.push({ ...common, kind: "edit", hunks });
  return next;
}

/** The hunks of an update; `*** End of File` between them says nothing that is needed here. */
function readUpdate(
  lines: readonly string[],
  start: number,
): { hunks: readonly EditHunk[]; next: number } {
  const hunks: EditHunk[] = [];
  let at = start;
  while (at < lines.length) {
    const text = lineAt(lines, at);
    if (/^\*{3} end of file$/i.test(text) || text === "") {
      at += 1;
      continue;
    }
    const read = readDiffHunks(lines, at, undefined);
    if (read.next === at) break;
    hunks.push(...read.hunks);
    at = read.next;
  }
  return { hunks, next: at };
}
