import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, realpath, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { KitError } from "../contracts/index.ts";
import { codeOf, isInside, writeFileDurably } from "../lib/files.ts";
import { readOwnFile, requireOwnPlace } from "../lib/own-place.ts";

const text = z.string();
const hashes = z.record(text, text);

const recordShape = z.object({
  version: z.literal(1),
  /** Absolute top level, links resolved: the same content elsewhere is another repository. */
  root: text,
  layer: z.optional(z.object({ since: text, files: hashes })),
  commands: z.array(z.object({ command: text, since: text })),
  scripts: hashes,
});

/** What the user trusts of one repository. */
export interface TrustRecord {
  readonly root: string;
  /** The project layer: SHA-256 of each file by its path below `.kit`. */
  readonly layer?: { readonly since: string; readonly files: Readonly<Record<string, string>> };
  /** Commands that a pack, a scout or `.kit` names, word for word. */
  readonly commands: readonly { readonly command: string; readonly since: string }[];
  /** What the test commands of manifests ran when they were trusted, by the manifest's path. */
  readonly scripts: Readonly<Record<string, string>>;
}

/** A store of records of one kind below the user's state folder, one file a repository. */
interface Store<T extends { readonly root: string }> {
  /** The record of a repository; `undefined` where there is none that can be believed. */
  read(root: string): Promise<T | undefined>;
  /** @throws KitError `environment` where the store lies in the repository it speaks of. */
  write(record: T): Promise<void>;
  list(): Promise<readonly T[]>;
  /** Whether there was one. */
  remove(root: string): Promise<boolean>;
}

/** What the user trusts: written by the user's yes and nothing else. */
export function trustStore(stateFolder: string): Store<TrustRecord> {
  return storeOf(join(stateFolder, "trust"), (read) => {
    const parsed = recordShape.safeParse(read);
    return parsed.success ? (parsed.data as TrustRecord) : undefined;
  });
}

const seenShape = z.object({ version: z.literal(1), root: text, scripts: hashes });

/** What the test commands of manifests ran the last time kit ran them. */
export interface SeenScripts {
  readonly root: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** Scripts that ran: kept apart, so that no run can bring back a trust that was taken away. */
export function seenStore(stateFolder: string): Store<SeenScripts> {
  return storeOf(join(stateFolder, "seen"), (read) => {
    const parsed = seenShape.safeParse(read);
    return parsed.success ? parsed.data : undefined;
  });
}

function storeOf<T extends { readonly root: string }>(
  folder: string,
  parse: (read: unknown) => T | undefined,
): Store<T> {
  const fileOf = (root: string): string => {
    const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
    return join(folder, `${name}.json`);
  };

  async function readFile(file: string): Promise<T | undefined> {
    if (!(await isOfUser(folder)) || !(await isOfUser(file))) return undefined;
    try {
      return parse(JSON.parse(readOwnFile(file) ?? ""));
    } catch {
      return undefined;
    }
  }

  return {
    async read(root) {
      if (await liesIn(root, folder)) return undefined;
      const record = await readFile(fileOf(root));
      return record?.root === root ? record : undefined;
    },
    async write(record) {
      if (await liesIn(record.root, folder)) {
        throw new KitError("environment", `${folder} lies in the repository it would speak of.`, {
          next: "Name a folder outside of it: KIT_STATE_DIR=FOLDER",
        });
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      requireOwnPlace(folder, "folder");
      const content = `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
      await writeFileDurably(fileOf(record.root), content, 0o600);
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const files = names.filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).toSorted();
      const records = await Promise.all(files.map((name) => readFile(join(folder, name))));
      return records
        .filter((record) => record !== undefined)
        .filter((record) => files.includes(fileOf(record.root).slice(folder.length + 1)));
    },
    async remove(root) {
      try {
        await unlink(fileOf(root));
        return true;
      } catch (error) {
        if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
        throw error;
      }
    },
  };
}

/** Anybody could have written what others may write to. */
async function isOfUser(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  const user = process.geteuid?.();
  return (
    stats !== undefined && (stats.mode & 0o022) === 0 && (user === undefined || stats.uid === user)
  );
}

/** Whether a folder, which need not exist, is inside a repository once links are resolved. */
async function liesIn(root: string, folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return isInside(root, real);
    if (at === dirname(at)) return false;
  }
}
