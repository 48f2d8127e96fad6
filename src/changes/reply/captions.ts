import { isFenceLine, readFence } from "./fences.ts";
import type { Landmarks } from "./landmarks.ts";
import {
  listItem,
  readCommentPath,
  readInfoPath,
  readPathLine,
  readSentencePath,
  type PathClaim,
} from "./path-line.ts";
import type { RepoPath } from "../../contracts/index.ts";
import type { ReplyScope, ResolvedPath } from "./scope.ts";

/** How far above a hunk the caption of its file may stand, with words between. */
const maxDistance = 8;

/** Finds the lines above a block that say which file it is of. */
export class Captions {
  private readonly lines: readonly string[];
  private readonly landmarks: Landmarks;
  private readonly scope: ReplyScope;
  private readonly claims = new Map<string, PathClaim | undefined>();
  /** Nothing above this line counts: it belongs to an earlier block. */
  floor = 0;

  constructor(lines: readonly string[], landmarks: Landmarks, scope: ReplyScope) {
    this.lines = lines;
    this.landmarks = landmarks;
    this.scope = scope;
  }

  /** What a line claims, if it is the caption of a file and nothing else. */
  claim(at: number): PathClaim | undefined {
    if (at < this.floor) return undefined;
    const line = this.line(at);
    if (!this.claims.has(line)) this.claims.set(line, readPathLine(line, this.scope));
    return this.claims.get(line);
  }

  /**
   * The caption right above a fence, one blank line allowed between. An item of a list of files
   * is none.
   */
  above(at: number): PathClaim | undefined {
    const above = this.lineAbove(at);
    const claim = this.claim(above);
    if (claim?.isListItem !== true) return claim;
    const before = this.line(above - 1).trim();
    const isInList = listItem.test(before) && this.claim(above - 1) !== undefined;
    return isInList ? undefined : claim;
  }

  /** Whether a line claims a file of the pack. */
  isCaption(at: number): boolean {
    return this.claim(at)?.resolved.kind === "listed";
  }

  /** Whether the fence in this line has a file of the pack above it. */
  isCaptioned(at: number): boolean {
    return this.above(at)?.resolved.kind === "listed";
  }

  /** The listed file that the sentence above a fence speaks of. */
  mentionAbove(at: number): RepoPath | undefined {
    const above = this.lineAbove(at);
    return above < this.floor ? undefined : readSentencePath(this.line(above), this.scope);
  }

  /**
   * The file a hunk names: on the line above it, above its fence, or in the fence's info string.
   * With words between, only a listed path that stands alone on its line counts.
   */
  ofHunk(start: number): ResolvedPath | undefined {
    let [sawFence, distance, blanks] = [false, 0, 0];
    for (let at = start - 1; at >= this.floor && distance < maxDistance; at -= 1) {
      const line = this.line(at);
      if (line.trim() === "") {
        blanks += 1;
        if (blanks > maxDistance) return undefined;
        continue;
      }
      const fence = this.landmarks.at(at)?.kind === "fence" ? readFence(line) : undefined;
      if (fence !== undefined) {
        const named = readInfoPath(fence.info, this.scope);
        if (named !== undefined) return { kind: "listed", path: named };
        if (isFenceLine(line) && sawFence) return undefined;
        sawFence = true;
        continue;
      }
      const claim = this.claim(at);
      if (claim !== undefined && (distance === 0 || isClearFromAfar(claim))) return claim.resolved;
      const comment = distance === 0 ? readCommentPath(line, "", this.scope) : undefined;
      if (comment !== undefined) return { kind: "listed", path: comment };
      distance += 1;
    }
    return undefined;
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  private lineAbove(at: number): number {
    return this.line(at - 1).trim() === "" ? at - 2 : at - 1;
  }
}

function isClearFromAfar(claim: PathClaim): boolean {
  return claim.resolved.kind === "listed" && !claim.isListItem;
}
