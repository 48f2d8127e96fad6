import { constants } from "node:fs";
import { dirname, join } from "node:path";
import type { RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { openFolder } from "./folders.ts";
import { errorCode, ifThere } from "./file-system.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import { environment } from "./obstacle.ts";
import { roomFor, roomName } from "./room.ts";

/**
 * How far a transaction is; the name of the one record file in its folder says it, and a rename
 * moves it on, so that no moment lies between two states.
 * - `journal`: the tree is being changed. Recovery takes everything back.
 * - `applied`: in place and pending, until somebody has judged it. Recovery takes it back.
 * - `accepted`: done, kept for `undo`.
 * - `undoing`: accepted, and being taken back. Recovery goes on with it.
 */
const transactionStates = ["journal", "applied", "accepted", "undoing"] as const;
export type TransactionState = (typeof transactionStates)[number];

/** What stood at a path; `offset` and `size` say where its bytes are in `pre-images`. */
export interface PreImage {
  readonly hash: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly offset: number;
  readonly size: number;
}

export interface JournalStep {
  readonly path: RepoPath;
  readonly before: PreImage | null;
  /** Hash of what kit puts there. */
  readonly after: string | null;
}

/** What a transaction does, enough to take it back. `folders`: those it makes, outermost first. */
export interface Journal {
  readonly version: 1;
  readonly id: string;
  readonly steps: readonly JournalStep[];
  readonly folders: readonly RepoPath[];
}

/** The names a step's file goes by while it is on its way, beside the file itself. */
export interface PassingNames {
  /** kit's new bytes, before they get their name. */
  readonly staged: string;
  /** What stood there, moved aside. */
  readonly aside: string;
  /** The pre-image, on its way back. */
  readonly returning: string;
  /** kit's bytes, moved aside while they are taken back. */
  readonly takenBack: string;
}

/** Names for the `index`-th step of a transaction: hidden, and nobody else's. */
export function passingNames(id: string, index: number): PassingNames {
  const stem = `.kit-${id}-${index}`;
  return {
    staged: `${stem}.new`,
    aside: `${stem}.old`,
    returning: `${stem}.back`,
    takenBack: `${stem}.was`,
  };
}

const preImagesName = "pre-images";

/** The folder of one transaction, below `<stateDir>/transactions`. */
export interface TransactionRecord {
  /**
   * Takes what `apply` needs to be undone to disk, and syncs it: pre-images first, then the journal.
   * `written`: what kit is going to write, which merging needs.
   */
  begin(
    journal: Journal,
    preImages: readonly Uint8Array[],
    written: readonly Uint8Array[],
  ): Promise<void>;
  /** Gives back the space that was held for taking back: it is needed now, or never will be. */
  makeRoom(): Promise<void>;
  /** Moves the record from one state to the next, durably. */
  advance(from: TransactionState, to: TransactionState): Promise<void>;
  /** How far it is; undefined where there is no record. */
  state(): Promise<TransactionState | undefined>;
  /** The journal. @throws Obstacle where there is none, or one that is not readable or not this user's. */
  read(): Promise<Journal>;
  /** Puts another journal in place of that of an accepted transaction. */
  replace(journal: Journal): Promise<void>;
  /** What kit wrote, by its hash; undefined where it is not there. */
  written(hash: string): Promise<Buffer | undefined>;
  /** The bytes of all pre-images, in the order of their offsets. */
  preImages(): Promise<Buffer>;
  /** Removes the folder; the record first, so that a crash leaves nothing to act on. */
  forget(): Promise<void>;
}

/** Ids are names of folders and parts of names of files. */
export function isTransactionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(id);
}

/**
 * The record of transaction `id`; nothing is read or written yet.
 * @throws RangeError for an id that is none.
 */
export function openRecord(fs: FileSystem, stateDir: string, id: string): TransactionRecord {
  if (!isTransactionId(id)) throw new RangeError(`${JSON.stringify(id)} is no transaction id.`);
  const folder = join(stateDir, "transactions", id);
  const fileOf = (state: TransactionState): string => join(folder, `${state}.json`);
  const findState = async (): Promise<TransactionState | undefined> => {
    const names = await ifThere(fs.names(folder));
    return transactionStates.find((state) => names?.includes(`${state}.json`));
  };
  return {
    begin: async (journal, preImages, written) => {
      await makePrivateFolder(fs, stateDir, folder);
      // One file: each more would cost every change another wait for the disk. Nobody reads it
      // before there is a journal, and the folder is synced once it holds both.
      const images = Buffer.concat([...preImages, ...withSizes(written)]);
      await writeSynced(fs, join(folder, preImagesName), images);
      await writeUnsynced(fs, join(folder, roomName), roomFor(journal, written));
      await writeDurably(fs, fileOf("journal"), Buffer.from(JSON.stringify(journal)));
    },
    makeRoom: async () => {
      await ifThere(fs.unlink(join(folder, roomName)));
    },
    advance: async (from, to) => {
      await fs.rename(fileOf(from), fileOf(to));
      await syncFolder(fs, folder);
    },
    state: findState,
    read: async () => {
      const { parseJournal } = await import("./journal-shape.ts");
      const file = fileOf((await findState()) ?? "journal");
      const { uid } = await fs.lstat(file);
      // A folder of somebody else's may bring records of a kit that never ran: root would act on them.
      if (uid !== (process.geteuid?.() ?? uid)) {
        throw environment(
          `${file} belongs to another user; kit acts on its own records only.`,
          `Run kit as that user, or remove ${folder}.`,
        );
      }
      const journal = parseJournal(await readAll(fs, file));
      if (journal?.id === id) return journal;
      throw environment(
        `${file} is not a transaction record of this version of kit.`,
        "Use the kit that wrote it, or look at the pre-images beside it and remove the folder.",
      );
    },
    replace: (journal) =>
      writeDurably(fs, fileOf("accepted"), Buffer.from(JSON.stringify(journal))),
    written: async (hash) =>
      writtenIn(await readAll(fs, join(folder, preImagesName))).find(
        (bytes) => sha256(bytes) === hash,
      ),
    preImages: () => readAll(fs, join(folder, preImagesName)),
    forget: async () => {
      const names = (await ifThere(fs.names(folder))) ?? [];
      const [records, others] = [
        names.filter((name) => name.endsWith(".json")),
        names.filter((name) => !name.endsWith(".json")),
      ];
      for (const name of [...records, ...others]) await ifThere(fs.unlink(join(folder, name)));
      await ifThere(fs.rmdir(folder));
      await ifThere(syncFolder(fs, dirname(folder)));
    },
  };
}

