import { mkdir, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readTextIfExists } from "./files.ts";
import { processMarker } from "./processes/index.ts";

/** Who holds a lock. What cannot be read is absent. */
export interface LockHolder {
  /** As given to `acquireLock`: a run id. */
  readonly holder: string;
  readonly pid?: number;
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

/**
 * Takes the lock at `file`, or says at once who has it; does not wait. The kernel keeps the lock
 * (SQLite's, an fcntl lock on `file`), so it is free the moment its holder is dead, however that
 * came, and of any number of racers exactly one gets it. `file` stays, empty; who holds it stands
 * in `<file>.holder`, for people and for the next holder.
 * @throws the system's error where the folder cannot be written.
 */
export async function acquireLock(
  file: string,
  { holder }: { readonly holder: string },
): Promise<Lock | { readonly heldBy: LockHolder }> {
  await mkdir(dirname(file), { recursive: true });
  const { DatabaseSync } = await import("node:sqlite");
  const holderFile = `${file}.holder`;
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { heldBy: await whoHolds(holderFile) };
  }
  const previous = readHolder(await readTextIfExists(holderFile));
  const me: LockHolder = {
    holder,
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    marker: processMarker(),
  };
  await writeFile(holderFile, `${JSON.stringify(me)}\n`, { mode: 0o600 });
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

function isBusy(error: unknown): boolean {
  const busy = 5;
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === busy
  );
}

/** A holder writes its name just after it got the lock: look again for a moment. */
async function whoHolds(holderFile: string): Promise<LockHolder> {
  for (let tries = 0; tries < 10; tries += 1) {
    const holder = readHolder(await readTextIfExists(holderFile));
    if (holder !== undefined) return holder;
    await delay(20);
  }
  return { holder: "another kit" };
}

function readHolder(text: string | undefined): LockHolder | undefined {
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && "holder" in read
      ? (read as LockHolder)
      : undefined;
  } catch {
    return undefined;
  }
}
