import type { Captions } from "./captions.ts";
import { isDiffHeader } from "./diff-text.ts";
import { closesFence, readFence, type Fence } from "./fences.ts";
import { readHunk } from "./hunks.ts";
import type { Landmarks } from "./landmarks.ts";

/** Looks into fences without reading them. Lines count from 0. */
export class FenceContents {
  private readonly lines: readonly string[];
  private readonly landmarks: Landmarks;

  constructor(lines: readonly string[], landmarks: Landmarks) {
    this.lines = lines;
    this.landmarks = landmarks;
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  /** The first line that is not blank behind the opening one. */
  firstLine(opening: number): number {
    let at = opening + 1;
    while (at < this.lines.length && this.line(at).trim() === "") at += 1;
    return at;
  }

  /** The first line that can close the fence; undefined when there is none. */
  closingLine(opening: number, fence: Fence): number | undefined {
    for (const { at } of this.landmarks.from(opening + 1)) {
      if (closesFence(this.line(at), fence)) return at;
    }
    return undefined;
  }

  /** Nothing but captions and openings of fences stands from `first` on: the reply was cut off. */
  areJustBegun(first: number, captions: Captions): boolean {
    if (this.lines.length - first > 4) return false;
    for (let at = first; at < this.lines.length; at += 1) {
      const isOpening = (readFence(this.line(at))?.info ?? "") !== "";
      if (this.line(at).trim() !== "" && !isOpening && !captions.isCaption(at)) return false;
    }
    return true;
  }

  /** Whether a diff begins at `first`, moved to the right as in a list: its signs cannot be told. */
  holdIndentedDiff(first: number): boolean {
    const lines = this.lines.slice(first, first + 2).map((line) => line.trimStart());
    if (lines[0] === this.line(first)) return false;
    return isDiffHeader(lines, 0) || /^@@.{0,80}@@/.test(lines[0] ?? "");
  }

  /** Whether marks of hunks stand between two lines: more likely a broken hunk than a file's text. */
  holdMarks(opening: number, end: number): boolean {
    for (const { at, kind } of this.landmarks.from(opening + 1)) {
      if (at >= end) return false;
      if (kind === "search" || kind === "replace") return true;
    }
    return false;
  }

  /** Whether anything but whole hunks stands between `first` and the end of the fence. */
  holdMoreThanHunks(first: number, fence: Fence): boolean {
    let at = first;
    while (at < this.lines.length && !closesFence(this.line(at), fence)) {
      if (this.line(at).trim() === "") at += 1;
      else if (this.landmarks.at(at)?.kind !== "search") return true;
      else {
        const reading = readHunk(this.lines, at, this.lines.length);
        if (reading.kind !== "hunk") return false;
        at = reading.next;
      }
    }
    return false;
  }
}
