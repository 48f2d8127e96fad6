import type { RepoPath } from "../contracts/index.ts";

/** What stands at a path, links not followed. `mode` holds the permission bits. */
export type TreeEntry =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "missing" }
  /** `what`: in words, where the reader can say: `a repository of its own`. */
  | { readonly kind: "other"; readonly what?: string };

/** The tree a plan is held against. Read only; a parent that is a link is not followed either. */
export interface TreeReader {
  read(path: RepoPath): Promise<TreeEntry>;
  /** Names that stand in a folder, to find case-only twins. The root is `""`; no such folder: none. */
  names(folder: RepoPath | ""): Promise<readonly string[]>;
}

/** A file of an in-memory tree: text, bytes, or a whole entry. */
export type MemoryFile = string | Uint8Array | TreeEntry;

/**
 * A tree in memory: path → content (mode 0644) or entry. Folders are implied by the paths.
 * For tests, previews and callers that keep their files elsewhere.
 */
export function memoryTree(files: Readonly<Record<string, MemoryFile>>): TreeReader {
  const entries = new Map<string, TreeEntry>();
  const folders = new Map<string, Set<string>>([["", new Set()]]);
  for (const [path, file] of Object.entries(files)) {
    entries.set(path, toEntry(file));
    const segments = path.split("/");
    segments.forEach((segment, depth) => {
      const folder = segments.slice(0, depth).join("/");
      const names = folders.get(folder) ?? new Set<string>();
      folders.set(folder, names.add(segment));
    });
  }
  return {
    read: (path) =>
      Promise.resolve(
        entries.get(path) ?? (folders.has(path) ? { kind: "folder" } : { kind: "missing" }),
      ),
    names: (folder) => Promise.resolve([...(folders.get(folder) ?? [])]),
  };
}

function toEntry(file: MemoryFile): TreeEntry {
  if (typeof file === "string") {
    return { kind: "file", bytes: new TextEncoder().encode(file), mode: 0o644 };
  }
  return file instanceof Uint8Array ? { kind: "file", bytes: file, mode: 0o644 } : file;
}
