import type { EditHunk } from "../../contracts/index.ts";
import { admit, type Draft } from "./draft.ts";
import { listedPath, resolvePath, type ReplyScope, type ResolvedPath } from "./scope.ts";

/** Whether the lines at `at` and after it are the header of a unified diff. */
export function isDiffHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (line.startsWith("diff --git ")) return true;
  return line.startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
}

/** A header names no file on this side: `/dev/null`, also as models misspell it. */
const nowhere = /^(?:\/\w{1,12}\/null|NUL|nul)$/;
const noise =
  /^(?:diff --git |index |(?:old|new) mode |new file mode |deleted file mode |(?:dis)?similarity index |copy (?:from|to) )/;

/** What the header lines of one file say. */
interface Header {
  readonly line: number;
  readonly git?: string;
  readonly from?: string;
  readonly to?: string;
  readonly renameFrom?: string;
  readonly renameTo?: string;
  readonly isNew: boolean;
  readonly isBinary: boolean;
}

/**
 * Reads the unified diff of one file from its header on. Line numbers are not trusted: a hunk
 * becomes a search text (context and removed lines) and its replacement. `limit` is the line that
 * closes the diff's fence, if it stands in one. Gives the next line.
 */
export function readDiff(
  lines: readonly string[],
  start: number,
  limit: number | undefined,
  draft: Draft,
  scope: ReplyScope,
): number {
  const { header, next: body } = readHeader(lines, start);
  const { hunks, next } = readDiffHunks(lines, body, limit);
  addDiff(draft, header, hunks, scope);
  return next;
}

/** The hunks from a line on (`@@`, or at once a body), until something else begins. */
export function readDiffHunks(
  lines: readonly string[],
  start: number,
  limit: number | undefined,
): { hunks: readonly EditHunk[]; next: number } {
  const hunks: EditHunk[] = [];
  const end = limit ?? lines.length;
  let at = start;
  for (;;) {
    const next = skipBlank(lines, at, end);
    const isHeaded = (lines[next] ?? "").startsWith("@@");
    const isBare = at === start && /^[ +-]/.test(lines[next] ?? "") && !isDiffHeader(lines, next);
    if (next >= end || (!isHeaded && !isBare)) return { hunks, next: at };
    const from = isHeaded ? next + 1 : next;
    const close = endOfHunk(lines, from, limit);
    if (!isHeaded && close === from) return { hunks, next: at };
    at = close;
    hunks.push(...toHunk(lines, next, from, at));
  }
}

function skipBlank(lines: readonly string[], start: number, end: number): number {
  let at = start;
  while (at < end && (lines[at] ?? "").trim() === "") at += 1;
  return at;
}

function readHeader(lines: readonly string[], start: number): { header: Header; next: number } {
  let header: Header = { line: start + 1, isNew: false, isBinary: false };
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("--- ") && header.from === undefined) {
      header = { ...header, line: at + 1, from: nameOf(line) };
    } else if (line.startsWith("+++ ") && header.to === undefined) {
      header = { ...header, to: nameOf(line) };
      return { header, next: at + 1 };
    } else if (line.startsWith("diff --git ")) {
      if (header.git !== undefined) break;
      header = { ...header, git: line.slice("diff --git ".length).trim() };
    } else if (line.startsWith("rename from ")) {
      header = { ...header, renameFrom: line.slice("rename from ".length).trim() };
    } else if (line.startsWith("rename to ")) {
      header = { ...header, renameTo: line.slice("rename to ".length).trim() };
    } else if (line.startsWith("Binary files ") || line.startsWith("GIT binary patch")) {
      header = { ...header, isBinary: true };
    } else if (line.startsWith("new file mode ")) header = { ...header, isNew: true };
    else if (!noise.test(line)) break;
  }
  return { header, next: at };
}

/** The path of a `---` or `+++` line: a tab and what follows it (a time) are no part of it. */
function nameOf(line: string): string {
  const text = line.slice(4);
  const tab = text.indexOf("\t");
  return (tab < 0 ? text : text.slice(0, tab)).trim();
}

