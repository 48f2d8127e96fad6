import { type BlobKey, KeyTable } from "./blob-key.ts";
import { segmentFiles } from "./segment.ts";
import { SegmentStore, type StoredSegment } from "./store.ts";

/** Segments of less than this are many small changes; they are made anew together. */
const smallSegment = 512;

/** The segments of the cache, their files open, and where each blob is in them. */
export class KnownContents {
  readonly store: SegmentStore;
  readonly segments: readonly StoredSegment[];
  readonly #places: KeyTable;

  /** @param root absolute, links resolved. */
  constructor(root: string) {
    this.store = new SegmentStore(root);
    this.segments = this.store.open();
    this.#places = new KeyTable(
      this.segments.reduce((sum, { segment }) => sum + segment.keys.length, 0),
    );
    for (const [index, { segment }] of this.segments.entries()) {
      for (const [place, key] of segment.keys.entries()) {
        this.#places.set(key, index * segmentFiles + place);
      }
    }
  }

  /** Segment and place in it; undefined where the blob was never read. */
  placeOf(key: BlobKey): readonly [segment: number, place: number] | undefined {
    const at = this.#places.get(key);
    return at < 0 ? undefined : [Math.floor(at / segmentFiles), at % segmentFiles];
  }

  /** Removes damaged segments, and others where they are many. @param files of the repository. */
  async tidy(files: number): Promise<void> {
    const small = this.segments.filter(({ segment }) => segment.keys.length < smallSegment);
    const all = this.segments.reduce((sum, { segment }) => sum + segment.keys.length, 0);
    if (all > 3 * files + 20_000) await this.store.drop(this.segments);
    else await this.store.drop(small.length > 24 ? small : []);
  }

  close(): void {
    for (const segment of this.segments) segment.close();
  }
}
