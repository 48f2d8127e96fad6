import type { RepoPath } from "../../contracts/index.ts";
import { endOfBody } from "./body-end.ts";
import { Captions } from "./captions.ts";
import { readDiff, readDiffHunks } from "./diff-text.ts";
import { admit, newDraft, type Block, type Draft } from "./draft.ts";
import { FenceContents } from "./fence-contents.ts";
import { closesFence, isMarkdownPath, type Fence } from "./fences.ts";
import { joinLines, readHunk } from "./hunks.ts";
import { Landmarks, type Landmark } from "./landmarks.ts";
import { outdent } from "./outdent.ts";
import { unwrapReply } from "./outer-fence.ts";
import { readPatch } from "./patch-text.ts";
import { readCommentPath, readInfoPath, readPathLine, type PathClaim } from "./path-line.ts";
import { endOfReasoning, readReasoningEdge } from "./reasoning.ts";
import type { ReplyScope, ResolvedPath } from "./scope.ts";
import { settle, type Doubts } from "./settle.ts";

/** Reads a reply without canonical markers: fenced files, hunks, diffs, patches, among prose. */
export function readLoose(reply: readonly string[], scope: ReplyScope): Draft {
  const isCaption = (line: string): boolean =>
    readPathLine(line, scope)?.resolved.kind === "listed";
  return new LooseReader(unwrapReply(reply, isCaption), scope).read();
}

/** What says which file a fence holds: `File: path`, a bare path, or a comment in the fence. */
type Naming = "labelled" | "plain" | "comment";

/** Landmarks looked at ahead of the reading position, for each one there is, before giving up. */
const maxLookahead = 8;

class LooseReader {
  private readonly lines: readonly string[];
  private readonly landmarks: Landmarks;
  private readonly captions: Captions;
  private readonly contents: FenceContents;
  private readonly scope: ReplyScope;
  private draft = newDraft();
  private doubts: Doubts = { weak: [], mentioned: [] };
  private at = 0;
  /** The file of the last hunk, for a hunk that names none. */
  private lastPath: ResolvedPath | undefined;
  /** The line that closes the fence in which diffs are being read. */
  private diffLimit: number | undefined;
  /** A fence that holds blocks, which is how a reply is wrapped whole. */
  private outer: Fence | undefined;
  private lookahead: number;

  constructor(lines: readonly string[], scope: ReplyScope) {
    this.lines = lines;
    this.scope = scope;
    this.landmarks = new Landmarks(lines);
    this.captions = new Captions(lines, this.landmarks, scope);
    this.contents = new FenceContents(lines, this.landmarks);
    this.lookahead = 10_000 + maxLookahead * this.landmarks.count;
  }

