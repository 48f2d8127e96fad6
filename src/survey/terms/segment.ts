import { crc32 } from "node:zlib";
import type { BlobKey } from "./blob-key.ts";
import type { TermScanner } from "./scan.ts";

/** Files of one segment: their numbers take 12 bits of a posting. */
export const segmentFiles = 4096;
const maxPostings = 4_000_000;

const bucketBits = 12;
const buckets = 1 << bucketBits;
const restBits = 13;
const restMask = (1 << restBits) - 1;
const maxCount = 63;
const offsetBytes = (buckets + 1) * 4;
const tableBytes = offsetBytes + buckets * 4;

/** `KIT3`, files, postings, length of the file, checksum of what stands before the postings. */
const magic = 0x4b495433;
const headerBytes = 20;
/** Three columns: keys (8 bytes), words in all (4), why they were not read (4). */
const fileBytes = 16;

/** Why the contents of a file were not taken up; 0 where they were. The order is the format. */
export const contentReasons = ["", "binary", "LFS pointer", "generated", "minified", "not UTF-8"];

/**
 * Where words stand in up to 4,096 files, as hashes of 25 bits: no word can be read from it. Made
 * once, never changed. In bytes: header, files, offsets and checksums of the buckets, postings by
 * bucket; a posting is 12 bits of file, 6 of count, 1 for a definition, 13 of hash.
 */
export class SegmentBuilder {
  readonly #files: { key: BlobKey; words: number; reason: number }[] = [];
  #postings = new Uint32Array(1 << 16);
  #bucketOf = new Uint16Array(1 << 16);
  #count = 0;

  get isFull(): boolean {
    return this.#files.length >= segmentFiles || this.#count >= maxPostings;
  }

