import { mostAtOnce } from "./folder-groups.ts";
import type { Journal } from "./journal.ts";

/** Holds the disk space that taking back needs, so that a disk that fills up meanwhile has it. */
export const roomName = "room";
/** Disk space is given in blocks of this size; what is over is folders and records. */
const blockBytes = 4096;
const spareBytes = 8 * blockBytes;

/**
 * What `roomName` holds. An old file is written before kit's goes: what is needed is the old ones of
 * all that are worked on at once, and what the old ones are larger than kit's.
 * @param written what kit writes, in the order of the steps that write
 */
export function roomFor({ steps }: Journal, written: readonly Uint8Array[]): Buffer {
  const ours = written.values();
  const blocksOf = (bytes = 0): number => Math.ceil(bytes / blockBytes);
  const pairs = steps.map(({ before, after }) => ({
    old: blocksOf(before?.size),
    ours: after === null ? 0 : blocksOf(ours.next().value?.length),
  }));
  const growth = pairs.reduce((sum, pair) => sum + Math.max(0, pair.old - pair.ours), 0);
  const largest = pairs.map(({ old }) => old).toSorted((one, other) => other - one);
  const passing = largest.slice(0, mostAtOnce).reduce((sum, blocks) => sum + blocks, 0);
  return Buffer.alloc((growth + passing) * blockBytes + spareBytes);
}
