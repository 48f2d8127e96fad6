import { repoPath, type FileState, type RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import type { TreeEntry, TreeReader } from "../tree.ts";
import type { Strategy } from "./match.ts";

/** A file as the plan leaves it. `origin` is where its bytes lay before; none for a new file. */
export interface PlannedFile {
  readonly origin?: { readonly path: RepoPath; readonly state: FileState };
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly written: "not" | "whole" | "edited";
  readonly strategy?: Strategy;
}

/** The tree with the changes planned so far laid over it. */
export class Overlay {
  private readonly tree: TreeReader;
  private readonly entries = new Map<RepoPath, Promise<TreeEntry>>();
  private readonly folded = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  /** How many planned files lie below a folder; planned paths by their folded form. */
  private readonly folders = new Map<RepoPath, number>();
  private readonly plannedFolded = new Map<string, RepoPath>();
  /** Files that the plan leaves, by path. */
  readonly planned = new Map<RepoPath, PlannedFile>();
  /** Paths of the tree that the plan empties, with what stood there. */
  readonly removed = new Map<RepoPath, FileState>();

  constructor(tree: TreeReader) {
    this.tree = tree;
  }

  /** What stands on disk. */
  entry(path: RepoPath): Promise<TreeEntry> {
    const known = this.entries.get(path) ?? this.tree.read(path);
    this.entries.set(path, known);
    return known;
  }

  /** The file as the plan leaves it so far; undefined where there is none. */
  async file(path: RepoPath): Promise<PlannedFile | undefined> {
    const planned = this.planned.get(path);
    if (planned !== undefined) return planned;
    if (this.removed.has(path)) return undefined;
    const entry = await this.entry(path);
    if (entry.kind !== "file") return undefined;
    const state = { hash: sha256(entry.bytes), mode: entry.mode };
    return { origin: { path, state }, bytes: entry.bytes, mode: entry.mode, written: "not" };
  }

  /** Puts a file; drops what the plan said of its path before. */
  put(path: RepoPath, file: PlannedFile): void {
    if (!this.planned.has(path)) this.countFolders(path, 1);
    this.planned.set(path, file);
    this.plannedFolded.set(fold(path), path);
  }

  /** Takes a file away; what stood there on disk is remembered. */
  take(path: RepoPath, file: PlannedFile): void {
    if (this.planned.delete(path)) this.countFolders(path, -1);
    if (file.origin?.path === path) this.removed.set(path, file.origin.state);
  }

  /**
   * Why no file can stand at `path`, whatever it holds: a link, a folder, or a parent that is no
   * folder, on disk or in this plan. Undefined when one can.
   */
  async obstacle(path: RepoPath): Promise<string | undefined> {
    for (const folder of parentsOf(path)) {
      if (this.planned.has(folder)) return `${folder} is both a file and a folder in this reply`;
      const entry = await this.entry(folder);
      if (entry.kind === "link") return `${folder} is a link to ${entry.target}`;
      if (entry.kind === "other") return `${folder} is not a folder`;
      if (entry.kind === "file" && !this.removed.has(folder)) return `${folder} is a file`;
      if (entry.kind === "file") return `${folder} is a file that this reply removes`;
      if (entry.kind === "missing") break;
    }
    const entry = await this.entry(path);
    if (entry.kind === "folder") return `${path} is a folder`;
    if (entry.kind === "link") {
      return `${path} is a link to ${entry.target}; ask for that file instead`;
    }
    if (entry.kind === "other") return `${path} is not a regular file`;
    if ((this.folders.get(path) ?? 0) === 0) return undefined;
    return `${path} is both a file and a folder in this reply`;
  }

  /** A path that differs from `path` in case only, on disk or in this plan: one file to many systems. */
  async caseTwin(path: RepoPath): Promise<string | undefined> {
    for (const part of [...parentsOf(path), path]) {
      const folder = part.includes("/") ? repoPath(part.slice(0, part.lastIndexOf("/"))) : "";
      const name = part.slice(folder === "" ? 0 : folder.length + 1);
      const twins = (await this.foldedNames(folder)).get(fold(name)) ?? [];
      const twin = twins.find((other) => other !== name);
      if (twin !== undefined) return folder === "" ? twin : `${folder}/${twin}`;
    }
    const planned = this.plannedFolded.get(fold(path));
    return planned === undefined || planned === path ? undefined : planned;
  }

  private foldedNames(folder: RepoPath | ""): Promise<ReadonlyMap<string, readonly string[]>> {
    const known =
      this.folded.get(folder) ??
      this.tree.names(folder).then((names) => Map.groupBy(names, (name) => fold(name)));
    this.folded.set(folder, known);
    return known;
  }

  private countFolders(path: RepoPath, by: 1 | -1): void {
    for (const folder of parentsOf(path)) {
      this.folders.set(folder, (this.folders.get(folder) ?? 0) + by);
    }
  }
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** `a/b/c` → `a`, `a/b`. */
function parentsOf(path: RepoPath): readonly RepoPath[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => repoPath(segments.slice(0, index + 1).join("/")));
}
