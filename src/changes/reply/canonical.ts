import type { EditHunk } from "../../contracts/index.ts";
import { admit, newDraft, type Draft } from "./draft.ts";
import { isFenceLine, isMarkdownPath, readFence, wrapsWhole } from "./fences.ts";
import { joinLines, readHunk } from "./hunks.ts";
import { readBrokenMarker, readHunkMark, readMarker, type Marker } from "./markers.ts";
import { endOfReasoning, readReasoningEdge } from "./reasoning.ts";
import { listedPath, resolvePath, type ReplyScope, type ResolvedPath } from "./scope.ts";

/** Reads canonical blocks. Undefined when the reply has no canonical header at all. */
export function readCanonical(lines: readonly string[], scope: ReplyScope): Draft | undefined {
  const headers = lines.flatMap((line) => {
    const marker = readMarker(line);
    return marker === undefined || marker.word === "END" ? [] : [marker];
  });
  if (headers.length === 0) return undefined;
  return new CanonicalReader(lines, scope, tagOf(headers, scope.tag)).read();
}

/**
 * The tag whose markers count: the one asked for (or one derived from it, see `renderReply`),
 * else the first that stands; none only where no marker is tagged.
 */
function tagOf(headers: readonly Marker[], asked: string | undefined): string | undefined {
  const tags = headers.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  const wanted = asked?.toLowerCase();
  return tags.find((tag) => wanted !== undefined && tag.startsWith(wanted)) ?? tags[0];
}

class CanonicalReader {
  private readonly lines: readonly string[];
  private readonly scope: ReplyScope;
  private readonly tag: string | undefined;
  private draft = newDraft();
  private sawHeader = false;
  private at = 0;

  constructor(lines: readonly string[], scope: ReplyScope, tag: string | undefined) {
    this.lines = lines;
    this.scope = scope;
    this.tag = tag;
  }

