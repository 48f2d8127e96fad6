import type { PackFile, PackSnippet } from "../../contracts/index.ts";
import { present } from "../codec.ts";

/** A path as it was written, held against the repository. */
export type LocatedPath =
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "outside" };

/**
 * Where a written path leads: `./`, `\`, doubled `/` and `..` are cleaned, an absolute path
 * inside `root` becomes relative. `~` is a home folder, never a folder of that name.
 */
function locatePath(written: string, root: string): LocatedPath {
  let path = written.trim().replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/i, "");
  path = path.replaceAll("\\", "/");
  const base = root.replaceAll("\\", "/").replace(/\/$/, "");
  if (path === base || path.startsWith(`${base}/`)) path = path.slice(base.length + 1);
  else if (/^(?:\/|~|[A-Za-z]:(?:\/|$)|[a-z][a-z0-9+.-]+:\/\/)/i.test(path))
    return { kind: "outside" };
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return { kind: "outside" };
  }
  return { kind: "inside", path: segments.join("/") };
}

/** What happens to the paths of a pack, as it gathers. Paths are named as they were written. */
export interface PathChanges {
  readonly rewritten: Map<string, string>;
  readonly external: Set<string>;
  readonly dropped: Set<string>;
  readonly droppedSnippets: Set<string>;
  readonly madeExisting: Set<string>;
  readonly merged: Set<string>;
}

/** The repository as paths are held against it. */
export interface PathFacts {
  /** Absolute. */
  readonly root: string;
  /** Absent: nobody says what exists, so nothing is judged by it. */
  readonly exists?: (path: string) => boolean;
  /** Whether files lie under a path. */
  readonly isFolder?: (path: string) => boolean;
}

/** One entry a file, with its ranges and reasons together, in order of appearance. */
export function normalizeFiles(
  files: readonly PackFile[],
  facts: PathFacts,
  changes: PathChanges,
): PackFile[] {
  const entries = new Map<string, PackFile[]>();
  for (const file of files) {
    const path = settle(file.path, facts, changes);
    if (path === undefined) continue;
    const exists = facts.exists?.(path) ?? !file.create;
    if (path === "" || (!exists && (!file.create || facts.isFolder?.(path)))) {
      changes.dropped.add(file.path);
      continue;
    }
    if (exists && file.create) changes.madeExisting.add(path);
    const { create: _, ...rest } = file;
    const entry = { ...rest, path, ...(!exists && { create: true as const }) };
    const known = entries.get(path);
    if (known) known.push(entry);
    else entries.set(path, [entry]);
  }
  for (const [path, all] of entries) if (all.length > 1) changes.merged.add(path);
  return [...entries.values()].map(mergeEntries);
}

function mergeEntries(entries: readonly PackFile[]): PackFile {
  const [first] = entries;
  if (first === undefined || entries.length === 1) return first ?? { path: "" };
  const isWhole = entries.some((entry) => entry.lines === undefined);
  const reasons = new Set(entries.flatMap((entry) => entry.reason ?? []));
  return {
    path: first.path,
    ...present("reason", [...reasons].join("; ")),
    ...present("lines", isWhole ? [] : joinRanges(entries.flatMap((entry) => entry.lines ?? []))),
    ...(first.create && { create: true as const }),
  };
}

/** Ranges in ascending order, those that touch or overlap as one. */
function joinRanges(ranges: readonly string[]): string[] {
  const pairs = ranges
    .map((range) => range.split("-").map(Number))
    .map(([start = 1, end = start]) => ({ start, end }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const joined: { start: number; end: number }[] = [];
  for (const pair of pairs) {
    const last = joined.at(-1);
    if (last && pair.start <= last.end + 1) last.end = Math.max(last.end, pair.end);
    else joined.push({ ...pair });
  }
  return joined.map(({ start, end }) => `${start}-${end}`);
}

/** Snippets of files that exist, each once. */
export function normalizeSnippets(
  snippets: readonly PackSnippet[],
  facts: PathFacts,
  changes: PathChanges,
): PackSnippet[] {
  const kept = new Map<string, PackSnippet>();
  for (const snippet of snippets) {
    const path = settle(snippet.path, facts, changes);
    if (path === undefined) continue;
    if (facts.exists?.(path) ?? true) {
      kept.set(JSON.stringify([path, snippet.lines, snippet.content]), { ...snippet, path });
    } else changes.droppedSnippets.add(snippet.path);
  }
  return [...kept.values()];
}

/** The path inside the repository, or nothing for one that is outside; both are reported. */
export function settle(
  written: string,
  { root, exists }: PathFacts,
  changes: PathChanges,
): string | undefined {
  if (exists?.(written)) return written;
  const located = locatePath(written, root);
  if (located.kind === "outside") {
    changes.external.add(written);
    return undefined;
  }
  const path = exists ? withoutRepositoryName(located.path, root, exists) : located.path;
  if (path !== written) changes.rewritten.set(written, path);
  return path;
}

/**
 * `project/src/a.ts` for `src/a.ts`, where the repository's folder is called `project`; `a/` and
 * `b/` as diffs write them.
 */
function withoutRepositoryName(
  path: string,
  root: string,
  exists: (path: string) => boolean,
): string {
  const name = `${root.split(/[/\\]/).findLast((segment) => segment !== "") ?? ""}/`;
  const prefix = [name, "a/", "b/"].find((one) => path.startsWith(one));
  const inner = path.slice(prefix?.length ?? 0);
  return !exists(path) && exists(inner) ? inner : path;
}
