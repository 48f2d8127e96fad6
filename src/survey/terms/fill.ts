import { isUtf8 } from "node:buffer";
import type { FileNumber } from "../file-table.ts";
import { RepositoryReader } from "../reading.ts";
import { unreadableContent } from "../unread.ts";
import { type BlobKey, unknownKey } from "./blob-key.ts";
import { TermScanner } from "./scan.ts";
import { contentReasons, SegmentBuilder } from "./segment.ts";

/** A file whose words are wanted; `key` is `unknownKey` where git does not know these contents. */
export interface Wanted {
  readonly file: FileNumber;
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

/** What tells binaries and minified files stands in so many bytes. */
const judgedBytes = 8_000;

/** Reads files and puts their words into segments. */
export class SegmentFiller {
  readonly builder = new SegmentBuilder();
  readonly #reader: RepositoryReader;
  readonly #scanner = new TermScanner();
  readonly #buffer: Buffer;
  readonly #maxFileBytes: number;
  readonly #maxScannedBytes: number;

  constructor({ root, maxFileBytes, maxScannedBytes }: FillLimits) {
    this.#reader = new RepositoryReader(root);
    const readBytes = Math.max(maxScannedBytes, judgedBytes);
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(maxFileBytes, readBytes) + 1);
    this.#maxFileBytes = maxFileBytes;
    this.#maxScannedBytes = maxScannedBytes;
  }

  /** Takes a file up. Gives its bytes, and the reason where it cannot even be read. */
  add({ path, key }: Wanted): { readonly bytes: number; readonly unreadable?: string } {
    const read = this.#reader.readStart(path, this.#buffer, this.#maxFileBytes);
    if (!read.ok) {
      this.builder.addUnread(unknownKey, 0);
      return { bytes: 0, unreadable: read.reason };
    }
    const { bytes } = read;
    const whole = bytes.length < this.#buffer.length ? bytes : withoutCutCharacter(bytes);
    const why = unreadableContent(bytes) ?? (isUtf8(whole) ? undefined : "not UTF-8");
    const reason = why === undefined ? 0 : contentReasons.indexOf(why);
    if (reason > 0) this.builder.addUnread(key, reason);
    else {
      const words = this.#scanner.scan(bytes.subarray(0, this.#maxScannedBytes));
      this.builder.add(key, words, this.#scanner);
    }
    return { bytes: bytes.length };
  }
}

/** Bytes without a character of UTF-8 at their end that the cut went through. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}
