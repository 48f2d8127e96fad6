import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { openStore } from "../../../src/lib/store.ts";
import { ledgerFile } from "../../../src/routing/index.ts";
import { ledgerSchema } from "../../../src/routing/quota/tables.ts";
import { temporaryFolder } from "../../support/repository.ts";
import { openWorld } from "./programs/world.ts";

interface SimulationOptions {
  readonly processes: number;
  readonly tasks: number;
  /** Simulated milliseconds in a real one. */
  readonly pace: number;
  /** Processes that are killed under way; another one comes for each. */
  readonly kills: number;
}

interface Told {
  readonly by: string;
  readonly at: number;
  readonly type: "call" | "task";
  readonly pool?: string;
  readonly window?: number;
  readonly resetAt?: string;
  readonly task?: number;
  readonly ok?: boolean;
}

const workerFile = join(import.meta.dirname, "programs", "worker.ts");

/**
 * Several processes with one ledger work off tasks on three accounts, each of which allows some
 * calls a window and says when the next one begins.
 */
export async function simulate({
  processes,
  tasks,
  pace,
  kills,
}: SimulationOptions): Promise<void> {
  const folder = temporaryFolder();
  (await openWorld(folder, Date.now)).addTasks(tasks);
  const start = (name: string) => {
    const child = spawn(process.execPath, [workerFile, folder, name, String(pace)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise<void>((done) => child.on("close", () => done()));
    return { child, ended };
  };
  const running = Array.from({ length: processes }, (_, nth) => start(`w${nth}`));
  let killed = 0;
  for (const victim of running.slice(0, kills)) {
    await delay(700);
    if (victim.child.exitCode === null && victim.child.kill("SIGKILL")) killed += 1;
  }
  const more = Array.from({ length: killed }, (_, nth) => start(`late${nth}`));
  await Promise.all([...running, ...more].map(({ ended }) => ended));

  const told = readFileSync(join(folder, "events.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Told);

  // Nothing is starved: what a killed process had in hand is all that is not done.
  const done = told.filter(({ type, ok }) => type === "task" && ok === true);
  expect(tasks - new Set(done.map(({ task }) => task)).size).toBeLessThanOrEqual(killed);

  // At most one limit error an account and window; one more where its finder was killed with it.
  const errors = told.filter(({ resetAt }) => resetAt !== undefined);
  const places = errors.map(({ pool, window }) => `${pool} ${window}`);
  expect(places.length - new Set(places).size).toBeLessThanOrEqual(killed);

  // Nobody calls an account that all know to be spent.
  for (const { pool, at, resetAt } of errors) {
    const late = told.filter(
      (each) =>
        each.type === "call" &&
        each.pool === pool &&
        each.at > at &&
        each.at < Date.parse(resetAt ?? ""),
    );
    expect(late.length).toBeLessThanOrEqual(killed);
  }
  expect(errors.length).toBeGreaterThan(0);

  const ledger = await openStore(ledgerFile(folder), ledgerSchema);
  expect(ledger.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  ledger.close();
}
