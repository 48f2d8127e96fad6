import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../../../src/lib/store.ts";

/** Calls each account allows in a window, and how long its windows are, in simulated time. */
const provider = { calls: 12, windowMs: 5 * 60_000 };

const schema = {
  migrations: [
    "CREATE TABLE used (pool TEXT, window INTEGER, calls INTEGER, PRIMARY KEY (pool, window)); CREATE TABLE task (id INTEGER PRIMARY KEY, taken INTEGER NOT NULL DEFAULT 0)",
  ],
};

/** The world outside of kit: what the providers count, and the tasks that are left. */
export interface World {
  addTasks(count: number): void;
  /** The next task that nobody has taken. */
  takeTask(): number | undefined;
  /** One request to a provider; refused with the window's end once the window is spent. */
  request(pool: string): Promise<{ readonly window: number; readonly resetAt?: string }>;
}

export async function openWorld(folder: string, now: () => number): Promise<World> {
  const store = await openStore(`${folder}/world.sqlite`, schema);
  return {
    addTasks(count) {
      for (let id = 1; id <= count; id += 1) store.run("INSERT INTO task (id) VALUES (?)", id);
    },
    takeTask() {
      const [row] = store.all(
        "UPDATE task SET taken = 1 WHERE id = (SELECT min(id) FROM task WHERE taken = 0) RETURNING id",
      );
      return row === undefined ? undefined : Number(row["id"]);
    },
    async request(pool) {
      await delay(5);
      const window = Math.floor(now() / provider.windowMs);
      const [row] = store.all(
        "INSERT INTO used VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1 RETURNING calls",
        pool,
        window,
      );
      if (Number(row?.["calls"]) <= provider.calls) return { window };
      return { window, resetAt: new Date((window + 1) * provider.windowMs).toISOString() };
    },
  };
}
