import type { PathChanges } from "./paths.ts";

/** Every change that `normalizePack` made. Paths are named as they were written. */
export interface PackReport {
  readonly rewritten: readonly { readonly from: string; readonly to: string }[];
  /** Outside the repository: left out. */
  readonly external: readonly string[];
  /** Files that do not exist and are not `(new)`: left out. */
  readonly dropped: readonly string[];
  readonly droppedSnippets: readonly string[];
  /** `(new)` files that exist: they may only be edited. */
  readonly madeExisting: readonly string[];
  /** Files that had several entries. */
  readonly merged: readonly string[];
  /** Fields that were missing and got a default. */
  readonly filled: readonly string[];
  /** Commands that equal a known one, and the others, which are never run. */
  readonly commands: { readonly known: readonly string[]; readonly proposed: readonly string[] };
  /** The whole report in words, one change a line. */
  readonly lines: readonly string[];
}

/** The changes as they gather. */
export interface Changes extends PathChanges {
  readonly filled: Set<string>;
  readonly known: Set<string>;
  readonly proposed: Set<string>;
}

export function noChanges(): Changes {
  return {
    rewritten: new Map(),
    external: new Set(),
    dropped: new Set(),
    droppedSnippets: new Set(),
    madeExisting: new Set(),
    merged: new Set(),
    filled: new Set(),
    known: new Set(),
    proposed: new Set(),
  };
}

/** The finished report. */
export function reportOf(changes: Changes): PackReport {
  const rewritten = [...changes.rewritten].map(([from, to]) => ({ from, to }));
  const lines = [
    ...rewritten.map(({ from, to }) => `path ${from} read as ${to}`),
    ...say(changes.external, "path outside the repository left out"),
    ...say(changes.dropped, "file that does not exist left out"),
    ...say(changes.droppedSnippets, "snippet of a file that does not exist left out"),
    ...say(changes.madeExisting, "file marked (new) exists and may only be edited"),
    ...say(changes.merged, "entries of one file merged"),
    ...say(changes.filled, "missing field filled in"),
    ...say(changes.proposed, "command proposed, not run"),
  ];
  return {
    rewritten,
    external: [...changes.external],
    dropped: [...changes.dropped],
    droppedSnippets: [...changes.droppedSnippets],
    madeExisting: [...changes.madeExisting],
    merged: [...changes.merged],
    filled: [...changes.filled],
    commands: { known: [...changes.known], proposed: [...changes.proposed] },
    lines: lines.map((line) => line.replaceAll(/[\r\n]+/g, " ")),
  };
}

function say(things: ReadonlySet<string>, what: string): string[] {
  return [...things].map((thing) => `${what}: ${thing}`);
}
