const lineFeed = 0x0a;

/** Room for a line at first; it doubles where one is longer. */
const firstLineBytes = 64 * 1024;

/**
 * Splits a stream of bytes at LF and nowhere else (CR, U+2028 and the like are content), keeping
 * at most one unfinished line of `maxLineBytes` in memory. A line is only lent: its bytes are
 * overwritten once `onLine` has returned, so that a long stream leaves no garbage behind.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #maxLineBytes: number;
  /** The beginning of a line whose end has not come yet, in its first `#bytes`. */
  #unfinished = Buffer.allocUnsafeSlow(firstLineBytes);
  #bytes = 0;

  constructor(onLine: (line: Buffer) => void, maxLineBytes: number) {
    this.#onLine = onLine;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Gives false when a line is longer than allowed; nothing may be pushed after that. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      if (this.#bytes + at - from > this.#maxLineBytes) return false;
      if (this.#bytes === 0) this.#onLine(chunk.subarray(from, at));
      else {
        this.#keep(chunk.subarray(from, at));
        this.#emit();
      }
      from = at + 1;
    }
    if (this.#bytes + chunk.length - from > this.#maxLineBytes) return false;
    this.#keep(chunk.subarray(from));
    return true;
  }

  /** The last line, where it had no LF. */
  finish(): void {
    if (this.#bytes > 0) this.#emit();
  }

  #keep(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (bytes > this.#unfinished.length) {
      const room = Math.min(2 * this.#unfinished.length, this.#maxLineBytes);
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, room));
      this.#unfinished.copy(larger, 0, 0, this.#bytes);
      this.#unfinished = larger;
    }
    piece.copy(this.#unfinished, this.#bytes);
    this.#bytes = bytes;
  }

  #emit(): void {
    const line = this.#unfinished.subarray(0, this.#bytes);
    this.#bytes = 0;
    this.#onLine(line);
  }
}

/** Keeps the last bytes of a stream. */
export class TailBuffer {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * this.#maxBytes) this.#pieces = [this.#cut()];
  }

  /** As UTF-8; a character that the cut went through is dropped. */
  text(): string {
    const kept = this.#cut();
    let from = 0;
    if (this.#bytes > kept.length || kept.length === this.#maxBytes) {
      while (from < 3 && ((kept[from] ?? 0) & 0xc0) === 0x80) from += 1;
    }
    return kept.subarray(from).toString("utf8");
  }

  #cut(): Buffer {
    const all = Buffer.concat(this.#pieces);
    const kept = all.subarray(Math.max(0, all.length - this.#maxBytes));
    this.#bytes = kept.length;
    return kept;
  }
}