  read(): Draft {
    let landmark = this.landmarks.next(0);
    while (landmark !== undefined && this.draft.unfinished === undefined) {
      this.at = landmark.at;
      this.step(landmark);
      landmark = this.landmarks.next(this.at);
    }
    this.checkLastLine();
    settle(this.draft, this.doubts);
    return this.draft;
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  private problem(at: number, path: string, reason: string): void {
    this.draft.problems.push({ line: at + 1, path, reason });
  }

  /** Goes on reading at a line; captions above it belong to what was read. */
  private goOn(at: number): void {
    this.at = at;
    this.captions.floor = at;
  }

  /** Reads whatever begins at a landmark. */
  private step({ kind, fence }: Landmark): void {
    switch (kind) {
      case "search":
        this.readHunkBlock();
        break;
      case "replace":
        this.problem(this.at, "", `a stray ${this.line(this.at).trim()} outside any block`);
        this.at += 1;
        break;
      case "diff":
        this.readDiffs();
        break;
      case "hunk":
        this.problem(this.at, "", "a hunk of a diff names no file");
        this.at += 1;
        break;
      case "patch":
        this.goOn(readPatch(this.lines, this.at, this.draft, this.scope));
        break;
      case "reasoning":
        this.skipReasoning();
        break;
      case "tag_end":
        this.at += 1;
        break;
      case "fence":
        if (fence === undefined) this.at += 1;
        else this.readFenced(fence);
    }
  }

  private skipReasoning(): void {
    const edge = readReasoningEdge(this.line(this.at));
    if (edge?.kind === "opening") {
      const end = endOfReasoning(this.lines, this.at, edge.name);
      if (end === undefined) this.unfinished(this.at, "its reasoning");
      this.goOn(end ?? this.lines.length);
      return;
    }
    // An end without a beginning: everything before was reasoning.
    this.draft = newDraft();
    this.doubts = { weak: [], mentioned: [] };
    this.lastPath = undefined;
    this.goOn(this.at + 1);
  }

  private unfinished(at: number, path: string): void {
    this.draft.unfinished = { line: at + 1, path };
  }

  private readHunkBlock(): void {
    const start = this.at;
    const resolved = this.captions.ofHunk(start) ?? this.lastPath;
    const reading = readHunk(this.lines, start, this.lines.length);
    this.goOn(reading.next);
    this.lastPath = resolved;
    const path = resolved === undefined ? undefined : admit(this.draft, resolved, start + 1);
    if (reading.kind === "unfinished") this.unfinished(start, path ?? "a file it does not name");
    else if (reading.kind === "broken") this.problem(start, path ?? "", reading.reason);
    else if (resolved === undefined) this.problem(start, "", "the SEARCH block names no file");
    else if (path !== undefined) {
      const common = { path, line: start + 1, dress: "search_replace" as const };
      this.draft.blocks.push({ ...common, kind: "edit", hunks: [reading.hunk] });
    }
  }

  private readDiffs(): void {
    this.goOn(readDiff(this.lines, this.at, this.diffLimit, this.draft, this.scope));
    if (this.diffLimit !== undefined && this.at >= this.diffLimit) this.diffLimit = undefined;
  }

  private readFenced(fence: Fence): void {
    const start = this.at;
    const claim = this.captions.above(start);
    const info = readInfoPath(fence.info, this.scope);
    const named = info === undefined ? claim?.resolved : listed(info);
    const first = this.contents.firstLine(start);
    const inside = this.landmarks.at(first)?.kind;
    if (fence.info !== "" && this.contents.areJustBegun(first, this.captions))
      this.unfinished(start, "a fence");
    else if (inside === "search" && !this.isFileOfMarks(fence, claim, first)) this.at = first;
    else if (fence.indent !== "" && this.contents.holdIndentedDiff(first)) {
      this.problem(start, "", "the diff in this fence is indented");
      this.at = first;
    } else if (inside === "patch") this.at = first;
    else if (inside === "diff") this.readFencedDiff(fence, first);
    else if (named !== undefined && (inside === "hunk" || isDiffInfo(fence.info))) {
      this.readBareDiff(fence, named, first);
    } else if (this.readPathInFence(fence, first)) return;
    else if (named?.kind === "listed" || named?.kind === "creatable") {
      this.readWhole(fence, start, named, claim?.isLabelled === true ? "labelled" : "plain");
    } else if (claim?.isLabelled === true && fence.indent.length < 4) {
      // `File: path` is a marker: what it names and the pack does not list fails the reply.
      admit(this.draft, claim.resolved, start);
      this.skipProse(fence);
    } else this.readUnnamed(fence, first);
  }

  /** A labelled file, or one in a long fence, that holds more than hunks is a file of hunk marks. */
  private isFileOfMarks(fence: Fence, claim: PathClaim | undefined, first: number): boolean {
    if (claim?.resolved.kind !== "listed") return false;
    if (!claim.isLabelled && fence.length < 4) return false;
    return this.contents.holdMoreThanHunks(first, fence);
  }

  /** The line that closes a fence; undefined, and the reply unfinished, when none does. */
  private closingLine(fence: Fence): number | undefined {
    const end = this.contents.closingLine(this.at, fence);
    if (end === undefined) this.unfinished(this.at, "a diff");
    return end;
  }

  private readFencedDiff(fence: Fence, first: number): void {
    this.diffLimit = this.closingLine(fence);
    this.at = first;
  }

  /** A diff without header lines, under the caption of its file. */
  private readBareDiff(fence: Fence, named: ResolvedPath, first: number): void {
    const line = this.at + 1;
    const path = admit(this.draft, named, line);
    const end = this.closingLine(fence);
    if (end === undefined) return;
    const { hunks, next } = readDiffHunks(this.lines, first, end);
    if (path !== undefined && hunks.length > 0) {
      this.draft.blocks.push({ kind: "edit", path, hunks, line, dress: "udiff" });
    }
    this.goOn(Math.max(next, line));
  }

  /** A fence that holds only the caption of the fence after it (` ``` `, path, ` ```js `). */
  private readPathInFence(fence: Fence, first: number): boolean {
    const next = this.landmarks.at(first + 1)?.fence;
    const claim = next === undefined ? undefined : this.captions.claim(first);
    if (next === undefined || first !== this.at + 1 || claim?.resolved.kind !== "listed")
      return false;
    const inner = this.contents.firstLine(first + 1);
    if (this.landmarks.at(inner)?.kind === "search") {
      this.at = inner;
      return true;
    }
    if (next.info === "") return false;
    this.outer = fence;
    this.readWhole(next, first + 1, claim.resolved, "plain");
    return true;
  }

  private readWhole(fence: Fence, start: number, named: ResolvedPath, naming: Naming): void {
    const line = start + 1;
    const path = admit(this.draft, named, line);
    if (path === undefined) return;
    const isMarkdown = isMarkdownPath(path) || /^(?:md|mdx|markdown)\b/i.test(fence.info);
    const { outer } = this;
    const isCaptioned = (at: number): boolean => this.captions.isCaptioned(at);
    const body = { fence, outer, isMarkdown, isCaptioned };
    const end = endOfBody(this.lines, this.landmarks, start, body);
    if (end.kind === "unfinished") {
      this.unfinished(start, path);
      return;
    }
    if (
      end.kind === "unclear" ||
      (naming !== "labelled" && fence.length < 4 && this.contents.holdMarks(start, end.at))
    ) {
      this.problem(
        start,
        path,
        end.kind === "unclear" ? end.reason : "the fence holds marks of hunks",
      );
      this.at = line;
      return;
    }
    const content = outdent(joinLines(this.lines, line, end.at), fence.indent.length);
    const block: Block = { kind: "write", path, content, line, dress: "fence" };
    if (naming === "comment") this.doubts.weak.push({ ...block, isNamedByFirstLine: true });
    else this.draft.blocks.push(block);
    this.goOn(end.at + 1);
  }

  /** A fence without a caption: a file if its first line says so, else prose. */
  private readUnnamed(fence: Fence, first: number): void {
    const line = this.at + 1;
    const isHunk = this.landmarks.at(first + 1)?.kind === "search";
    const mayName = first === line && fence.sign !== "<" && !isHunk;
    const named = mayName ? readCommentPath(this.line(first), fence.info, this.scope) : undefined;
    if (named !== undefined) {
      this.readWhole(fence, this.at, listed(named), "comment");
      return;
    }
    const mentioned = this.captions.mentionAbove(this.at) ?? this.onlyPathInside(fence, first);
    if (mentioned !== undefined) this.doubts.mentioned.push({ path: mentioned, line });
    this.skipProse(fence);
  }

  /** The path that is all a fence holds: its contents may stand unfenced behind it. */
  private onlyPathInside(fence: Fence, first: number): RepoPath | undefined {
    if (fence.info !== "" || !closesFence(this.line(first + 1), fence)) return undefined;
    const resolved = this.captions.claim(first)?.resolved;
    return resolved?.kind === "listed" ? resolved.path : undefined;
  }

  /**
   * Skips a fence that is prose, unless blocks stand inside it: then it is an outer fence, or the
   * end of one that was never opened, and only its first line is skipped.
   */
  private skipProse(fence: Fence): void {
    const start = this.at;
    this.at = start + 1;
    for (const { at, kind, fence: inner } of this.landmarks.from(start + 1)) {
      this.lookahead -= 1;
      if (this.lookahead < 0) {
        this.problem(start, "", "the fences of the reply do not pair up");
        this.at = this.lines.length;
        return;
      }
      const mayClose = fence.sign === "<" ? kind === "tag_end" : inner?.info === "";
      if (mayClose && closesFence(this.line(at), fence)) {
        this.goOn(at + 1);
        return;
      }
      const isBlock = kind === "search" || kind === "diff" || kind === "patch";
      if (isBlock || (kind === "fence" && this.captions.isCaptioned(at))) {
        this.outer = fence;
        return;
      }
    }
  }

  /** A reply that ends with the bare caption of a file was cut off before the file. */
  private checkLastLine(): void {
    let last = this.lines.length - 1;
    while (last >= this.captions.floor && this.line(last).trim() === "") last -= 1;
    const claim = this.captions.claim(last);
    if (this.draft.unfinished !== undefined || this.draft.blocks.length === 0) return;
    if (claim?.resolved.kind !== "listed" || claim.isListItem || claim.isLabelled) return;
    this.unfinished(last, claim.resolved.path);
  }
}

function listed(path: RepoPath): ResolvedPath {
  return { kind: "listed", path };
}

function isDiffInfo(info: string): boolean {
  return /^(?:diff|patch|udiff)$/i.test(info);
}
