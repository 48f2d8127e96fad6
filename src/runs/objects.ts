import { chmod, mkdir, readFile, rename, symlink, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pathExists, writeFileDurably } from "../lib/files.ts";
import { requireOwnPlace } from "../lib/own-place.ts";
import { redact } from "../lib/redaction.ts";
import { sha256 } from "../lib/text.ts";

/** Contents by their SHA-256 under `objects/`, and names for people that point at them. */
export interface ObjectStore {
  /**
   * Text is redacted before it is kept; bytes are kept as they are. Gives the hash of what was kept.
   * `name` (`attempts/coder-1/diff.patch`) points at it; a name that exists moves on.
   */
  put(content: string | Uint8Array, name?: string): Promise<string>;
  /** Text that must come back exactly; `undefined` where redaction would change it: it is not kept. */
  putExact(text: string): Promise<string | undefined>;
  get(hash: string): Promise<Buffer>;
}

const hashShape = /^[0-9a-f]{64}$/;
const nameShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** @param folder of one run, absolute */
export function openObjects(folder: string): ObjectStore {
  const objects = join(folder, "objects");
  const known = new Set<string>();

  function fileOf(hash: string): string {
    if (!hashShape.test(hash)) throw new RangeError(`not the hash of an object: ${hash}`);
    return join(objects, hash);
  }

  async function point(name: string, hash: string): Promise<void> {
    if (!nameShape.test(name)) throw new RangeError(`not a name for a record: ${name}`);
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Renamed over, so that a reader never finds the name missing.
    const fresh = `${file}.new`;
    await unlink(fresh).catch(() => undefined);
    await symlink(relative(dirname(file), fileOf(hash)), fresh);
    await rename(fresh, file);
  }

  async function keep(content: string | Uint8Array, hash = sha256(content)): Promise<string> {
    if (known.has(hash)) return hash;
    if (!(await pathExists(fileOf(hash)))) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      await writeFileDurably(fileOf(hash), bytes, 0o600);
    }
    known.add(hash);
    return hash;
  }

  return {
    async put(content, name) {
      const kept = typeof content === "string" ? redact(content) : content;
      const hash = sha256(kept);
      await Promise.all([keep(kept, hash), name === undefined ? undefined : point(name, hash)]);
      return hash;
    },
    async putExact(text) {
      return redact(text) === text ? keep(text) : undefined;
    },
    async get(hash) {
      return readFile(fileOf(hash));
    },
  };
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

/** @throws OddPlaceError where `.kit/runs` or `.kit` is a link or no folder; both may be missing */
export async function requireRecordsFolder(folder: string): Promise<void> {
  await requireOwnPlace(dirname(folder), "folder");
  await requireOwnPlace(folder, "folder");
}
