import type { RepoPath } from "../contracts/index.ts";
import type { LeftOut } from "./left-out.ts";
import { buildSegments } from "./terms/build.ts";
import { unknownKey, type Wanted } from "./terms/fill.ts";
import { findWord, type WordHit } from "./terms/search.ts";
import { type BlobKey, contentReasons, type Segment, segmentIn } from "./terms/segment.ts";
import { SegmentStore, type StoredSegment } from "./terms/store.ts";

/** Where the words of the query stand in the contents of a repository. */
export interface Contents {
  /** Words in all of each file whose contents are text. */
  readonly words: ReadonlyMap<RepoPath, number>;
  readonly averageWords: number;
  /** For each stem asked for: the files that hold it. */
  readonly hits: ReadonlyMap<string, ReadonlyMap<RepoPath, WordHit>>;
}

export interface ContentsRequest {
  readonly root: string;
  /** Files that may be read, the likeliest first. */
  readonly files: readonly RepoPath[];
  /** Blob ids of files that are on disk as git knows them. */
  readonly keys: ReadonlyMap<RepoPath, BlobKey>;
  readonly stems: readonly string[];
  /** `none` in small repositories, where reading is quicker; `read` writes nothing. */
  readonly cache: "none" | "read" | "write";
  readonly limits: {
    readonly maxFileBytes: number;
    readonly maxFilesRead: number;
  };
  /** Takes what was not read, with the reason. */
  readonly leftOut: LeftOut[];
}

const isKept = ({ key }: Wanted): boolean => key !== "";

/** Looks the stems up, in the cache where blobs are known there, else in the files themselves. */
export async function searchContents(request: ContentsRequest): Promise<Contents> {
  const { root, keys, cache, limits } = request;
  const store = new SegmentStore(root);
  const stored = cache === "none" ? [] : store.open();
  const search = new ContentSearch(request);
  try {
    const wanted = search.takeKnown(stored, (segment) => store.markDamaged(segment));
    // Before anything new: the same words make a file of the same name.
    if (cache === "write" && wanted.some(isKept)) await tidy(store, stored, keys.size);
    const { maxFileBytes } = limits;
    const maxScannedBytes = request.files.length > manyFiles ? startOfFile : maxFileBytes;
    const task = { root, maxFileBytes, maxScannedBytes };
    await buildSegments(wanted, task, async ({ bytes, files, unreadable }) => {
      search.takeNew(segmentIn(bytes), files, unreadable);
      if (cache === "write" && files.some(isKept)) await store.keep(bytes);
    });
  } finally {
    for (const segment of stored) segment.close();
  }
  return search.found();
}

/** In a repository of more files than these only the start of each is looked through. */
const manyFiles = 50_000;
const startOfFile = 4 * 1024;

/** A word that so many files hold tells none of them from the others. */
const commonFrom = 20_000;

/** Segments of less than this are many small changes; they are made anew together. */
const smallSegment = 512;

async function tidy(
  store: SegmentStore,
  stored: readonly StoredSegment[],
  files: number,
): Promise<void> {
  const small = stored.filter(({ segment }) => segment.keys.length < smallSegment);
  const all = stored.reduce((sum, { segment }) => sum + segment.keys.length, 0);
  if (all > 3 * files + 20_000) await store.drop(stored);
  else await store.drop(small.length > 24 ? small : []);
}

class ContentSearch {
  readonly #request: ContentsRequest;
  readonly #words = new Map<RepoPath, number>();
  readonly #hits = new Map<string, Map<RepoPath, WordHit>>();
  readonly #common = new Set<string>();

  constructor(request: ContentsRequest) {
    this.#request = request;
    for (const stem of request.stems) this.#hits.set(stem, new Map());
  }

  /** Takes what the cache knows; gives the files that must be read. */
  takeKnown(
    stored: readonly StoredSegment[],
    onDamage: (segment: StoredSegment) => void,
  ): readonly Wanted[] {
    const { files, keys, limits, leftOut } = this.#request;
    const places = new Map<BlobKey, number>();
    for (const [index, { segment }] of stored.entries()) {
      for (const [file, key] of segment.keys.entries()) places.set(key, index * 4096 + file);
    }
    const perSegment = stored.map(() => new Map<number, RepoPath[]>());
    const wanted: Wanted[] = [];
    const unread: RepoPath[] = [];
    for (const path of files) {
      const key = keys.get(path) ?? "";
      const place = key === "" || key === unknownKey ? undefined : places.get(key);
      if (place === undefined) {
        if (wanted.length < limits.maxFilesRead) wanted.push({ path, key });
        else unread.push(path);
        continue;
      }
      const ofSegment = perSegment[Math.floor(place / 4096)];
      const same = ofSegment?.get(place % 4096);
      if (same === undefined) ofSegment?.set(place % 4096, [path]);
      else same.push(path);
    }
    for (const [index, each] of stored.entries()) {
      const paths = perSegment[index];
      if (paths === undefined || paths.size === 0) continue;
      try {
        this.#take(each.segment, paths);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        onDamage(each);
        // A damaged file of the cache: what it was to know is read again.
        for (const path of [...paths.values()].flat()) {
          wanted.push({ path, key: keys.get(path) ?? "" });
        }
      }
    }
    const [first] = unread;
    if (first !== undefined) {
      const reason = `not read, nor ${unread.length - 1} others: the repository is large`;
      leftOut.push({ path: first, reason });
    }
    return wanted;
  }

  takeNew(
    segment: Segment,
    files: readonly Wanted[],
    unreadable: ReadonlyMap<string, string>,
  ): void {
    const paths = new Map<number, RepoPath[]>();
    for (const [index, { path }] of files.entries()) {
      const reason = unreadable.get(path);
      if (reason === undefined) paths.set(index, [path as RepoPath]);
      else this.#request.leftOut.push({ path: path as RepoPath, reason });
    }
    this.#take(segment, paths);
  }

  found(): Contents {
    let all = 0;
    for (const words of this.#words.values()) all += words;
    return {
      words: this.#words,
      averageWords: all / Math.max(1, this.#words.size),
      hits: this.#hits,
    };
  }

  #take(segment: Segment, paths: ReadonlyMap<number, readonly RepoPath[]>): void {
    for (const [stem, hits] of this.#hits) {
      if (this.#common.has(stem)) continue;
      for (const [file, hit] of findWord(segment, stem)) {
        for (const path of paths.get(file) ?? []) hits.set(path, hit);
      }
      if (hits.size > commonFrom) {
        this.#common.add(stem);
        hits.clear();
      }
    }
    for (const [file, same] of paths) {
      const reason = contentReasons[segment.reasons[file] ?? 0] ?? "";
      for (const path of same) {
        if (reason === "") this.#words.set(path, segment.words[file] ?? 0);
        else this.#request.leftOut.push({ path, reason });
      }
    }
  }
}
