import type { RepoPath } from "../contracts/index.ts";
import type { FileNumber } from "./file-table.ts";
import type { LeftOut } from "./left-out.ts";
import { unknownKey } from "./terms/blob-key.ts";
import { buildSegments } from "./terms/build.ts";
import type { Wanted } from "./terms/fill.ts";
import type { KnownContents } from "./terms/known.ts";
import { findWord, type WordHit } from "./terms/search.ts";
import { contentReasons, type Segment, segmentIn } from "./terms/segment.ts";

/** Where the words of the query stand in the contents of a repository; files by their numbers. */
export interface Contents {
  /** Words in all of each file; -1 where its contents are no text that may be read. */
  readonly words: Int32Array;
  /** Files whose contents are text. */
  readonly texts: number;
  readonly averageWords: number;
  /** For each stem asked for: the files that hold it. */
  readonly hits: ReadonlyMap<string, ReadonlyMap<FileNumber, WordHit>>;
}

export interface ContentsRequest {
  readonly root: string;
  /** All files of the repository. */
  readonly paths: readonly RepoPath[];
  /** Those that may be read, the likeliest first. */
  readonly files: readonly FileNumber[];
  /** Blob keys by file number; `unknownKey` where what is on disk is not what git knows. */
  readonly keys: Float64Array;
  readonly stems: readonly string[];
  /** What was learned earlier; undefined in small repositories, where reading is quicker. */
  readonly known: KnownContents | undefined;
  /** Whether what is learned now is kept. */
  readonly isKept: boolean;
  readonly limits: {
    readonly maxFileBytes: number;
    readonly maxFilesRead: number;
  };
  /** Takes what was not read, with the reason. */
  readonly leftOut: LeftOut[];
}

const isKnownToGit = ({ key }: Wanted): boolean => key !== unknownKey;

/** No file, no place. */
const none = -1;

/** Looks the stems up, in the cache where blobs are known there, else in the files themselves. */
export async function searchContents(request: ContentsRequest): Promise<Contents> {
  const { root, keys, known, isKept, limits } = request;
  const search = new ContentSearch(request);
  const wanted = search.takeKnown();
  // Before anything new: the same words make a file of the same name.
  if (isKept && wanted.some(isKnownToGit)) await known?.tidy(keys.length);
  const { maxFileBytes } = limits;
  const maxScannedBytes = request.files.length > manyFiles ? startOfFile : maxFileBytes;
  const task = { root, maxFileBytes, maxScannedBytes };
  await buildSegments(wanted, task, async ({ bytes, files, unreadable }) => {
    search.takeNew(segmentIn(bytes), files, unreadable);
    if (isKept && files.some(isKnownToGit)) await known?.store.keep(bytes);
  });
  return search.found();
}

/** In a repository of more files than these only the start of each is looked through. */
const manyFiles = 50_000;
const startOfFile = 4 * 1024;

/** A word that so many files hold tells none of them from the others. */
const commonFrom = 20_000;

class ContentSearch {
  readonly #request: ContentsRequest;
  readonly #words: Int32Array;
  readonly #hits = new Map<string, Map<FileNumber, WordHit>>();
  readonly #common = new Set<string>();
  /** Another file with the same contents. */
  readonly #same: Int32Array;

  constructor(request: ContentsRequest) {
    this.#request = request;
    this.#words = new Int32Array(request.paths.length).fill(none);
    this.#same = new Int32Array(request.paths.length).fill(none);
    for (const stem of request.stems) this.#hits.set(stem, new Map());
  }

  /** Takes what the cache knows; gives the files that must be read. */
  takeKnown(): readonly Wanted[] {
    const { paths, files, keys, known, limits, leftOut } = this.#request;
    const segments = known?.segments ?? [];
    const filesIn = segments.map(({ segment }) => new Int32Array(segment.keys.length).fill(none));
    const wanted: Wanted[] = [];
    const want = (file: FileNumber): void => {
      wanted.push({ file, path: paths[file] ?? "", key: keys[file] ?? unknownKey });
    };
    const unread: FileNumber[] = [];
    for (const file of files) {
      const [segment = none, place = none] = known?.placeOf(keys[file] ?? unknownKey) ?? [];
      const inSegment = filesIn[segment];
      if (inSegment !== undefined) {
        this.#same[file] = inSegment[place] ?? none;
        inSegment[place] = file;
      } else if (wanted.length < limits.maxFilesRead) want(file);
      else unread.push(file);
    }
    for (const [index, each] of segments.entries()) {
      const inSegment = filesIn[index];
      if (inSegment === undefined || !inSegment.some((file) => file !== none)) continue;
      try {
        this.#take(each.segment, inSegment);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        known?.store.markDamaged(each);
        // A damaged file of the cache: what it was to know is read again.
        const lost = [...inSegment].flatMap((first) => [...this.#alike(first)]);
        for (const file of lost) want(file);
        for (const file of lost) this.#same[file] = none;
      }
    }
    const [first] = unread;
    if (first !== undefined) {
      const reason = `not read, nor ${unread.length - 1} others: the repository is large`;
      leftOut.push({ path: paths[first] as RepoPath, reason });
    }
    return wanted;
  }

  takeNew(
    segment: Segment,
    files: readonly Wanted[],
    unreadable: ReadonlyMap<string, string>,
  ): void {
    const inSegment = Int32Array.from(files, ({ file, path }) => {
      const reason = unreadable.get(path);
      if (reason === undefined) return file;
      this.#request.leftOut.push({ path: path as RepoPath, reason });
      return none;
    });
    this.#take(segment, inSegment);
  }

  found(): Contents {
    let all = 0;
    let texts = 0;
    for (const words of this.#words) {
      if (words === none) continue;
      all += words;
      texts += 1;
    }
    return {
      words: this.#words,
      texts,
      averageWords: all / Math.max(1, texts),
      hits: this.#hits,
    };
  }

  /** @param files for each place of the segment the file that is there now. */
  #take(segment: Segment, files: Int32Array): void {
    for (const [stem, hits] of this.#hits) {
      if (this.#common.has(stem)) continue;
      for (const [place, hit] of findWord(segment, stem)) {
        for (const file of this.#alike(files[place] ?? none)) hits.set(file, hit);
      }
      if (hits.size > commonFrom) {
        this.#common.add(stem);
        hits.clear();
      }
    }
    for (const [place, first] of files.entries()) {
      if (first === none) continue;
      const reason = contentReasons[segment.reasons[place] ?? 0] ?? "";
      for (const file of this.#alike(first)) {
        if (reason === "") this.#words[file] = segment.words[place] ?? 0;
        else this.#request.leftOut.push({ path: this.#request.paths[file] as RepoPath, reason });
      }
    }
  }

  /** A file and those with the same contents. */
  *#alike(first: FileNumber): Generator<FileNumber> {
    for (let file = first; file !== none; file = this.#same[file] ?? none) yield file;
  }
}
