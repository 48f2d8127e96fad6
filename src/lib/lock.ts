import { constants } from "node:fs";
import { access, mkdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { OddPlaceError, readOwnFile, requireOwnPlace, writeOwnFile } from "./own-place.ts";
import { isProcessMarker, mayBeAlive, ownIdentity, processMarker } from "./processes/index.ts";

/** Who holds a lock. What cannot be read is absent. */
export interface LockHolder {
  /** As given to `acquireLock`: a run id. */
  readonly holder: string;
  readonly pid?: number;
  /** When the kernel started the process, in its own ticks; ids of processes are given again. */
  readonly started?: string;
  readonly host?: string;
  /** ISO time. */
  readonly since?: string;
  /** For `endProcessesMarked`: finds children that a killed holder left. */
  readonly marker?: string;
}

export interface Lock {
  /** Set when the last holder died without releasing: it may have left children and half a job. */
  readonly takenOverFrom?: LockHolder;
  /** Never throws; a second call does nothing. */
  release(): Promise<void>;
}

/** Codes of SQLite's that a lock can meet. */
const sqlite = { busy: 5, notADatabase: 26 };

/**
 * Takes the lock at `file`, or says at once who has it; does not wait. The kernel keeps the lock
 * (SQLite's write lock, an fcntl lock on `file`), so it is free the moment its holder is dead,
 * however that came, and of any number of racers exactly one gets it. `file` stays, empty; who
 * holds it stands in `<file>.holder`, for people and for the next holder.
 * Nobody else may open `file`: closing it would drop a lock that the same process holds.
 * @throws the system's error where the folder cannot be written; OddPlaceError, before anything
 * is written, where the folder, `file` or the holder's file is a link or something else.
 */
export async function acquireLock(
  file: string,
  { holder }: { readonly holder: string },
): Promise<Lock | { readonly heldBy: LockHolder }> {
  const holderFile = `${file}.holder`;
  requireOwnPlace(dirname(file), "folder");
  await mkdir(dirname(file), { recursive: true });
  // SQLite, which follows links, looks for the other two beside a database.
  for (const own of [file, holderFile, `${file}-journal`, `${file}-wal`]) {
    requireOwnPlace(own, "file");
  }
  const database = await lockedDatabase(file);
  if (database === undefined) return { heldBy: await whoHolds(holderFile) };
  let previous: LockHolder | undefined;
  try {
    // SQLite follows links: one that was put there since the first look is a lock on something else.
    requireOwnPlace(dirname(file), "folder");
    requireOwnPlace(file, "file");
    previous = readHolder(readOwnFile(holderFile));
    const me: LockHolder = {
      holder,
      ...ownIdentity(),
      since: new Date().toISOString(),
      marker: processMarker(),
    };
    writeOwnFile(holderFile, `${JSON.stringify(me)}\n`);
  } catch (error) {
    database.close();
    throw error;
  }
  let released = false;
  return {
    ...(previous === undefined ? {} : { takenOverFrom: previous }),
    async release() {
      if (released) return;
      released = true;
      await unlink(holderFile).catch(() => undefined);
      database.close();
    },
  };
}

/** An open transaction that never writes; `undefined` where another holds the lock. */
async function lockedDatabase(file: string): Promise<DatabaseSync | undefined> {
  // Loaded here, as most commands take no lock.
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // IMMEDIATE, not EXCLUSIVE: the one step that a single racer wins, whatever the others do.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database?.close();
    const code = sqliteCode(error);
    if (code === sqlite.busy) return undefined;
    if (code === sqlite.notADatabase)
      throw new OddPlaceError(file, "no lock of kit's", { cause: error });
    // SQLite tells only that it cannot: the system's own words are better.
    await access(dirname(file), constants.W_OK);
    throw error;
  }
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** A holder writes its name just after it got the lock: look again for a moment. */
async function whoHolds(holderFile: string): Promise<LockHolder> {
  for (let tries = 0; tries < 10; tries += 1) {
    const holder = readHolder(readOwnFile(holderFile));
    if (holder !== undefined && isLiving(holder)) return holder;
    await delay(20);
  }
  return { holder: "another kit" };
}

/**
 * Who is named beside the lock at `file` and lives; undefined where nobody does. Takes no lock: the
 * next holder still learns whom it follows.
 */
export async function livingHolder(file: string): Promise<LockHolder | undefined> {
  const holder = readHolder(readOwnFile(`${file}.holder`));
  return holder !== undefined && isLiving(holder) ? holder : undefined;
}

function isLiving({ pid, started = "", host }: LockHolder): boolean {
  return pid === undefined || host === undefined || mayBeAlive({ pid, started, host });
}

/** Anybody may have written the file: what is not as `acquireLock` writes it is absent. */
function readHolder(text: string | undefined): LockHolder | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const { holder, pid, started, host, since, marker } = read as Readonly<Record<string, unknown>>;
  if (typeof holder !== "string") return undefined;
  return {
    holder,
    ...(typeof pid === "number" && Number.isInteger(pid) && pid > 0 && { pid }),
    ...(typeof started === "string" && { started }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
    // Whoever has it in its environment is ended: a shorter one would name strangers.
    ...(isProcessMarker(marker) && { marker }),
  };
}
