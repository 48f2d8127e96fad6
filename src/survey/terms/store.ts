import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from "node:fs";
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../lib/text.ts";
import { headOf, Segment } from "./segment.ts";

/** The format and the way words are told apart: another version is another folder. */
const version = "words-2";
const ending = ".segment";

/** A segment of the cache, its file open. */
export interface StoredSegment {
  readonly segment: Segment;
  readonly file: string;
  close(): void;
}

/** `.kit/cache` of a repository: hashes of words by blob id, nothing that could be read. */
export class SegmentStore {
  readonly #root: string;
  readonly #folder: string;
  readonly #damaged = new Set<string>();

  /** @param root absolute, links resolved. */
  constructor(root: string) {
    this.#root = root;
    this.#folder = join(root, ".kit", "cache", version);
  }

  /** What is there; damaged files and a cache behind a link are passed over, as if not there. */
  open(): readonly StoredSegment[] {
    let names: readonly string[];
    try {
      if (realpathSync(this.#folder) !== this.#folder) return [];
      names = readdirSync(this.#folder).filter((name) => name.endsWith(ending));
    } catch {
      return [];
    }
    return names.toSorted().flatMap((name) => {
      const file = join(this.#folder, name);
      const stored = openSegment(file);
      if (stored === undefined) this.#damaged.add(file);
      return stored ?? [];
    });
  }

  /** Remembers that a segment is not to be trusted. */
  markDamaged({ file }: StoredSegment): void {
    this.#damaged.add(file);
  }

  /**
   * Keeps a segment. The folder ignores itself, only its owner can read it. Nothing is written
   * through a link, and a cache that cannot be written is no failure.
   */
  async keep(bytes: Buffer): Promise<void> {
    try {
      if (!(await this.#prepared())) return;
      const name = `${sha256(headOf(bytes)).slice(0, 32)}${ending}`;
      const temporary = join(this.#folder, `${name}.${process.pid}.tmp`);
      await writeFile(temporary, bytes, { mode: 0o600, flag: "wx" });
      await rename(temporary, join(this.#folder, name));
    } catch {
      // A full disk or a folder of another user: the next survey reads the files again.
    }
  }

  /** Removes segments, those that are damaged, and the caches of other versions; never behind a link. */
  async drop(segments: readonly StoredSegment[]): Promise<void> {
    const cache = join(this.#root, ".kit", "cache");
    if ((await realpath(cache).catch(() => undefined)) !== cache) return;
    const others = await readdir(cache).catch(() => []);
    const old = others.filter((name) => name.startsWith("words-") && name !== version);
    const gone = [
      ...segments.map(({ file }) => file),
      ...this.#damaged,
      ...old.map((name) => join(cache, name)),
    ];
    await Promise.all(gone.map((file) => rm(file, { recursive: true, force: true })));
  }

  /** True when the folder is a real one inside the repository. */
  async #prepared(): Promise<boolean> {
    const kit = join(this.#root, ".kit");
    for (const folder of [kit, join(kit, "cache"), this.#folder]) {
      await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
      if (!(await lstat(folder)).isDirectory()) return false;
    }
    if ((await realpath(this.#folder)) !== this.#folder) return false;
    const ignore = join(kit, "cache", ".gitignore");
    await writeFile(ignore, "*\n", { mode: 0o600, flag: "wx" }).catch(() => undefined);
    return true;
  }
}

function openSegment(file: string): StoredSegment | undefined {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const open = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    descriptor = open;
    const { size } = fstatSync(open);
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      const count = length === 0 ? 0 : readSync(open, bytes, 0, length, offset);
      if (count !== length) throw new RangeError("the segment is cut short");
      return bytes;
    };
    return { segment: new Segment(read, size), file, close: () => closeSync(open) };
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
}