/**
 * A hunk ends where a line can be no part of it. Blank lines without a sign count if the hunk goes
 * on behind them; in a fence lines without a sign are context that lost it.
 */
function endOfHunk(lines: readonly string[], start: number, limit: number | undefined): number {
  let end = start;
  for (let at = start; at < (limit ?? lines.length); at += 1) {
    const line = lines[at] ?? "";
    if (line === "" || (line.trim() === "" && !line.startsWith(" "))) continue;
    if (line.startsWith("@@") || isDiffHeader(lines, at)) break;
    if (limit === undefined && !/^[ +\-\\\t]/.test(line)) break;
    if (/^\s?\*{3} (?:end (?:patch|of file)|(?:add|update|delete) file:)/i.test(line)) break;
    end = at + 1;
  }
  return end;
}

function toHunk(
  lines: readonly string[],
  header: number,
  start: number,
  end: number,
): readonly EditHunk[] {
  const body = lines.slice(start, end).filter((line) => !line.startsWith("\\"));
  const signed = body.map((line) => (/^[ +-]/.test(line) ? line : ` ${line}`));
  const side = (dropped: string): string =>
    signed
      .filter((line) => !line.startsWith(dropped))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const [search, replace] = [side("+"), side("-")];
  if (search === replace) return [];
  return [{ search, replace, line: header + 1, diff: signed }];
}

function addDiff(
  draft: Draft,
  header: Header,
  hunks: readonly EditHunk[],
  scope: ReplyScope,
): void {
  const { line } = header;
  const { from, to } = sidesOf(header, scope);
  const sides = [from, to].filter((side) => side !== undefined);
  const admitted = sides.map((side) => admit(draft, side, line));
  const [first, second] = admitted;
  if (first === undefined || admitted.includes(undefined)) {
    if (sides.length === 0)
      draft.problems.push({ line, path: "", reason: "the diff names no file" });
    return;
  }
  const common = { line, path: first, dress: "udiff" as const };
  if (header.isBinary) {
    draft.problems.push({ line, path: first, reason: "a binary diff cannot be applied" });
  } else if (to === undefined) draft.blocks.push({ ...common, kind: "delete" });
  else if (second !== undefined && second !== first) {
    if (hunks.length === 0) draft.blocks.push({ ...common, kind: "rename", to: second });
    else draft.blocks.push({ ...common, kind: "edit", hunks, renameTo: second });
  } else if (hunks.length > 0) draft.blocks.push({ ...common, kind: "edit", hunks });
  else if (header.isNew) draft.blocks.push({ ...common, kind: "write", content: "" });
}

/** Both sides of a diff; one that does not exist is absent. */
function sidesOf(
  header: Header,
  scope: ReplyScope,
): { from: ResolvedPath | undefined; to: ResolvedPath | undefined } {
  if (header.renameFrom !== undefined && header.renameTo !== undefined) {
    return {
      from: resolvePath(header.renameFrom, scope),
      to: resolvePath(header.renameTo, scope),
    };
  }
  if (header.from !== undefined && header.to !== undefined) {
    const isGit = /^"?a\//.test(header.from) || /^"?b\//.test(header.to);
    return {
      from: nowhere.test(header.from) ? undefined : sideOf(header.from, "a/", isGit, scope),
      to: nowhere.test(header.to) ? undefined : sideOf(header.to, "b/", isGit, scope),
    };
  }
  const half = /^a\/(.+) b\/\1$/.exec((header.git ?? "").slice(0, 600))?.[1];
  const both = half === undefined ? undefined : resolvePath(half, scope);
  return { from: header.isNew ? undefined : both, to: both };
}

/** Git puts `a/` and `b/` before the paths; a path that really begins so is found as it stands. */
function sideOf(text: string, prefix: string, isGit: boolean, scope: ReplyScope): ResolvedPath {
  const bare = text.replace(/^"/, "").replace(/"$/, "");
  if (!isGit || !bare.startsWith(prefix)) return resolvePath(text, scope);
  const stripped = bare.slice(prefix.length);
  const listed = listedPath(stripped, scope) ?? listedPath(text, scope);
  return listed === undefined ? resolvePath(stripped, scope) : { kind: "listed", path: listed };
}
