import type { FileNumber, FileTable } from "../file-table.ts";
import { type Best, type Corpus, noScores, raiseTo, type Scores } from "./corpus.ts";
import { type Reference, referencesIn } from "./references.ts";

/** What files refer to, one step far. */
export function importScores(corpus: Corpus, from: Best): Scores {
  const scores = noScores(corpus);
  const { files } = corpus;
  const targets = new Map<FileNumber, Set<FileNumber>>();
  const wanted = new NamesWanted(files);
  for (const file of from.keys()) {
    const path = files.paths[file];
    const text = path === undefined ? undefined : corpus.text(path)?.text;
    if (path === undefined || text === undefined) continue;
    const own = new Set<FileNumber>();
    targets.set(file, own);
    const { references, endings } = referencesIn(path, text);
    for (const reference of references) {
      if ("beside" in reference) {
        const target = besideOf(path, reference.beside, endings, files);
        if (target !== undefined) own.add(target);
      } else wanted.want(reference, path, endings, own);
    }
  }
  wanted.look();
  for (const [file, own] of targets) {
    own.delete(file);
    // A file that refers to everything says little about each.
    const share = (from.get(file) ?? 0) / Math.sqrt(Math.max(1, own.size / 4));
    for (const target of own) raiseTo(scores, target, share);
  }
  return scores;
}

function besideOf(
  from: string,
  specifier: string,
  endings: readonly string[],
  files: FileTable,
): FileNumber | undefined {
  const segments = from.split("/").slice(0, -1);
  for (const segment of specifier.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  const path = segments.join("/");
  for (const each of [path, path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")]) {
    for (const ending of endings) {
      const file = files.numberOf(each + ending);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

interface Wish {
  /** Part of a path that must stand before the name. */
  readonly end: string;
  /** The path of the file that refers. */
  readonly from: string;
  readonly takes: Set<FileNumber>;
  readonly found: FileNumber[];
}

/** A name that more files have means none of them. */
const maxAlike = 3;
/** A folder of more files is not one thing. */
const maxInFolder = 12;

/** Ends of paths that are looked for all at once: one way through all files. */
class NamesWanted {
  readonly #files: FileTable;
  /** By the last part of the path. */
  readonly #names = new Map<string, Wish[]>();
  readonly #folders = new Map<string, Wish[]>();

  constructor(files: FileTable) {
    this.#files = files;
  }

  want(
    reference: Exclude<Reference, { beside: string }>,
    from: string,
    endings: readonly string[],
    takes: Set<FileNumber>,
  ): void {
    const wish = (end: string): Wish => ({ end, from, takes, found: [] });
    if ("folder" in reference) add(this.#folders, lastOf(reference.folder), wish(reference.folder));
    else if ("type" in reference) {
      const ending = from.slice(from.lastIndexOf("."));
      const own = wish("");
      for (const name of new Set([reference.type, underscored(reference.type)])) {
        add(this.#names, name + ending, own);
      }
    } else {
      const own = wish("");
      for (const ending of endings) {
        const end = reference.ending + ending;
        add(this.#names, lastOf(end), { ...own, end });
      }
    }
  }

  /** Gives each file that refers what was found for it. */
  look(): void {
    if (this.#names.size + this.#folders.size === 0) return;
    let folder = "";
    let ofFolder: readonly Wish[] = [];
    for (const [file, path] of this.#files.paths.entries()) {
      const cut = path.lastIndexOf("/");
      if (cut !== folder.length || !path.startsWith(folder)) {
        folder = path.slice(0, Math.max(0, cut));
        ofFolder = (this.#folders.get(lastOf(folder)) ?? []).filter(({ end }) =>
          endsWithPath(end, folder),
        );
      }
      for (const { found, from } of ofFolder) {
        if (extensionOf(path) === extensionOf(from)) found.push(file);
      }
      for (const { end, found } of this.#names.get(path.slice(cut + 1)) ?? []) {
        if (endsWithPath(path, end)) found.push(file);
      }
    }
    for (const wishes of this.#names.values()) this.#grant(wishes, maxAlike);
    for (const wishes of this.#folders.values()) this.#grant(wishes, maxInFolder);
  }

  #grant(wishes: readonly Wish[], most: number): void {
    for (const { found, takes } of wishes) {
      if (found.length <= most) for (const file of found) takes.add(file);
    }
  }
}

function add(wishes: Map<string, Wish[]>, name: string, wish: Wish): void {
  const same = wishes.get(name);
  if (same === undefined) wishes.set(name, [wish]);
  else same.push(wish);
}

/** True when `end` is the path, its end from a folder on, or empty. */
function endsWithPath(path: string, end: string): boolean {
  if (end === "" || path === end) return true;
  return path.endsWith(end) && path[path.length - end.length - 1] === "/";
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}

/** `PriceList` → `price_list`. */
function underscored(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}
