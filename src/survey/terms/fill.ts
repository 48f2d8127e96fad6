import { isUtf8 } from "node:buffer";
import type { RepositoryReader } from "../reading.ts";
import { unreadableContent } from "../unread.ts";
import type { TermScanner } from "./scan.ts";
import { type BlobKey, contentReasons, type SegmentBuilder } from "./segment.ts";

/** A file whose words are wanted. `key` is empty where git does not know these contents. */
export interface Wanted {
  readonly path: string;
  readonly key: BlobKey;
}

/** The key of contents that git does not know: they are read again next time. */
export const unknownKey: BlobKey = "0000000000000000";

/** Reads a file into the builder; the reason where it cannot even be read. Gives its bytes. */
export function fill(
  { path, key }: Wanted,
  reader: RepositoryReader,
  maxFileBytes: number,
  scanner: TermScanner,
  builder: SegmentBuilder,
): { readonly bytes: number; readonly unreadable?: string } {
  const read = reader.read(path, maxFileBytes);
  if (!read.ok) {
    builder.addUnread(unknownKey, 0);
    return { bytes: 0, unreadable: read.reason };
  }
  const { bytes } = read;
  const why = unreadableContent(bytes) ?? (isUtf8(bytes) ? undefined : "not UTF-8");
  const reason = why === undefined ? 0 : contentReasons.indexOf(why);
  const known = key === "" ? unknownKey : key;
  if (reason > 0) builder.addUnread(known, reason);
  else builder.add(known, scanner.scan(bytes), scanner);
  return { bytes: bytes.length };
}
