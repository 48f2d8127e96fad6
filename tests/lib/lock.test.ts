import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { acquireLock, type Lock, type LockHolder } from "../../src/lib/lock.ts";
import { processMarker } from "../../src/lib/processes/index.ts";
import { temporaryFolder } from "../support/repository.ts";

const program = fileURLToPath(new URL("programs/take-lock.ts", import.meta.url));

interface Taker {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly told: Promise<{ heldBy?: LockHolder; takenOverFrom?: LockHolder | null }>;
}

/** Another process that tries to take the lock and keeps it until `letGo`. */
function taker(file: string, holder: string): Taker {
  const child = spawn(process.execPath, [program, file, holder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const told = once(createInterface({ input: child.stdout }), "line").then(
    ([line]) => JSON.parse(line as string) as Awaited<Taker["told"]>,
  );
  return { child, told };
}

async function letGo({ child }: Taker): Promise<void> {
  child.stdin.end();
  await once(child, "exit");
}

async function held(file: string, holder = "me"): Promise<Lock> {
  const lock = await acquireLock(file, { holder });
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy.holder}`);
  return lock;
}

describe("acquireLock", () => {
  it("makes the folder, gives the lock, and gives it again after a release", async () => {
    const file = join(temporaryFolder(), "state/deep/lock");

    const first = await held(file);
    await first.release();
    await first.release();
    const second = await held(file);

    expect(first.takenOverFrom).toBeUndefined();
    expect(second.takenOverFrom).toBeUndefined();
    await second.release();
    expect(existsSync(`${file}.holder`)).toBe(false);
  });

  it("says who has it, without waiting, in the same process too", async () => {
    const file = join(temporaryFolder(), "lock");
    const lock = await held(file, "run-1");

    const answer = await acquireLock(file, { holder: "run-2" });
    const other = await taker(file, "run-3").told;

    const me = { holder: "run-1", pid: process.pid, host: hostname(), marker: processMarker() };
    expect(answer).toMatchObject({ heldBy: me });
    expect(other).toMatchObject({ heldBy: me });
    await lock.release();
  });

  it("is not lost by asking for it", async () => {
    const file = join(temporaryFolder(), "lock");
    const lock = await held(file);
    await acquireLock(file, { holder: "again" });

    const other = await taker(file, "other").told;

    expect(other).toHaveProperty("heldBy.holder", "me");
    await lock.release();
  });

  it("gives exactly one of eight racers the lock", async () => {
    const file = join(temporaryFolder(), "lock");
    const racers = Array.from({ length: 8 }, (_, index) => taker(file, `racer-${index}`));

    const told = await Promise.all(racers.map((racer) => racer.told));

    const winners = told.filter((answer) => answer.heldBy === undefined);
    expect(winners).toHaveLength(1);
    const winner = `racer-${told.findIndex((answer) => answer.heldBy === undefined)}`;
    for (const { heldBy } of told) expect(heldBy?.holder ?? winner).toBe(winner);
    await Promise.all(racers.map(letGo));
  });

  it("is free at once when its holder was killed -9, and tells the next one", async () => {
    const file = join(temporaryFolder(), "lock");
    const first = taker(file, "killed");
    await first.told;
    first.child.kill("SIGKILL");
    await once(first.child, "exit");

    const racers = Array.from({ length: 4 }, (_, index) => taker(file, `racer-${index}`));
    const told = await Promise.all(racers.map((racer) => racer.told));

    const winners = told.filter((answer) => answer.heldBy === undefined);
    expect(winners).toHaveLength(1);
    expect(winners[0]).toHaveProperty("takenOverFrom.holder", "killed");
    expect(winners[0]).toHaveProperty("takenOverFrom.pid", first.child.pid);
    await Promise.all(racers.map(letGo));
  });

  it("goes by the kernel, whatever the holder file says", async () => {
    const file = join(temporaryFolder(), "lock");
    writeFileSync(`${file}.holder`, JSON.stringify({ holder: "old", pid: process.pid }));

    const lock = await held(file);

    expect(lock.takenOverFrom).toEqual({ holder: "old", pid: process.pid });
    await lock.release();
  });

  it.each(["", "no JSON", "[]", "null"])(
    "reads a broken holder file %j as nobody's",
    async (text) => {
      const file = join(temporaryFolder(), "lock");
      writeFileSync(`${file}.holder`, text);

      const lock = await held(file);

      expect(lock.takenOverFrom).toBeUndefined();
      await lock.release();
    },
  );

  it.each([
    ["0123456789abcdef.", "0123456789abcdef."],
    [".", undefined],
    ["", undefined],
    ["0123456789abcdef", undefined],
    ["0123456789abcdef.1;", undefined],
    ["x0123456789abcdef.", undefined],
    [7, undefined],
  ])("takes the marker %j of a holder file as %j", async (written, marker) => {
    const file = join(temporaryFolder(), "lock");
    writeFileSync(`${file}.holder`, JSON.stringify({ holder: "old", marker: written }));

    const lock = await held(file);

    expect(lock.takenOverFrom?.marker).toBe(marker);
    await lock.release();
  });

  it.each(["state", "state/lock", "state/lock.holder", "state/lock-journal"])(
    "refuses a link at %s before it writes anything",
    async (name) => {
      const folder = temporaryFolder();
      const outside = temporaryFolder();
      if (name !== "state") mkdirSync(join(folder, "state"));
      symlinkSync(name === "state" ? outside : join(outside, "new"), join(folder, name));

      const taken = acquireLock(join(folder, "state/lock"), { holder: "me" });

      await expect(taken).rejects.toThrow(`${join(folder, name)} is a link to ${outside}`);
      expect(readdirSync(outside)).toEqual([]);
      if (name !== "state") {
        expect(readdirSync(join(folder, "state"))).toEqual([name.slice("state/".length)]);
      }
    },
  );

  it("refuses a file that is something else, and leaves it", async () => {
    const file = join(temporaryFolder(), "lock");
    writeFileSync(
      file,
      "a letter to a friend, longer than a hundred bytes, so that it fills a header. ".repeat(9),
    );

    await expect(acquireLock(file, { holder: "x" })).rejects.toThrow(`${file} is no lock`);
    expect(readFileSync(file, "utf8")).toMatch(/^a letter/);
  });

  it("says so where its folder is none", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");

    await expect(acquireLock(join(folder, "file/lock"), { holder: "x" })).rejects.toThrow(
      "file is a file",
    );
  });
});
