/**
 * The first 13 hexadecimal digits of a blob's id, what a file's words are known by: 52 bits are a
 * whole number that a table of numbers holds as it is.
 */
export type BlobKey = number;

const digits = 13;

/** The key of contents that git does not know: they are read again next time. */
export const unknownKey: BlobKey = 0;

/** The key whose digits stand in a text from `from` on; `unknownKey` where there are none. */
export function keyAt(text: string, from: number): BlobKey {
  let key = 0;
  for (let at = from; at < from + digits; at += 1) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && (code < 97 || code > 102)) return unknownKey;
    key = key * 16 + code - (isDigit ? 48 : 87);
  }
  return key;
}

/** Numbers from 0 on by blob key; the last one set counts. */
export class KeyTable {
  readonly #keys: Float64Array;
  readonly #numbers: Int32Array;
  readonly #mask: number;

  /** @param size the most keys it will hold. */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(8, size * 2)));
    this.#keys = new Float64Array(slots);
    this.#numbers = new Int32Array(slots);
    this.#mask = slots - 1;
  }

  set(key: BlobKey, number: number): void {
    if (key === unknownKey) return;
    const slot = this.#slotOf(key);
    this.#keys[slot] = key;
    this.#numbers[slot] = number;
  }

  /** -1 where the key is not known. */
  get(key: BlobKey): number {
    if (key === unknownKey) return -1;
    const slot = this.#slotOf(key);
    return this.#keys[slot] === key ? (this.#numbers[slot] ?? -1) : -1;
  }

  /** Blob ids are random bits already. */
  #slotOf(key: BlobKey): number {
    let slot = key % (this.#mask + 1);
    while (this.#keys[slot] !== key && this.#keys[slot] !== unknownKey) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
