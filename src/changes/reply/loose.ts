import { endOfBody } from "./body-end.ts";
import { isMarkdownPath } from "./canonical.ts";
import { isDiffHeader, readDiff, readDiffHunks } from "./diff-text.ts";
import { admit, newDraft, type Block, type Draft } from "./draft.ts";
import { closesFence, isFenceLine, readFence, type Fence } from "./fences.ts";
import { joinLines, readHunk } from "./hunks.ts";
import { readHunkMark } from "./markers.ts";
import { isPatchOpening, readPatch } from "./patch-text.ts";
import {
  readCommentPath,
  readInfoPath,
  readPathLine,
  readSentencePath,
  type PathClaim,
} from "./path-line.ts";
import { readReasoning } from "./reasoning.ts";
import type { ReplyScope, ResolvedPath } from "./scope.ts";
import { unwrapReply } from "./outer-fence.ts";

/** Reads a reply without canonical markers: fenced files, hunks, diffs, patches, among prose. */
export function readLoose(lines: readonly string[], scope: ReplyScope): Draft {
  const isCaption = (line: string): boolean =>
    readPathLine(line, scope)?.resolved.kind === "listed";
  return new LooseReader(unwrapReply(lines, isCaption), scope).read();
}

/** Lines looked at ahead of the reading position, per line of the reply, before giving up. */
const maxLookahead = 16;
/** How far above a hunk the caption of its file may stand, with words between. */
const maxCaptionDistance = 8;

class LooseReader {
  private readonly lines: readonly string[];
  private readonly scope: ReplyScope;
  private draft = newDraft();
  private at = 0;
  /** No caption above this line counts: it belongs to an earlier block. */
  private floor = 0;
  /** The file of the last hunk, for a hunk that names none. */
  private lastPath: ResolvedPath | undefined;
  /** Fences named only by a comment in them: files if the reply holds no other kind of block. */
  private weak: Block[] = [];
  /** Fences under a sentence that speaks of a listed file. */
  private mentioned: { path: string; line: number }[] = [];
  private lookahead: number;
  /** The line that closes the fence in which diffs are being read. */
  private diffLimit: number | undefined;
  /** A fence that holds blocks, which is how a reply is wrapped whole. */
  private outer: Fence | undefined;

  constructor(lines: readonly string[], scope: ReplyScope) {
    this.lines = lines;
    this.scope = scope;
    this.lookahead = 10_000 + maxLookahead * lines.length;
  }

  read(): Draft {
    while (this.at < this.lines.length && this.draft.unfinished === undefined) this.step();
    this.checkLastLine();
    this.settleWeakBlocks();
    this.settleMentions();
    return this.draft;
  }