/** What kit writes, behind it the size of each part, and the number of parts: read from the end. */
function withSizes(written: readonly Uint8Array[]): readonly Uint8Array[] {
  const sizes = Buffer.alloc(8 * (written.length + 1));
  for (const [index, { length }] of written.entries()) sizes.writeDoubleBE(length, 8 * index);
  sizes.writeDoubleBE(written.length, 8 * written.length);
  return [...written, sizes];
}

/** The parts that `withSizes` put behind the pre-images; none where an earlier kit wrote the file. */
function writtenIn(images: Buffer): readonly Buffer[] {
  if (images.length < 8) return [];
  const count = images.readDoubleBE(images.length - 8);
  let end = images.length - 8 * (count + 1);
  if (!Number.isInteger(count) || count < 0 || !(end >= 0)) return [];
  const parts: Buffer[] = [];
  for (let index = count - 1; index >= 0; index -= 1) {
    const size = images.readDoubleBE(images.length - 8 * (count + 1 - index));
    if (!(size >= 0 && size <= end)) return [];
    parts.push(images.subarray(end - size, end));
    end -= size;
  }
  return parts;
}

/** Ids of all transactions that have a folder, the one that was last written to first. */
export async function recordedIds(fs: FileSystem, stateDir: string): Promise<readonly string[]> {
  const folder = join(stateDir, "transactions");
  const names = ((await ifThere(fs.names(folder))) ?? []).filter(isTransactionId);
  const written = new Map<string, bigint>();
  for (const name of names) {
    written.set(name, (await ifThere(fs.lstat(join(folder, name))))?.modifiedNs ?? 0n);
  }
  return names.sort((a, b) => Number((written.get(b) ?? 0n) - (written.get(a) ?? 0n)));
}

/** Makes `folder` and what is missing above it, 0700 from the state folder down, never through a link. */
export async function makePrivateFolder(
  fs: FileSystem,
  stateDir: string,
  folder: string,
): Promise<void> {
  const stat = await ifThere(fs.lstat(folder));
  if (stat?.kind === "folder") return;
  if (stat !== undefined) {
    throw environment(`${folder} is not a folder; kit keeps its records there.`, "Move it away.");
  }
  if (folder !== stateDir) await makePrivateFolder(fs, stateDir, dirname(folder));
  try {
    await fs.mkdir(folder, 0o700);
  } catch (error) {
    // Another file of this transaction made it, or somebody put something else there.
    if (errorCode(error) !== "EEXIST") throw error;
    return makePrivateFolder(fs, stateDir, folder);
  }
  // Above the state folder links are the user's own arrangement: `.git` may be one.
  const parent = dirname(folder);
  await syncFolder(fs, folder === stateDir ? await fs.realpath(parent) : parent);
}

/** Writes a private file so that it is either complete and on disk, or not there. */
export async function writeDurably(fs: FileSystem, file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.draft`;
  await writeSynced(fs, draft, bytes);
  await fs.rename(draft, file);
  await syncFolder(fs, dirname(file));
}

async function writeSynced(fs: FileSystem, file: string, bytes: Uint8Array): Promise<void> {
  await write(fs, file, bytes, (opened) => opened.sync());
}

async function writeUnsynced(fs: FileSystem, file: string, bytes: Uint8Array): Promise<void> {
  await write(fs, file, bytes, () => Promise.resolve());
}

async function write(
  fs: FileSystem,
  file: string,
  bytes: Uint8Array,
  settle: (opened: OpenFile) => Promise<void>,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const opened = await fs.open(file, flags, 0o600);
  try {
    await opened.write(bytes);
    await settle(opened);
  } finally {
    await opened.close();
  }
}

async function readAll(fs: FileSystem, file: string): Promise<Buffer> {
  const opened = await fs.open(file, constants.O_RDONLY);
  try {
    return await opened.read();
  } finally {
    await opened.close();
  }
}

async function syncFolder(fs: FileSystem, absolute: string): Promise<void> {
  const folder = await openFolder(fs, absolute);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
