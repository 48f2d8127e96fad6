import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore, openStoreToRead, removeStore, StoreError } from "../../src/lib/store.ts";
import { temporaryFolder } from "../support/repository.ts";

const schema = { migrations: ["CREATE TABLE note (text TEXT NOT NULL) STRICT"] };

async function faultOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof StoreError ? error.fault : "none";
}

describe("a store", () => {
  test("keeps what was committed, in a file that only its owner reads", async () => {
    const file = join(temporaryFolder(), "deep", "notes.sqlite");
    const store = await openStore(file, schema);
    store.run("INSERT INTO note VALUES (?)", "kept");
    store.close();
    const again = await openStore(file, schema);
    expect(again.all("SELECT * FROM note")).toEqual([{ text: "kept" }]);
    again.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("takes a transaction back whole when its work throws", async () => {
    const store = await openStore(join(temporaryFolder(), "notes.sqlite"), schema);
    const work = (): void => {
      store.run("INSERT INTO note VALUES ('half')");
      throw new Error("no further");
    };
    expect(() => store.transact(work)).toThrow("no further");
    expect(store.all("SELECT * FROM note")).toEqual([]);
    store.close();
  });

  test("is brought to the newest version by whoever opens it", async () => {
    const file = join(temporaryFolder(), "notes.sqlite");
    (await openStore(file, schema)).close();
    const newer = { migrations: [...schema.migrations, "ALTER TABLE note ADD COLUMN at INTEGER"] };
    const store = await openStore(file, newer);
    store.run("INSERT INTO note VALUES ('two columns', 1)");
    store.close();
    expect(await faultOf(openStore(file, schema))).toBe("newer");
    expect(await faultOf(openStoreToRead(file, schema))).toBe("newer");
  });

  test("that is no database is corrupt and left as it is until it is removed", async () => {
    const file = join(temporaryFolder(), "notes.sqlite");
    writeFileSync(file, "not a database at all, whatever it is called\n".repeat(100));
    expect(await faultOf(openStore(file, schema))).toBe("corrupt");
    expect(readFileSync(file, "utf8")).toContain("not a database");
    await removeStore(file);
    (await openStore(file, schema)).close();
  });

  test("is neither followed through a link nor made where nothing may be", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "notes.sqlite");
    symlinkSync(join(folder, "elsewhere"), file);
    expect(await faultOf(openStore(file, schema))).toBe("unwritable");
    writeFileSync(join(folder, "plain"), "");
    expect(await faultOf(openStore(join(folder, "plain", "notes.sqlite"), schema))).toBe(
      "unwritable",
    );
  });

  test.skipIf(process.getuid?.() === 0)("in a folder that may not be written says so", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(await faultOf(openStore(join(folder, "notes.sqlite"), schema))).toBe("unwritable");
  });

  test("that is only looked at is not made", async () => {
    const folder = temporaryFolder();
    expect(await openStoreToRead(join(folder, "none", "notes.sqlite"), schema)).toBeUndefined();
    const file = join(folder, "notes.sqlite");
    const store = await openStore(file, schema);
    store.run("INSERT INTO note VALUES ('seen')");
    const reader = await openStoreToRead(file, schema);
    expect(reader?.all("SELECT * FROM note")).toEqual([{ text: "seen" }]);
    expect(() => reader?.run("DELETE FROM note")).toThrow(/readonly/);
    reader?.close();
    store.close();
  });
});