  /** Undefined when all headers stood in reasoning. */
  read(): Draft | undefined {
    let mayEnd = false;
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? "";
      const marker = this.markerAt(this.at);
      if (marker === undefined && this.skipReasoning()) mayEnd = false;
      else if (marker === undefined) {
        if (line.trim() !== "") mayEnd = false;
        this.checkProse(line);
        this.at += 1;
      } else if (marker.word === "END") {
        // Models close DELETE, RENAME and NEED too; any other END says that a block was cut short.
        if (!mayEnd) this.problem("", "an END stands outside any block");
        mayEnd = false;
        this.at += 1;
      } else {
        this.sawHeader = true;
        mayEnd = this.readBlock(marker);
      }
    }
    return this.sawHeader || this.draft.unfinished !== undefined ? this.draft : undefined;
  }

  /** Leaves reasoning out, drafts included; gives whether there was any. */
  private skipReasoning(): boolean {
    const edge = readReasoningEdge(this.lines[this.at] ?? "");
    if (edge === undefined) return false;
    if (edge.kind === "opening") {
      const end = endOfReasoning(this.lines, this.at, edge.name);
      if (end === undefined) this.draft.unfinished = { line: this.at + 1, path: "its reasoning" };
      this.at = end ?? this.lines.length;
    } else {
      this.draft = newDraft();
      this.sawHeader = false;
      this.at += 1;
    }
    return true;
  }

  private markerAt(at: number): Marker | undefined {
    const marker = readMarker(this.lines[at] ?? "");
    return marker !== undefined && marker.tag === this.tag ? marker : undefined;
  }

  /** A header that almost is one, or bears another tag, would silently lose its block. */
  private checkProse(line: string): void {
    const marker = readMarker(line);
    const broken = readBrokenMarker(line);
    if (broken !== undefined) {
      const path = listedPath(broken, this.scope) ?? broken;
      this.problem(path, "the header is no complete marker");
    } else if (marker?.tag !== undefined && marker.word !== "END") {
      this.problem(marker.path, `the header has the tag ${marker.tag}, not ${this.tag ?? ""}`);
    }
  }

  private problem(path: string, reason: string, at = this.at): void {
    this.draft.problems.push({ line: at + 1, path, reason });
  }

  /** Reads the block whose header stands here. Gives whether an END right after it is forgiven. */
  private readBlock(marker: Marker): boolean {
    const header = this.at;
    if (marker.word === "FILE" || marker.word === "EDIT") {
      const end = this.findEnd(header, marker);
      if (end !== undefined) this.readBody(marker, header, end);
      return false;
    }
    this.at += 1;
    const line = header + 1;
    if (marker.word === "RENAME") {
      this.readRename(marker, header);
      return true;
    }
    const resolved = resolvePath(marker.path, this.scope);
    if (marker.word === "NEED" && resolved.kind === "listed") this.draft.needs.push(resolved.path);
    else if (marker.word === "NEED" && resolved.kind === "creatable") {
      this.draft.outside.push({ text: resolved.path, line });
    } else {
      const path = admit(this.draft, resolved, line);
      if (path !== undefined) {
        this.draft.blocks.push({ kind: "delete", path, line, dress: "canonical" });
      }
    }
    return true;
  }

  private readRename(marker: Marker, header: number): void {
    const sides = this.splitRename(marker.path);
    if (sides === undefined) {
      this.problem(marker.path, "RENAME needs two paths: old -> new", header);
      return;
    }
    const [from, to] = sides.map((side) => admit(this.draft, side, header + 1));
    if (from !== undefined && to !== undefined) {
      const common = { line: header + 1, dress: "canonical" as const };
      this.draft.blocks.push({ ...common, kind: "rename", path: from, to });
    }
  }

  /** Both paths of a RENAME. A path may hold an arrow: the split that gives two known ones counts. */
  private splitRename(text: string): readonly [ResolvedPath, ResolvedPath] | undefined {
    const splits = [...text.slice(0, 8_192).matchAll(/\s(?:->|→)\s/g)].slice(0, 20).map((arrow) => {
      const old = resolvePath(text.slice(0, arrow.index), this.scope);
      const now = resolvePath(text.slice(arrow.index + arrow[0].length), this.scope);
      return [old, now] as const;
    });
    const isKnown = ({ kind }: ResolvedPath): boolean => kind === "listed" || kind === "creatable";
    return splits.find(([old, now]) => isKnown(old) && isKnown(now)) ?? splits[0];
  }

  /** The line of the block's own END; leaves `at` behind the block, or where reading goes on. */
  private findEnd(header: number, marker: Marker): number | undefined {
    for (let at = header + 1; at < this.lines.length; at += 1) {
      const inner = this.markerAt(at);
      if (inner === undefined) continue;
      if (inner.word === "END") {
        this.at = at + 1;
        return at;
      }
      this.problem(marker.path, `no END before the next header (line ${at + 1})`, header);
      // Read on behind the header: an end of reasoning may stand before the next one.
      this.at = header + 1;
      return undefined;
    }
    this.draft.unfinished = { line: header + 1, path: marker.path };
    this.at = this.lines.length;
    return undefined;
  }

  private readBody(marker: Marker, header: number, end: number): void {
    const path = admit(this.draft, resolvePath(marker.path, this.scope), header + 1);
    if (path === undefined) return;
    const line = header + 1;
    if (marker.word === "EDIT") {
      const hunks = this.readHunks(path, header + 1, end);
      if (hunks.length === 0) this.problem(path, "the EDIT block holds no SEARCH block", header);
      else this.draft.blocks.push({ kind: "edit", path, hunks, line, dress: "canonical" });
      return;
    }
    const body = this.unwrap(path, header + 1, end);
    if (body === undefined) {
      const reason = "the fences in this block can be read in two ways; leave the outer one out";
      this.problem(path, reason, header);
      return;
    }
    const content = joinLines(this.lines, body.start, body.end);
    this.draft.blocks.push({ kind: "write", path, content, line, dress: "canonical" });
  }

  /** The lines of a block without the one fence that wraps all of it. */
  private unwrap(
    path: string,
    start: number,
    end: number,
  ): { start: number; end: number } | undefined {
    let [first, last] = [start, end];
    while (first < last && (this.lines[first] ?? "").trim() === "") first += 1;
    while (last > first && (this.lines[last - 1] ?? "").trim() === "") last -= 1;
    const wraps = wrapsWhole(this.lines, first, last, isMarkdownPath(path));
    if (wraps === "unclear") return undefined;
    return wraps === "yes" ? { start: first + 1, end: last - 1 } : { start, end };
  }

  private readHunks(path: string, start: number, end: number): readonly EditHunk[] {
    const hunks: EditHunk[] = [];
    let at = start;
    while (at < end) {
      const mark = readHunkMark(this.lines[at] ?? "");
      if (mark?.mark === "search") {
        const reading = readHunk(this.lines, at, end);
        if (reading.kind === "hunk") hunks.push(reading.hunk);
        else {
          const reason =
            reading.kind === "broken" ? reading.reason : "the SEARCH block has no REPLACE";
          this.problem(path, reason, at);
        }
        at = reading.next;
        continue;
      }
      const line = (this.lines[at] ?? "").trim();
      if (line !== "" && !isFenceLine(line) && readFence(line) === undefined) {
        const what = mark === undefined ? "text" : `a stray ${line}`;
        this.problem(path, `${what} outside a SEARCH block`, at);
      }
      at += 1;
    }
    return hunks;
  }
}
