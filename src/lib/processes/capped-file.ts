import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";

/** Of a file that is written to all the time, how often its end is looked at before it is cut. */
const mostLooks = 16;

/** What was written, and how much of it the file does not hold. */
export interface CappedOutput {
  readonly outputBytes: number;
  readonly leftOutBytes: number;
}

/**
 * Bounds a file that others append to: `look` cuts it back to its head when it is over
 * `maxBytes`, remembering the end of what was cut; `finish` puts that end behind the head.
 */
export class CappedFile {
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #headBytes: number;
  #tail: Buffer = Buffer.alloc(0);
  #cutBytes = 0;
  #seenBytes = 0;

  /** `fd` is open for reading and appending. Half of `maxBytes` is for the head. */
  constructor(fd: number, maxBytes: number) {
    this.#fd = fd;
    this.#maxBytes = maxBytes;
    this.#headBytes = Math.floor(maxBytes / 2);
  }

  /** True when something was written since the last look. */
  look(): boolean {
    const before = this.#seenBytes;
    try {
      this.#seenBytes = this.#cutBytes + this.#size();
      if (this.#size() > this.#maxBytes) this.#cut();
    } catch {
      // The disk fails: the command meets that too, and it is the one to tell.
    }
    return this.#seenBytes !== before;
  }

  #cut(): void {
    let size = this.#size();
    const parts = [this.#tailUpTo(size)];
    // What is written between the last look and the cut is lost: no more than a system call takes.
    for (let look = 0; look < mostLooks; look += 1) {
      const now = this.#size();
      if (now <= size) break;
      parts.push(this.#read(Math.max(size, now - this.#headBytes), now));
      size = now;
    }
    ftruncateSync(this.#fd, this.#headBytes);
    this.#cutBytes += size - this.#headBytes;
    this.#tail = this.#endOf(parts);
  }

  /** Once nobody writes any more. */
  finish(): CappedOutput {
    this.look();
    const size = this.#size();
    const outputBytes = size + this.#cutBytes;
    if (this.#cutBytes === 0) return { outputBytes, leftOutBytes: 0 };
    const tail = this.#tailUpTo(size);
    const leftOutBytes = Math.max(0, outputBytes - this.#headBytes - tail.length);
    const notice = leftOutBytes === 0 ? "" : `\n[… ${leftOutBytes} bytes left out …]\n`;
    ftruncateSync(this.#fd, Math.min(size, this.#headBytes));
    try {
      writeSync(this.#fd, Buffer.concat([Buffer.from(notice), tail]));
    } catch {
      return { outputBytes, leftOutBytes: leftOutBytes + tail.length };
    }
    return { outputBytes, leftOutBytes };
  }

  #size(): number {
    return fstatSync(this.#fd).size;
  }

  /** The end of all that came after the head: of what was cut, and of the file up to `size`. */
  #tailUpTo(size: number): Buffer {
    const from = Math.max(Math.min(this.#headBytes, size), size - this.#headBytes);
    return this.#endOf([this.#tail, this.#read(from, size)]);
  }

  #read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, bytes.length, from));
  }

  #endOf(parts: readonly Buffer[]): Buffer {
    const all = Buffer.concat(parts);
    return Buffer.from(all.subarray(Math.max(0, all.length - this.#headBytes)));
  }
}