  /** A file with the words of the scanner's last scan. */
  add(key: BlobKey, words: number, scanner: TermScanner): void {
    const file = this.#files.length;
    this.#files.push({ key, words, reason: 0 });
    for (let place = 0; place < scanner.distinct; place += 1) {
      if (this.#count === this.#postings.length) this.#grow();
      const hash = scanner.hashAt(place);
      this.#bucketOf[this.#count] = hash >>> (32 - bucketBits);
      this.#postings[this.#count] =
        (file << 20) |
        (Math.min(scanner.countAt(place), maxCount) << 14) |
        (scanner.isDefinedAt(place) ? 1 << restBits : 0) |
        (hash & restMask);
      this.#count += 1;
    }
  }

  /** A file whose contents are not taken up, so that it need not be read again. */
  addUnread(key: BlobKey, reason: number): void {
    this.#files.push({ key, words: 0, reason });
  }

  /** The segment; the builder starts anew. */
  take(): Buffer {
    const offsetsAt = headerBytes + this.#files.length * fileBytes;
    const postingsAt = offsetsAt + tableBytes;
    const bytes = Buffer.alloc(postingsAt + this.#count * 4);
    bytes.writeUInt32LE(magic, 0);
    bytes.writeUInt32LE(this.#files.length, 4);
    bytes.writeUInt32LE(this.#count, 8);
    bytes.writeUInt32LE(bytes.length, 12);
    const wordsAt = headerBytes + this.#files.length * 8;
    const reasonsAt = wordsAt + this.#files.length * 4;
    for (const [index, { key, words, reason }] of this.#files.entries()) {
      bytes.writeDoubleLE(key, headerBytes + index * 8);
      bytes.writeUInt32LE(words, wordsAt + index * 4);
      bytes.writeUInt32LE(reason, reasonsAt + index * 4);
    }
    const next = new Uint32Array(buckets + 1);
    for (let index = 0; index < this.#count; index += 1) {
      const bucket = (this.#bucketOf[index] ?? 0) + 1;
      next[bucket] = (next[bucket] ?? 0) + 1;
    }
    for (let bucket = 1; bucket <= buckets; bucket += 1) {
      next[bucket] = (next[bucket] ?? 0) + (next[bucket - 1] ?? 0);
    }
    const offsets = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
    offsets.copy(bytes, offsetsAt);
    const sorted = new Uint32Array(bytes.buffer, bytes.byteOffset + postingsAt, this.#count);
    for (let index = 0; index < this.#count; index += 1) {
      const bucket = this.#bucketOf[index] ?? 0;
      const at = next[bucket] ?? 0;
      next[bucket] = at + 1;
      sorted[at] = this.#postings[index] ?? 0;
    }
    for (let bucket = 0, from = postingsAt; bucket < buckets; bucket += 1) {
      // By now each offset has moved on to the end of its bucket.
      const to = postingsAt + (next[bucket] ?? 0) * 4;
      const checksum = to === from ? 0 : crc32(bytes.subarray(from, to));
      bytes.writeUInt32LE(checksum, offsetsAt + offsetBytes + bucket * 4);
      from = to;
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(headerBytes, postingsAt)), 16);
    this.#files.length = 0;
    this.#count = 0;
    return bytes;
  }

  #grow(): void {
    const postings = new Uint32Array(this.#postings.length * 2);
    postings.set(this.#postings);
    this.#postings = postings;
    const bucketOf = new Uint16Array(this.#bucketOf.length * 2);
    bucketOf.set(this.#bucketOf);
    this.#bucketOf = bucketOf;
  }
}

/** Reads `length` bytes of a segment from `offset` on. */
export type ReadAt = (offset: number, length: number) => Buffer;

/** A segment that was made earlier, read where it is asked for. */
export class Segment {
  readonly keys: Float64Array;
  /** Words of each file. */
  readonly words: Uint32Array;
  /** Places in `contentReasons`. */
  readonly reasons: Uint32Array;
  readonly #read: ReadAt;
  readonly #offsets: Buffer;
  readonly #postingsAt: number;
  readonly #postings: number;

  /** @throws RangeError where the bytes are no whole segment. */
  constructor(read: ReadAt, size: number) {
    const header = read(0, headerBytes);
    const files = header.readUInt32LE(4);
    const postings = header.readUInt32LE(8);
    const offsetsAt = headerBytes + files * fileBytes;
    const postingsAt = offsetsAt + tableBytes;
    const isWhole =
      header.readUInt32LE(0) === magic &&
      files <= segmentFiles &&
      header.readUInt32LE(12) === size &&
      postingsAt + postings * 4 === size;
    if (!isWhole) throw new RangeError("no whole segment");
    const table = read(headerBytes, postingsAt - headerBytes);
    if (crc32(table) !== header.readUInt32LE(16)) throw new RangeError("damaged segment");
    const column = (from: number, to: number): ArrayBuffer =>
      Uint8Array.from(table.subarray(from, to)).buffer;
    this.keys = new Float64Array(column(0, files * 8));
    this.words = new Uint32Array(column(files * 8, files * 12));
    this.reasons = new Uint32Array(column(files * 12, files * 16));
    this.#read = read;
    this.#offsets = table.subarray(offsetsAt - headerBytes);
    this.#postingsAt = postingsAt;
    this.#postings = postings;
  }

  /** The files that hold a word. @throws RangeError where the bytes are damaged. */
  find(hash: number, visit: (file: number, count: number, isDefined: boolean) => void): void {
    const bucket = hash >>> (32 - bucketBits);
    const from = this.#offsets.readUInt32LE(bucket * 4);
    const to = this.#offsets.readUInt32LE(bucket * 4 + 4);
    if (to <= from) return;
    if (to > this.#postings) throw new RangeError("damaged segment");
    const bytes = this.#read(this.#postingsAt + from * 4, (to - from) * 4);
    if (crc32(bytes) !== this.#offsets.readUInt32LE(offsetBytes + bucket * 4)) {
      throw new RangeError("damaged segment");
    }
    const rest = hash & restMask;
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const posting = bytes.readUInt32LE(at);
      if ((posting & restMask) !== rest) continue;
      const file = posting >>> 20;
      if (file >= this.keys.length) throw new RangeError("damaged segment");
      visit(file, (posting >>> 14) & maxCount, ((posting >>> restBits) & 1) === 1);
    }
  }
}

/** The part of a segment that tells it from any other: its files, and checksums of the rest. */
export function headOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, headerBytes + bytes.readUInt32LE(4) * fileBytes + tableBytes);
}

/** A segment whose bytes are in memory. */
export function segmentIn(bytes: Buffer): Segment {
  return new Segment((offset, length) => bytes.subarray(offset, offset + length), bytes.length);
}
