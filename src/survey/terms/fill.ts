import { isUtf8 } from "node:buffer";
import { RepositoryReader } from "../reading.ts";
import { unreadableContent } from "../unread.ts";
import { TermScanner } from "./scan.ts";
import { type BlobKey, contentReasons, SegmentBuilder } from "./segment.ts";

/** A file whose words are wanted. `key` is empty where git does not know these contents. */
export interface Wanted {
  readonly path: string;
  readonly key: BlobKey;
}

export interface FillLimits {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly maxFileBytes: number;
  /** Words are counted up to here. */
  readonly maxScannedBytes: number;
}

/** The key of contents that git does not know: they are read again next time. */
export const unknownKey: BlobKey = "0000000000000000";

/** Reads files and puts their words into segments. */
export class SegmentFiller {
  readonly builder = new SegmentBuilder();
  readonly #reader: RepositoryReader;
  readonly #scanner = new TermScanner();
  readonly #buffer: Buffer;
  readonly #maxScannedBytes: number;

  constructor({ root, maxFileBytes, maxScannedBytes }: FillLimits) {
    this.#reader = new RepositoryReader(root);
    this.#buffer = Buffer.allocUnsafeSlow(maxFileBytes + 1);
    this.#maxScannedBytes = maxScannedBytes;
  }

  /** Takes a file up. Gives its bytes, and the reason where it cannot even be read. */
  add({ path, key }: Wanted): { readonly bytes: number; readonly unreadable?: string } {
    const read = this.#reader.readInto(path, this.#buffer);
    if (!read.ok) {
      this.builder.addUnread(unknownKey, 0);
      return { bytes: 0, unreadable: read.reason };
    }
    const { bytes } = read;
    const why = unreadableContent(bytes) ?? (isUtf8(bytes) ? undefined : "not UTF-8");
    const reason = why === undefined ? 0 : contentReasons.indexOf(why);
    const known = key === "" ? unknownKey : key;
    if (reason > 0) this.builder.addUnread(known, reason);
    else {
      const words = this.#scanner.scan(bytes.subarray(0, this.#maxScannedBytes));
      this.builder.add(known, words, this.#scanner);
    }
    return { bytes: bytes.length };
  }
}
