import type { PathReport } from "./paths.ts";

/** Every change that `normalizePack` made. */
export interface PackReport extends PathReport {
  /** Fields that were missing and got a default. */
  readonly filled: string[];
  /** Commands that equal a known one, and the others, which are never run. */
  readonly commands: { readonly known: string[]; readonly proposed: string[] };
  /** The whole report in words, one change a line. */
  readonly lines: readonly string[];
}

export function emptyReport(): PackReport {
  return {
    rewritten: [],
    external: [],
    dropped: [],
    droppedSnippets: [],
    madeExisting: [],
    merged: [],
    filled: [],
    commands: { known: [], proposed: [] },
    lines: [],
  };
}

export function reportLines(report: PackReport): string[] {
  return [
    ...report.rewritten.map(({ from, to }) => `path ${from} read as ${to}`),
    ...report.external.map((path) => `path outside the repository left out: ${path}`),
    ...report.dropped.map((path) => `file that does not exist left out: ${path}`),
    ...report.droppedSnippets.map(
      (path) => `snippet of a file that does not exist left out: ${path}`,
    ),
    ...report.madeExisting.map(
      (path) => `file marked (new) exists and may only be edited: ${path}`,
    ),
    ...report.merged.map((path) => `entries of one file merged: ${path}`),
    ...report.filled.map((field) => `missing ${field} filled in`),
    ...report.commands.proposed.map((command) => `command proposed, not run: ${command}`),
  ];
}
