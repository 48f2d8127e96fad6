import { open, mkdir, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "./files.ts";
import { OddPlaceError, requireOwnPlace } from "./own-place.ts";

export type StoreRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * A small database in one file, shared by processes of one machine. Every commit is on the disk
 * when it returns. Calls block (up to 5 s where others write): keep transactions short.
 */
export interface Store {
  /** Rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): readonly StoreRow[];
  /** Rows that were changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /**
   * Everything in `work` or nothing of it, and nobody writes meanwhile: for every write that
   * depends on what was read. Not to be nested.
   */
  transact<T>(work: () => T): T;
  close(): void;
}

/** What the tables are: the SQL that leads from each version to the next. */
export interface StoreSchema {
  readonly migrations: readonly string[];
}

/**
 * Why a store cannot be used.
 * - `unwritable`: folder or file may not be written, or the disk is full
 * - `network`: on a network file system, where the shared memory of WAL does not work
 * - `corrupt`: no database, or a damaged one
 * - `newer`: written by a later version of kit
 * - `busy`: others wrote for longer than 5 s
 */
export type StoreFault = "unwritable" | "network" | "corrupt" | "newer" | "busy";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Result codes of SQLite's (https://sqlite.org/rescode.html), and what they mean here. */
const faultOfCode: Readonly<Record<number, StoreFault>> = {
  5: "busy",
  6: "busy",
  11: "corrupt",
  26: "corrupt",
};

/** `f_type` of Linux for file systems that other machines share (man 2 statfs; 9p: WSL's drives). */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x01021997, // 9p
]);

const waitMs = 5_000;

/**
 * Opens the store at `file`; creates it, readable by its owner alone, and brings it to the newest
 * version where that is needed.
 * @throws StoreError
 */
export async function openStore(file: string, schema: StoreSchema): Promise<Store> {
  await preparePlace(file);
  const { DatabaseSync } = await import("node:sqlite");
  for (let tries = 1; ; tries += 1) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file, { timeout: waitMs });
      const [mode] = database.prepare("PRAGMA journal_mode = WAL").all();
      if (mode?.["journal_mode"] !== "wal")
        throw new StoreError("network", `${file} is where no shared database can be`);
      database.exec("PRAGMA synchronous = FULL");
      const store = storeOn(database);
      migrate(store, schema, file);
      return store;
    } catch (error) {
      database?.close();
      const fault = storeFaultOf(error, file);
      // SQLite does not wait for others who switch a new file to WAL in the same moment.
      if (fault.fault !== "busy" || tries === 20) throw fault;
      await delay(25);
    }
  }
}

/** The store at `file` as it stands, to look at; undefined where there is none. @throws StoreError */
export async function openStoreToRead(
  file: string,
  schema: StoreSchema,
): Promise<Store | undefined> {
  let database: DatabaseSync | undefined;
  try {
    requireOwnPlace(file, "file");
    if (!(await isThere(file))) return undefined;
    const { DatabaseSync } = await import("node:sqlite");
    database = new DatabaseSync(file, { timeout: waitMs, readOnly: true });
    const store = storeOn(database);
    const version = versionOf(store);
    if (version > schema.migrations.length) throw newer(file);
    if (version === schema.migrations.length) return store;
    database.close();
    return undefined;
  } catch (error) {
    database?.close();
    throw storeFaultOf(error, file);
  }
}

/** A store that is forgotten when it is closed. */
export async function openMemoryStore(schema: StoreSchema): Promise<Store> {
  const { DatabaseSync } = await import("node:sqlite");
  const store = storeOn(new DatabaseSync(":memory:"));
  migrate(store, schema, ":memory:");
  return store;
}

/** Removes a store with the files that SQLite keeps beside it. @throws the system's error */
export async function removeStore(file: string): Promise<void> {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    await unlink(name).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
  }
}

/** Any error of a store's methods as a `StoreError`. */
export function storeFaultOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const fault = faultOfCode[resultCodeOf(error) ?? -1] ?? "unwritable";
  const said = error instanceof OddPlaceError ? reason : `${file}: ${reason}`;
  return new StoreError(fault, said, { cause: error });
}

function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

async function preparePlace(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // SQLite, which follows links, looks for the other two beside a database.
    for (const own of [file, `${file}-wal`, `${file}-shm`]) requireOwnPlace(own, "file");
    if (process.platform === "linux" && networkFileSystems.has((await statfs(folder)).type))
      throw new StoreError("network", `${folder} is on a network file system`);
    const handle = await open(file, "a", 0o600);
    await handle.close();
  } catch (error) {
    throw storeFaultOf(error, file);
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "r");
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

function versionOf(store: Store): number {
  return Number(store.all("PRAGMA user_version")[0]?.["user_version"] ?? 0);
}

function newer(file: string): StoreError {
  return new StoreError("newer", `${file} was written by a later version of kit`);
}

function migrate(store: Store, { migrations }: StoreSchema, file: string): void {
  const newest = migrations.length;
  const found = versionOf(store);
  if (found > newest) throw newer(file);
  if (found === newest) return;
  store.transact(() => {
    // Another process may have been first.
    for (const sql of migrations.slice(versionOf(store))) {
      for (const statement of sql.split(";").filter((each) => each.trim() !== ""))
        store.run(statement);
    }
    store.run(`PRAGMA user_version = ${newest}`);
  });
}

function storeOn(database: DatabaseSync): Store {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const run: Store["run"] = (sql, ...values) => Number(statement(sql).run(...values).changes);
  return {
    all: (sql, ...values) => statement(sql).all(...values),
    run,
    transact(work) {
      // A deferred transaction that reads first fails at once where another wrote meanwhile.
      run("BEGIN IMMEDIATE");
      try {
        const result = work();
        run("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) run("ROLLBACK");
        throw error;
      }
    },
    close: () => database.close(),
  };
}
