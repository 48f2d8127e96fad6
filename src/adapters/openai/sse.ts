/** One event of a stream: its name (`message` where none is given) and its data. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

const lf = 0x0a;
const cr = 0x0d;

/**
 * Server-sent events from bytes, as the HTML standard has them: lines end with LF, CR or CRLF,
 * `data` lines of one event are joined by LF, comments and other fields are skipped, a byte-order
 * mark in front too. Bytes are decoded line by line, so no character is cut between two chunks.
 * Beyond the standard, an event without the blank line behind it counts at the end of the stream:
 * some servers end with a bare `data: [DONE]`.
 */
export class EventStream {
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #maxEventBytes: number;
  #pending: Buffer[] = [];
  #bytes = 0;
  #data: string[] = [];
  #name = "";
  #afterCr = false;
  #atStart = true;

  /** More than `maxEventBytes` in one event: `push` gives false. */
  constructor(onEvent: (event: StreamEvent) => void, maxEventBytes: number) {
    this.#onEvent = onEvent;
    this.#maxEventBytes = maxEventBytes;
  }

  /** False once an event is too large; nothing more is read then. */
  push(chunk: Buffer): boolean {
    let start = 0;
    if (this.#afterCr && chunk[0] === lf) start = 1;
    if (chunk.length > 0) this.#afterCr = false;
    for (let end = lineEnd(chunk, start); end !== -1; end = lineEnd(chunk, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false;
      this.#line();
      start = end + 1;
      if (chunk[end] !== cr) continue;
      if (start === chunk.length) this.#afterCr = true;
      else if (chunk[start] === lf) start += 1;
    }
    return this.#keep(chunk.subarray(start));
  }

  /** The end of the stream. */
  finish(): void {
    if (this.#pending.length > 0) this.#line();
    this.#dispatch();
  }

  #keep(part: Buffer): boolean {
    if (part.length > 0) this.#pending.push(part);
    this.#bytes += part.length;
    return this.#bytes <= this.#maxEventBytes;
  }

  #line(): void {
    let line = Buffer.concat(this.#pending).toString("utf8");
    this.#pending = [];
    if (this.#atStart) line = line.replace(/^\ufeff/, "");
    this.#atStart = false;
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
    // A comment keeps the line alive for hours: it is no part of an event's size.
    if (this.#data.length === 0) this.#bytes = 0;
  }

  #dispatch(): void {
    const data = this.#data.join("\n");
    const name = this.#name === "" ? "message" : this.#name;
    this.#data = [];
    this.#name = "";
    this.#bytes = 0;
    if (data !== "") this.#onEvent({ name, data });
  }
}

function lineEnd(chunk: Buffer, from: number): number {
  const atLf = chunk.indexOf(lf, from);
  const atCr = chunk.subarray(from, atLf === -1 ? chunk.length : atLf).indexOf(cr);
  return atCr === -1 ? atLf : from + atCr;
}
