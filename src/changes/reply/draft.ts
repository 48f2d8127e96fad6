import type { BlockProblem, EditHunk, Failure, RepoPath } from "../../contracts/index.ts";
import type { ResolvedPath } from "./scope.ts";

/** How a block was dressed; the change set is named after what its blocks wore. */
export type Dress = "canonical" | "fence" | "search_replace" | "udiff" | "patch";

/** A block whose path is allowed, as it stood in the reply. */
export type Block = { readonly line: number; readonly path: RepoPath; readonly dress: Dress } & (
  | {
      readonly kind: "write";
      readonly content: string;
      /** The first line named the file, and may be no part of it. */
      readonly isNamedByFirstLine?: true;
    }
  | { readonly kind: "edit"; readonly hunks: readonly EditHunk[]; readonly renameTo?: RepoPath }
  | { readonly kind: "delete" }
  | { readonly kind: "rename"; readonly to: RepoPath }
);

/** What a reading of a reply has found so far; filled by the readers, judged by `assemble`. */
export interface Draft {
  readonly blocks: Block[];
  readonly problems: BlockProblem[];
  /** Tracked files outside the pack that were touched or asked for. */
  readonly missing: { path: RepoPath; line: number }[];
  /** Everything else outside the pack. */
  readonly outside: { text: string; line: number }[];
  /** Files asked for that the pack already holds. */
  readonly needs: RepoPath[];
  /** The line of a last block that has no end. */
  unfinished?: { line: number; path: string };
}

export function newDraft(): Draft {
  return { blocks: [], problems: [], missing: [], outside: [], needs: [] };
}

/** The path if it may be written; otherwise the draft remembers why not. `line` counts from 1. */
export function admit(draft: Draft, resolved: ResolvedPath, line: number): RepoPath | undefined {
  if (resolved.kind === "outside") draft.outside.push({ text: resolved.text, line });
  else if (resolved.kind === "tracked") draft.missing.push({ path: resolved.path, line });
  else return resolved.path;
  return undefined;
}

/** The failure a draft ends in, gravest first; undefined when every block can be taken. */
export function failureOf(draft: Draft): Failure | undefined {
  const { unfinished } = draft;
  if (unfinished !== undefined) {
    return {
      kind: "truncated_reply",
      message: `The reply ends inside the block of ${unfinished.path} (line ${unfinished.line}).`,
    };
  }
  if (draft.outside.length > 0) {
    const paths = [...new Set(draft.outside.map((entry) => entry.text))];
    return {
      kind: "out_of_scope",
      message: `The reply touches what the pack does not list: ${paths.join(", ")}.`,
      paths,
    };
  }
  if (draft.missing.length > 0) {
    const paths = [...new Set(draft.missing.map((entry) => entry.path))];
    return { kind: "needs_file", message: `The reply needs ${paths.join(", ")}.`, paths };
  }
  if (draft.problems.length === 0) return undefined;
  const [first] = draft.problems;
  return {
    kind: "format",
    message: `A block of the reply cannot be read: ${first?.reason ?? ""}.`,
    blocks: [...draft.problems].sort((a, b) => a.line - b.line),
  };
}
