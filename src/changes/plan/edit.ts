import type { BlockProblem, EditHunk } from "../../contracts/index.ts";
import { modelLines, type FileText } from "./file-text.ts";
import { diffLines, type DiffStep } from "../diff/lines.ts";
import { rewriteAroundBlanks } from "./blank-context.ts";
import { findMatch, strategies, type Match, type Strategy } from "./match.ts";
import { nearestLines } from "./nearest.ts";
import { rewriteLines, shifter } from "./rewrite.ts";

/** A file after its hunks, the loosest strategy any of them needed, and what did not fit. */
export interface EditResult {
  readonly file: FileText;
  readonly strategy: Strategy;
  /** Lines (in the reply) of hunks whose effect the file already had. */
  readonly alreadyApplied: readonly number[];
  readonly problems: readonly BlockProblem[];
}

/** Each hunk is looked for in the whole file: beyond this the file is quicker written anew. */
const maxHunks = 2_000;
/** So many hunks that do not fit say enough. */
const maxProblems = 50;

/** Applies the hunks of one file in order, each to what the one before left. */
export function editFile(path: string, before: FileText, hunks: readonly EditHunk[]): EditResult {
  let file = before;
  let strategy: Strategy = "exact";
  const alreadyApplied: number[] = [];
  const problems: BlockProblem[] = [];
  if (hunks.length > maxHunks) {
    const reason = `${hunks.length} edits of one file; write it whole`;
    const line = hunks[0]?.line ?? 0;
    return { file, strategy, alreadyApplied, problems: [{ line, path, reason }] };
  }
  for (const hunk of hunks) {
    if (problems.length >= maxProblems) break;
    const fitted = fitHunk(file, hunk);
    if (fitted.kind === "fits") {
      file = fitted.file;
      if (strategies.indexOf(fitted.strategy) > strategies.indexOf(strategy)) {
        strategy = fitted.strategy;
      }
    } else if (fitted.kind === "already_applied") alreadyApplied.push(hunk.line);
    else {
      const { reason, nearest } = fitted;
      const problem = { line: hunk.line, path, reason };
      problems.push(nearest === undefined ? problem : { ...problem, nearest });
    }
  }
  return { file, strategy, alreadyApplied, problems };
}

type Fitted =
  | { readonly kind: "fits"; readonly file: FileText; readonly strategy: Strategy }
  | { readonly kind: "already_applied" }
  | { readonly kind: "fails"; readonly reason: string; readonly nearest?: string | undefined };

/** Holds a hunk, and every other way to split it, against the file: exactly one may fit. */
function fitHunk(file: FileText, hunk: EditHunk): Fitted {
  const splits = [hunk, ...(hunk.alternatives ?? [])].map((split) => fitSplit(file, split));
  const fitting = splits.filter((split) => split.kind === "fits");
  if (fitting.length > 1) {
    return { kind: "fails", reason: "several of its ======= lines make the search text fit" };
  }
  const [only] = fitting;
  if (only !== undefined) return only;
  const applied = splits.find((split) => split.kind === "already_applied");
  return applied ?? splits[0] ?? { kind: "fails", reason: "the hunk is empty" };
}

function fitSplit(file: FileText, split: Pick<EditHunk, "search" | "replace" | "diff">): Fitted {
  const { search, replace, diff } = split;
  if (search === replace) return { kind: "fits", file, strategy: "exact" };
  const wanted = modelLines(search.replace(/^\uFEFF/, ""));
  const replacement = modelLines(replace.replace(/^\uFEFF/, ""));
  if (wanted.length === 0) return fitEmptySearch(file, replacement);
  const found = findMatch(file.lines, wanted);
  if (found.kind === "one") return fitMatch(file, found.match, wanted, replacement, diff);
  const around = found.kind === "none" && diff ? rewriteAroundBlanks(file, diff) : undefined;
  if (around !== undefined) return { kind: "fits", file: around, strategy: "blank_context" };
  if (found.kind === "many") {
    const lines = found.lines.join(", ") + (found.count > found.lines.length ? ", …" : "");
    return {
      kind: "fails",
      reason: `the search text fits in ${found.count} places (lines ${lines}); it must fit exactly once, so add lines around it`,
    };
  }
  if (isAlreadyThere(file, replacement)) return { kind: "already_applied" };
  const nearest = nearestLines(file.lines, wanted);
  return { kind: "fails", reason: "the search text is not in the file", nearest };
}

function fitEmptySearch(file: FileText, replacement: readonly string[]): Fitted {
  if (file.lines.length > 0) {
    return { kind: "fails", reason: "the search text is empty, but the file is not" };
  }
  const lines = replacement.map((text) => ({ text, end: "\n" as const }));
  return { kind: "fits", file: { mark: file.mark, lines }, strategy: "exact" };
}

function fitMatch(
  file: FileText,
  match: Match,
  search: readonly string[],
  replacement: readonly string[],
  diff: readonly string[] | undefined,
): Fitted {
  const steps = diff === undefined ? diffLines(search, replacement) : stepsOfDiff(diff);
  const shift = shifter(search, file.lines, match);
  const rewritten = rewriteLines(file, match, steps, replacement, shift);
  if (rewritten !== undefined) return { kind: "fits", file: rewritten, strategy: match.strategy };
  return {
    kind: "fails",
    reason: "the file is indented less than the search text, and the replacement cannot follow",
    nearest: nearestLines(file.lines, search),
  };
}

/** A diff says itself which lines stay. */
function stepsOfDiff(diff: readonly string[]): readonly DiffStep[] {
  return diff.map((line) => ({
    kind: line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "keep",
    count: 1,
  }));
}

/** A replacement of two lines or more that stands in the file once, while its search text is gone. */
function isAlreadyThere(file: FileText, replacement: readonly string[]): boolean {
  if (replacement.filter((line) => line.trim() !== "").length < 2) return false;
  const found = findMatch(file.lines, replacement);
  if (found.kind !== "one") return false;
  return found.match.strategy === "exact" || found.match.strategy === "line_ends";
}
