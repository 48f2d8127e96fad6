import { chmod, mkdir, open, readFile, rename, symlink, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { codeOf, pathExists, syncFolder, writeFileDurably } from "../lib/files.ts";
import { requireOwnPlace } from "../lib/own-place.ts";
import { redact } from "../lib/redaction.ts";
import { sha256 } from "../lib/text.ts";

/**
 * Contents by their SHA-256 under `objects/`, and names for people that point at them. A content is
 * written behind the caller's back; whoever tells of its hash waits for `settled` first.
 */
export interface ObjectStore {
  /**
   * Text is redacted before it is kept; bytes are kept as they are. Gives the hash of what is kept.
   * `name` (`attempts/coder-1/diff.patch`) points at it; a name that exists moves on.
   */
  put(content: string | Uint8Array, name?: string): string;
  /** Text that must come back exactly; `undefined` where redaction would change it: it is not kept. */
  putExact(text: string): string | undefined;
  /** Resolves when all that was put is durable, with what could not be kept: hash to error. */
  settled(): Promise<ReadonlyMap<string, unknown>>;
  get(hash: string): Promise<Buffer>;
}

const hashShape = /^[0-9a-f]{64}$/;
const nameShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** @param folder of one run, absolute */
export function openObjects(folder: string): ObjectStore {
  const objects = join(folder, "objects");
  const known = new Set<string>();
  const lost = new Map<string, unknown>();
  const writing = new Map<string, Promise<void>>();
  /** One after the other: of two contents with one name the later one has it. */
  let naming: Promise<void> | undefined;
  let isFolderBehind = false;

  function fileOf(hash: string): string {
    if (!hashShape.test(hash)) throw new RangeError(`not the hash of an object: ${hash}`);
    return join(objects, hash);
  }

  /** Below the run's folder alone: one that was removed is not made again, without its ignore file. */
  async function makeFolders(name: string): Promise<void> {
    const segments = name.split("/").slice(0, -1);
    for (const depth of segments.keys()) {
      const below = join(folder, ...segments.slice(0, depth + 1));
      await mkdir(below, { mode: 0o700 }).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
    }
  }

  async function point(name: string, hash: string): Promise<void> {
    const file = join(folder, name);
    const target = relative(dirname(file), fileOf(hash));
    await makeFolders(name);
    try {
      await symlink(target, file);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      // Renamed over, so that a reader never finds the name missing.
      const fresh = `${file}.new`;
      await unlink(fresh).catch(() => undefined);
      await symlink(target, fresh);
      await rename(fresh, file);
    }
  }

  async function write(hash: string, content: string | Uint8Array): Promise<void> {
    const file = fileOf(hash);
    const fresh = `${file}.new`;
    try {
      await writeSynced(fresh, content);
      await rename(fresh, file);
    } catch (error) {
      await unlink(fresh).catch(() => undefined);
      throw error;
    }
    isFolderBehind = true;
  }

  function keep(content: string | Uint8Array, hash: string): void {
    if (known.has(hash)) return;
    known.add(hash);
    const written = write(hash, content)
      .then(() => void lost.delete(hash))
      .catch((error: unknown) => {
        known.delete(hash);
        lost.set(hash, error);
      })
      .finally(() => writing.delete(hash));
    writing.set(hash, written);
  }

  return {
    put(content, name) {
      if (name !== undefined && !nameShape.test(name))
        throw new RangeError(`not a name for a record: ${name}`);
      const kept = typeof content === "string" ? redact(content) : content;
      const hash = sha256(kept);
      keep(kept, hash);
      if (name !== undefined) {
        const named = (naming ?? Promise.resolve()).then(() => point(name, hash));
        naming = named.catch((error: unknown) => void lost.set(hash, error));
      }
      return hash;
    },
    putExact(text) {
      const hash = sha256(text);
      // What is kept already came through the redactor unchanged.
      if (!known.has(hash) && redact(text) !== text) return undefined;
      keep(text, hash);
      return hash;
    },
    async settled() {
      while (writing.size > 0 || naming !== undefined) {
        const named = naming;
        await Promise.all([...writing.values(), named]);
        if (naming === named) naming = undefined;
      }
      if (isFolderBehind) {
        isFolderBehind = false;
        await syncFolder(objects).catch((error: unknown) => {
          isFolderBehind = true;
          throw error;
        });
      }
      return lost;
    },
    async get(hash) {
      await writing.get(hash);
      return readFile(fileOf(hash));
    },
  };
}

async function writeSynced(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * `.kit/runs` keeps itself out of the repository, whatever the repository's own rules say.
 * @throws OddPlaceError, before anything is written, where it or `.kit` is a link or no folder
 */
export async function createRecordsFolder(folder: string): Promise<void> {
  await requireRecordsFolder(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const ignore = join(folder, ".gitignore");
  if (!(await pathExists(ignore))) await writeFileDurably(ignore, Buffer.from("*\n"), 0o600);
}

/** Where records were removed while kit wrote, a part may be left: it keeps itself out too. */
export async function ignoreRemains(folder: string): Promise<void> {
  if (await pathExists(folder)) await createRecordsFolder(folder);
}

/** @throws OddPlaceError where `.kit/runs` or `.kit` is a link or no folder; both may be missing */
export async function requireRecordsFolder(folder: string): Promise<void> {
  requireOwnPlace(dirname(folder), "folder");
  requireOwnPlace(folder, "folder");
}
