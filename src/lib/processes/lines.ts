const lineFeed = 0x0a;

/**
 * Splits a stream of bytes at LF and nowhere else (CR, U+2028 and the like are content), keeping
 * at most one unfinished line of `maxLineBytes` in memory.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(onLine: (line: Buffer) => void, maxLineBytes: number) {
    this.#onLine = onLine;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Gives false when a line is longer than allowed; nothing may be pushed after that. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      if (!this.#add(chunk.subarray(from, at))) return false;
      this.#emit();
      from = at + 1;
    }
    return this.#add(chunk.subarray(from));
  }

  /** The last line, where it had no LF. */
  finish(): void {
    if (this.#bytes > 0) this.#emit();
  }

  #add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxLineBytes) return false;
    if (piece.length > 0) this.#pieces.push(piece);
    return true;
  }

  #emit(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    this.#onLine(line ?? Buffer.alloc(0));
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