  /** A reply that ends with the bare caption of a file was cut off before the file. */
  private checkLastLine(): void {
    let last = this.lines.length - 1;
    while (last >= this.floor && this.line(last).trim() === "") last -= 1;
    if (last < this.floor || this.draft.unfinished !== undefined) return;
    const claim = readPathLine(this.line(last), this.scope);
    if (claim?.resolved.kind !== "listed" || claim.isListItem || claim.isLabelled) return;
    if (this.draft.blocks.length === 0) return;
    this.draft.unfinished = { line: last + 1, path: claim.resolved.path };
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  /** Reads whatever begins at this line; prose is one line. */
  private step(): void {
    const line = this.line(this.at);
    const mark = readHunkMark(line);
    if (mark?.mark === "search") this.readHunkBlock();
    else if (mark?.mark === "replace") {
      this.problem(this.at, "", `a stray ${line.trim()} outside any block`);
      this.at += 1;
    } else if (isDiffHeader(this.lines, this.at)) {
      this.at = readDiff(this.lines, this.at, this.diffLimit, this.draft, this.scope);
      this.floor = this.at;
      if (this.diffLimit !== undefined && this.at >= this.diffLimit) this.diffLimit = undefined;
    } else if (line.startsWith("@@") && line.includes("@@", 2)) {
      this.problem(this.at, "", "a hunk of a diff names no file");
      this.at += 1;
    } else if (isPatchOpening(line)) {
      this.at = readPatch(this.lines, this.at, this.draft, this.scope);
      this.floor = this.at;
    } else if (!this.skipReasoning()) {
      const fence = readFence(line);
      if (fence === undefined) this.at += 1;
      else this.readFenced(fence);
    }
  }

  private problem(at: number, path: string, reason: string): void {
    this.draft.problems.push({ line: at + 1, path, reason });
  }

  /** Leaves reasoning out; gives whether there was any. */
  private skipReasoning(): boolean {
    const reasoning = readReasoning(this.lines, this.at);
    if (reasoning === undefined) return false;
    if (reasoning.kind === "unfinished") {
      this.draft.unfinished = { line: this.at + 1, path: "its reasoning" };
      this.at = this.lines.length;
    } else if (reasoning.kind === "block") this.at = reasoning.next;
    else {
      this.draft = newDraft();
      this.weak = [];
      this.mentioned = [];
      this.lastPath = undefined;
      this.at += 1;
    }
    this.floor = this.at;
    return true;
  }

  private readHunkBlock(): void {
    const start = this.at;
    const resolved = this.captionOfHunk(start) ?? this.lastPath;
    const reading = readHunk(this.lines, start, this.lines.length);
    this.at = reading.next;
    this.floor = reading.next;
    this.lastPath = resolved;
    const path = resolved === undefined ? undefined : admit(this.draft, resolved, start + 1);
    if (reading.kind === "unfinished") {
      this.draft.unfinished = { line: start + 1, path: path ?? "a file it does not name" };
    } else if (reading.kind === "broken") this.problem(start, path ?? "", reading.reason);
    else if (resolved === undefined) this.problem(start, "", "the SEARCH block names no file");
    else if (path !== undefined) {
      const hunks = [reading.hunk];
      this.draft.blocks.push({
        kind: "edit",
        path,
        hunks,
        line: start + 1,
        dress: "search_replace",
      });
    }
  }

  /**
   * The file a hunk names: on the line above it, above its fence, or in the fence's info string.
   * With words between, only a listed path that stands alone on its line counts.
   */
  private captionOfHunk(start: number): ResolvedPath | undefined {
    let [sawFence, distance] = [false, 0];
    for (let at = start - 1; at >= this.floor && distance < maxCaptionDistance; at -= 1) {
      const line = this.line(at);
      if (line.trim() === "") continue;
      const fence = readFence(line);
      if (fence !== undefined) {
        const named = readInfoPath(fence.info, this.scope);
        if (named !== undefined) return named;
        if (isFenceLine(line) && sawFence) return undefined;
        sawFence = true;
        continue;
      }
      const claim = readPathLine(line, this.scope);
      if (claim !== undefined && (distance === 0 || isCaptionFromAfar(claim)))
        return claim.resolved;
      distance += 1;
    }
    return undefined;
  }

  /** The caption right above a fence, one blank line allowed between. */
  private captionAbove(at: number): PathClaim | undefined {
    const above = this.line(at - 1).trim() === "" ? at - 2 : at - 1;
    return above < this.floor ? undefined : readPathLine(this.line(above), this.scope);
  }

  private isCaptioned(at: number): boolean {
    return at - 1 >= this.floor && this.captionAbove(at)?.resolved.kind === "listed";
  }

  private readFenced(fence: Fence): void {
    const start = this.at;
    const claim = this.captionAbove(start);
    const named = readInfoPath(fence.info, this.scope) ?? claim?.resolved;
    const first = this.firstLineInside(start);
    const inside = this.line(first);
    if (fence.info !== "" && this.isJustBegun(first)) {
      this.draft.unfinished = { line: start + 1, path: "a fence" };
      return;
    }
    if (readHunkMark(inside)?.mark === "search" && !this.holdsFileOfMarks(fence, claim, first)) {
      this.at = first;
      return;
    }
    if (isPatchOpening(inside)) {
      this.at = first;
      return;
    }
    if (isDiffHeader(this.lines, first)) {
      this.readFencedDiff(fence, first);
      return;
    }
    if (
      named !== undefined &&
      (inside.startsWith("@@") || /^(?:diff|patch|udiff)$/i.test(fence.info))
    ) {
      this.readBareDiff(fence, named, first);
      return;
    }
    if (this.readPathInFence(first)) return;
    if (named !== undefined && isWritable(named)) this.readWhole(fence, start, named, false);
    else if (claim?.isLabelled === true && fence.indent.length < 4) this.readUnlisted(fence, claim);
    else this.readUnnamed(fence, first);
  }

  /** Nothing but captions and fences stands behind the opening of this one: the reply was cut off. */
  private isJustBegun(first: number): boolean {
    if (this.lines.length - first > 4) return false;
    const rest = this.lines.slice(first).filter((line) => line.trim() !== "");
    return rest.every(
      (line) =>
        (readFence(line)?.info ?? "") !== "" ||
        readPathLine(line, this.scope)?.resolved.kind === "listed",
    );
  }

  private closingLine(fence: Fence, first: number): number {
    let at = first;
    while (at < this.lines.length && !closesFence(this.line(at), fence)) at += 1;
    return at;
  }

  private firstLineInside(start: number): number {
    let at = start + 1;
    while (at < this.lines.length && this.line(at).trim() === "") at += 1;
    return at;
  }

  /** A labelled file, or one in a long fence, that holds more than hunks is a file of hunk marks. */
  private holdsFileOfMarks(fence: Fence, claim: PathClaim | undefined, first: number): boolean {
    if (claim?.resolved.kind !== "listed") return false;
    if (!claim.isLabelled && fence.length < 4) return false;
    let at = first;
    while (at < this.lines.length && !closesFence(this.line(at), fence)) {
      if (this.line(at).trim() === "") at += 1;
      else if (readHunkMark(this.line(at))?.mark === "search") {
        const reading = readHunk(this.lines, at, this.lines.length);
        if (reading.kind !== "hunk") return false;
        this.lookahead -= reading.next - at;
        at = reading.next;
      } else return true;
    }
    return false;
  }

  private readFencedDiff(fence: Fence, first: number): void {
    const end = this.closingLine(fence, first);
    if (end === this.lines.length) this.draft.unfinished = { line: this.at + 1, path: "a diff" };
    else this.diffLimit = end;
    this.at = first;
  }

  /** A diff without header lines, under the caption of its file. */
  private readBareDiff(fence: Fence, named: ResolvedPath, first: number): void {
    const path = admit(this.draft, named, this.at + 1);
    const end = this.closingLine(fence, first);
    if (end === this.lines.length) {
      this.draft.unfinished = { line: this.at + 1, path: path ?? "a diff" };
    }
    const { hunks, next } = readDiffHunks(this.lines, first, end);
    if (path !== undefined && hunks.length > 0) {
      this.draft.blocks.push({ kind: "edit", path, hunks, line: this.at + 1, dress: "udiff" });
    }
    this.at = Math.max(next, this.at + 1);
    this.floor = this.at;
  }

  /** A fence that holds only the caption of the fence after it (` ``` `, path, ` ```js `). */
  private readPathInFence(first: number): boolean {
    const next = readFence(this.line(first + 1));
    if (next === undefined || first !== this.at + 1) return false;
    const claim = readPathLine(this.line(first), this.scope);
    if (claim?.resolved.kind !== "listed") return false;
    const inner = this.firstLineInside(first + 1);
    if (readHunkMark(this.line(inner))?.mark === "search") {
      this.at = inner;
      return true;
    }
    if (next.info === "") return false;
    this.readWhole(next, first + 1, claim.resolved, false);
    return true;
  }

  private readWhole(fence: Fence, start: number, named: ResolvedPath, isWeak: boolean): void {
    const line = start + 1;
    const path = admit(this.draft, named, line);
    if (path === undefined) return;
    const isMarkdown = isMarkdownPath(path) || /^(?:md|mdx|markdown)\b/i.test(fence.info);
    const { outer } = this;
    const isCaptioned = (at: number): boolean => this.isCaptioned(at);
    const end = endOfBody(this.lines, start, { fence, outer, isMarkdown, isCaptioned });
    if (end.kind === "unfinished") {
      this.draft.unfinished = { line, path };
      return;
    }
    if (end.kind === "unclear") {
      this.problem(start, path, end.reason);
      this.at = start + 1;
      return;
    }
    const content = outdent(joinLines(this.lines, start + 1, end.at), fence.indent.length);
    const block: Block = { kind: "write", path, content, line, dress: "fence" };
    if (isWeak) this.weak.push({ ...block, isNamedByFirstLine: true });
    else this.draft.blocks.push(block);
    this.at = end.at + 1;
    this.floor = this.at;
  }

  /** `File: path` is a marker: what it names and the pack does not list fails the reply. */
  private readUnlisted(fence: Fence, claim: PathClaim): void {
    admit(this.draft, claim.resolved, this.at);
    this.skipProse(fence);
  }

  /** A fence without a caption: a file if its first line says so, else prose. */
  private readUnnamed(fence: Fence, first: number): void {
    const named = readCommentPath(this.line(first), fence.info, this.scope);
    if (named !== undefined && first === this.at + 1 && fence.sign !== "<") {
      this.readWhole(fence, this.at, named, true);
      return;
    }
    const mentioned = this.mentionAbove(this.at) ?? this.onlyPathInside(fence, first);
    if (mentioned?.kind === "listed") {
      this.mentioned.push({ path: mentioned.path, line: this.at + 1 });
    }
    this.skipProse(fence);
  }

  private mentionAbove(at: number): ResolvedPath | undefined {
    const above = this.line(at - 1).trim() === "" ? at - 2 : at - 1;
    return above < this.floor ? undefined : readSentencePath(this.line(above), this.scope);
  }

  /** The path that is all a fence holds: its contents may stand unfenced behind it. */
  private onlyPathInside(fence: Fence, first: number): ResolvedPath | undefined {
    if (fence.info !== "" || !closesFence(this.line(first + 1), fence)) return undefined;
    return readPathLine(this.line(first), this.scope)?.resolved;
  }

  /**
   * Skips a fence that is prose, unless blocks stand inside it: then it is an outer fence, or the
   * end of one that was never opened, and only its first line is skipped.
   */
  private skipProse(fence: Fence): void {
    const start = this.at;
    this.at = start + 1;
    for (let at = start + 1; at < this.lines.length; at += 1) {
      this.lookahead -= 1;
      if (this.lookahead < 0) {
        this.problem(start, "", "the fences of the reply do not pair up");
        this.at = this.lines.length;
        return;
      }
      const line = this.line(at);
      if (closesFence(line, fence)) {
        this.at = at + 1;
        this.floor = this.at;
        return;
      }
      const startsBlock =
        readHunkMark(line)?.mark === "search" ||
        isDiffHeader(this.lines, at) ||
        isPatchOpening(line) ||
        (readFence(line) !== undefined && this.isCaptioned(at));
      if (startsBlock) {
        this.outer = fence;
        return;
      }
    }
  }

  /** Comments name a file only where nothing else does. */
  private settleWeakBlocks(): void {
    const { blocks } = this.draft;
    if (blocks.some((block) => block.dress !== "fence")) return;
    const named = new Set(blocks.map((block) => block.path));
    blocks.push(...this.weak.filter((block) => !named.has(block.path)));
    blocks.sort((a, b) => a.line - b.line);
  }

  /** Writing some files and leaving out one that a sentence speaks of would be half a reply. */
  private settleMentions(): void {
    const { blocks } = this.draft;
    if (blocks.length === 0 || blocks.some((block) => block.dress !== "fence")) return;
    const written = new Set<string>(blocks.map((block) => block.path));
    for (const { path, line } of this.mentioned) {
      if (written.has(path)) continue;
      const reason =
        "it is not clear which file this fence holds; its path must stand alone on the line above";
      this.draft.problems.push({ line, path, reason });
    }
  }
}

function isCaptionFromAfar(claim: PathClaim): boolean {
  return claim.resolved.kind === "listed" && !claim.isListItem;
}

function isWritable(resolved: ResolvedPath): boolean {
  return resolved.kind === "listed" || resolved.kind === "creatable";
}

/** Takes up to `width` blanks off each line, as Markdown does for a fence that is indented. */
function outdent(text: string, width: number): string {
  if (width === 0) return text;
  return text
    .split("\n")
    .map((line) => line.slice(Math.min(width, line.length - line.trimStart().length)))
    .join("\n");
}
