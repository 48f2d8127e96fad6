import type { RepoPath } from "../contracts/index.ts";
import { decodeUtf8 } from "../lib/text.ts";
import type { RepositoryReader } from "./reading.ts";
import type { ReadText } from "./signals/corpus.ts";

/** Texts of files whose contents may be read, each read once. */
export class TextsRead {
  readonly #reader: RepositoryReader;
  readonly #mayRead: (path: RepoPath) => boolean;
  readonly #maxFileBytes: number;
  readonly #texts = new Map<RepoPath, ReadText | undefined>();

  constructor(
    reader: RepositoryReader,
    mayRead: (path: RepoPath) => boolean,
    maxFileBytes: number,
  ) {
    this.#reader = reader;
    this.#mayRead = mayRead;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Undefined for what is no text, larger than the bound, or gone. */
  of(path: RepoPath): ReadText | undefined {
    if (this.#texts.has(path)) return this.#texts.get(path);
    if (!this.#mayRead(path)) return undefined;
    const read = this.#reader.read(path, this.#maxFileBytes);
    const text = read.ok ? decodeUtf8(read.bytes) : undefined;
    const found = text === undefined ? undefined : { text, lower: text.toLowerCase() };
    this.#texts.set(path, found);
    return found;
  }
}
