/** Words of one letter say nothing; longer ones than this are keys, hashes and data. */
const shortest = 2;
const longest = 40;

/** Distinct words of one file that are kept; what comes later in a dictionary is not missed. */
const maxDistinct = 16_384;
const slots = 2 * maxDistinct;
const slotNumbers = 4;

/** Bytes of words in lower case; 0 stands between words. Beyond ASCII every byte is a letter's. */
const folded = new Uint8Array(256);
for (let byte = 128; byte < 256; byte += 1) folded[byte] = byte;
for (const digit of "0123456789") folded[digit.charCodeAt(0)] = digit.charCodeAt(0);
for (const small of "abcdefghijklmnopqrstuvwxyz") {
  folded[small.charCodeAt(0)] = small.charCodeAt(0);
  folded[small.toUpperCase().charCodeAt(0)] = small.charCodeAt(0);
}

const underscore = 95;
const blank = 32;
const tab = 9;
const star = 42;

/** Words before a name where most languages define one. */
const definers = (
  "function class interface type enum struct trait impl def fn func fun const let var val static module " +
  "object record macro namespace package sub defmodule defp defn protocol union typedef extension"
).split(" ");

const offsetBasis = 0x811c9dc5;

/** 32 bits of a word in lower case, over its UTF-8 bytes; only A to Z have a lower case. */
export function hashOf(word: string): number {
  let hash = offsetBasis;
  for (const byte of Buffer.from(word, "utf8")) hash = Math.imul(hash ^ byte, 16777619);
  return mixed(hash);
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (once ^ (once >>> 13)) >>> 0;
}

/** A bit for each definer: nearly every other word is told apart by one look. */
const definerBits = new Uint8Array(4096);
const definerHashes = new Set(definers.map(hashOf));
for (const hash of definerHashes) definerBits[hash & 4095] = 1;

/**
 * Counts the words of texts, identifiers split at their humps and underscores. One scanner is used
 * for many files: the results of a scan stand until the next one.
 */
export class TermScanner {
  /** Four numbers a slot, so that a word is one look into memory: stamp, hash, count, defined. */
  readonly #table = new Uint32Array(slots * slotNumbers);
  readonly #used = new Uint32Array(maxDistinct);
  #stamp = 0;
  #mask = 0;
  #distinct = 0;

  /** Words of a text in all, repetitions counted. */
  scan(bytes: Uint8Array): number {
    this.#stamp += 1;
    this.#distinct = 0;
    const end = bytes.length;
    this.#mask = slotsFor(end) - 1;
    let total = 0;
    let at = 0;
    /** Words of the identifier so far, and whether a definer and blanks stand before it. */
    let words = 0;
    let isDefined = false;
    let last = 0;
    while (at < end) {
      let byte = bytes[at] ?? 0;
      let letter = folded[byte] ?? 0;
      if (letter === 0) {
        at += 1;
        if (byte === underscore) continue;
        if (words > 0) {
          isDefined = words === 1 && definerBits[last & 4095] === 1 && definerHashes.has(last);
          words = 0;
        }
        // Blanks and `*` may stand between `function` and its name.
        if (byte !== blank && byte !== star && byte !== tab) isDefined = false;
        continue;
      }
      const start = at;
      let hash = offsetBasis;
      let wasCapital = false;
      for (;;) {
        const isCapital = letter !== byte;
        hash = Math.imul(hash ^ letter, 16777619);
        wasCapital = isCapital;
        at += 1;
        if (at >= end) break;
        byte = bytes[at] ?? 0;
        letter = folded[byte] ?? 0;
        if (letter === 0) break;
        if (letter === byte) continue;
        // A capital starts a word behind a small letter, and before one: `autoSave`, `HTTPServer`.
        if (!wasCapital) break;
        const next = at + 1 < end ? (bytes[at + 1] ?? 0) : 0;
        if (next !== 0 && folded[next] === next) break;
      }
      last = mixed(hash);
      words += 1;
      const length = at - start;
      if (length >= shortest && length <= longest) {
        total += 1;
        this.#add(last, isDefined);
      }
    }
    return total;
  }

  /** How many distinct words the last scan met. */
  get distinct(): number {
    return this.#distinct;
  }

  /** A word of the last scan, by its place from 0 on. */
  hashAt(place: number): number {
    return this.#table[(this.#used[place] ?? 0) + 1] ?? 0;
  }

  countAt(place: number): number {
    return this.#table[(this.#used[place] ?? 0) + 2] ?? 0;
  }

  isDefinedAt(place: number): boolean {
    return this.#table[(this.#used[place] ?? 0) + 3] === 1;
  }

  #add(hash: number, isDefined: boolean): void {
    const table = this.#table;
    let slot = hash & this.#mask;
    let at = slot * slotNumbers;
    while (table[at] === this.#stamp && table[at + 1] !== hash) {
      slot = (slot + 1) & this.#mask;
      at = slot * slotNumbers;
    }
    if (table[at] !== this.#stamp) {
      if (this.#distinct >= maxDistinct) return;
      table[at] = this.#stamp;
      table[at + 1] = hash;
      table[at + 2] = 0;
      table[at + 3] = 0;
      this.#used[this.#distinct] = at;
      this.#distinct += 1;
    }
    table[at + 2] = (table[at + 2] ?? 0) + 1;
    if (isDefined) table[at + 3] = 1;
  }
}

/** Twice the words that so many bytes can hold: a small part of the table stays close at hand. */
function slotsFor(bytes: number): number {
  const words = Math.min(maxDistinct, Math.ceil(bytes / shortest));
  return 2 ** Math.ceil(Math.log2(Math.max(16, 2 * words)));
}
