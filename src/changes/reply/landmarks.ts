import { isDiffHeader } from "./diff-text.ts";
import { isFenceLine, readFence, type Fence } from "./fences.ts";
import { readHunkMark } from "./markers.ts";
import { isPatchOpening } from "./patch-text.ts";
import { readReasoningEdge } from "./reasoning.ts";

/** A line at which something may begin or end. Everything else is text. */
export interface Landmark {
  readonly at: number;
  readonly kind:
    | "fence"
    | "tag_end"
    | "search"
    | "replace"
    | "diff"
    | "hunk"
    | "patch"
    | "reasoning";
  /** For `fence`. */
  readonly fence?: Fence;
}

/** The landmarks of a reply, found in one pass, so that looking ahead costs little. */
export class Landmarks {
  private readonly all: readonly Landmark[];
  private readonly byLine = new Map<number, Landmark>();

  constructor(lines: readonly string[]) {
    this.all = lines.flatMap((line, at) => landmarkOf(lines, line, at) ?? []);
    for (const landmark of this.all) this.byLine.set(landmark.at, landmark);
  }

  get count(): number {
    return this.all.length;
  }

  /** The landmark in a line. */
  at(line: number): Landmark | undefined {
    return this.byLine.get(line);
  }

  /** Landmarks from a line on, in order. */
  *from(line: number): Generator<Landmark> {
    for (let index = this.indexFrom(line); index < this.all.length; index += 1) {
      const landmark = this.all[index];
      if (landmark !== undefined) yield landmark;
    }
  }

  /** The first landmark from a line on. */
  next(line: number): Landmark | undefined {
    return this.all[this.indexFrom(line)];
  }

  private indexFrom(line: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle]?.at ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function landmarkOf(lines: readonly string[], line: string, at: number): Landmark | undefined {
  let start = 0;
  while (line.charCodeAt(start) === 32 || line.charCodeAt(start) === 9) start += 1;
  switch (line.charAt(start)) {
    case "`":
    case "~": {
      const fence = readFence(line);
      return fence && { at, kind: "fence", fence };
    }
    case "<":
      return openingAngle(line, at);
    case ">":
      return readHunkMark(line)?.mark === "replace"
        ? { at, kind: "replace" }
        : reasoningEnd(line, at);
    case "-":
    case "d":
      return isDiffHeader(lines, at) ? { at, kind: "diff" } : reasoningEnd(line, at);
    case "@":
      return line.startsWith("@@") && line.includes("@@", 2) ? { at, kind: "hunk" } : undefined;
    case "*":
      return isPatchOpening(line) ? { at, kind: "patch" } : reasoningEnd(line, at);
    default:
      return reasoningEnd(line, at);
  }
}

function openingAngle(line: string, at: number): Landmark | undefined {
  if (readHunkMark(line)?.mark === "search") return { at, kind: "search" };
  const fence = readFence(line);
  if (fence !== undefined) return { at, kind: "fence", fence };
  if (isFenceLine(line)) return { at, kind: "tag_end" };
  return readReasoningEdge(line) === undefined ? undefined : { at, kind: "reasoning" };
}

/** Reasoning may end behind words on the same line. */
function reasoningEnd(line: string, at: number): Landmark | undefined {
  if (!line.includes("</")) return undefined;
  return readReasoningEdge(line) === undefined ? undefined : { at, kind: "reasoning" };
}
