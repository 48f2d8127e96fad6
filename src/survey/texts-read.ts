import type { RepoPath } from "../contracts/index.ts";
import { decodeUtf8 } from "../lib/text.ts";
import type { RepositoryReader } from "./reading.ts";
import type { ReadText } from "./signals/corpus.ts";

/** Texts of files whose contents may be read, each read once. */
export class TextsRead {
  readonly #reader: RepositoryReader;
  readonly #readable: ReadonlyMap<RepoPath, unknown>;
  readonly #maxFileBytes: number;
  readonly #texts = new Map<RepoPath, ReadText | undefined>();

  constructor(
    reader: RepositoryReader,
    readable: ReadonlyMap<RepoPath, unknown>,
    maxFileBytes: number,
  ) {
    this.#reader = reader;
    this.#readable = readable;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Undefined for what is no text, larger than the bound, or gone. */
  of(path: RepoPath): ReadText | undefined {
    if (!this.#readable.has(path)) return undefined;
    if (this.#texts.has(path)) return this.#texts.get(path);
    const read = this.#reader.read(path, this.#maxFileBytes);
    const text = read.ok ? decodeUtf8(read.bytes) : undefined;
    const found = text === undefined ? undefined : { text, lower: text.toLowerCase() };
    this.#texts.set(path, found);
    return found;
  }
}
