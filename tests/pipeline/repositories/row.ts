import type { VerdictKind } from "../../../src/contracts/index.ts";

/** A small repository, a change to it, and what a gate that can be believed says of the two. */
export interface RepositoryRow {
  /** What happens in it, as a sentence; unique. */
  readonly name: string;
  readonly language: "shell" | "javascript" | "typescript" | "python" | "go" | "rust";
  /** Program that must be there. */
  readonly needs?: string;
  /** Path → text, committed. */
  readonly base: Readonly<Record<string, string>>;
  /** Path → new text; null: deleted. */
  readonly change: Readonly<Record<string, string | null>>;
  /** A shell line. */
  readonly command: string;
  readonly verdict: VerdictKind;
  readonly evidence?: "fixed" | "new tests" | "none";
  readonly mayEditTests?: true;
  readonly verify?: "sensitive";
  /** Bound of the command; only for rows that hang. */
  readonly timeoutMs?: number;
  /** One of the few that run in every suite. */
  readonly isQuick?: true;
}

/** Rows that share a language, a command and files; a row's own files win. */
export function rowsOf(
  shared: Pick<RepositoryRow, "language" | "command" | "base"> & { readonly needs?: string },
  rows: readonly (Omit<RepositoryRow, "language" | "command" | "base"> &
    Partial<Pick<RepositoryRow, "command" | "base">>)[],
): readonly RepositoryRow[] {
  return rows.map((row) => ({ ...shared, ...row, base: { ...shared.base, ...row.base } }));
}
