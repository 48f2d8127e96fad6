import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { listRows } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";

const [writers, listers, forMs] = [32, 4, 10_000];

/** A process that is ready; `go` lets it work and gives its exit, what it printed, what it complained of. */
async function start(program: string, folder: string, nth: number) {
  const file = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
  const child = spawn(process.execPath, [file, folder, String(nth), String(forMs)]);
  const stderr = text(child.stderr);
  await once(child.stdout, "data");
  const stdout = text(child.stdout);
  return async function go() {
    const exited = once(child, "exit");
    child.stdin.write("go\n");
    const [code] = (await exited) as [number | null];
    return { code, said: await stdout, complained: await stderr };
  };
}

function startAll(program: string, folder: string, count: number) {
  return Promise.all(Array.from({ length: count }, (_, nth) => start(program, folder, nth)));
}

test("thirty-two kits write the index for ten seconds while others list: nobody is refused", async () => {
  const folder = join(temporaryFolder(), ".kit", "runs");
  const ready = [
    ...(await startAll("write-runs.ts", folder, writers)),
    ...(await startAll("list-runs.ts", folder, listers)),
  ];

  const ended = await Promise.all(ready.map((go) => go()));

  expect(ended.filter(({ code, complained }) => code !== 0 || complained !== "")).toEqual([]);
  const wrote = ended
    .slice(0, writers)
    .map(({ said }) => JSON.parse(said) as { ids: string[]; notTaken: number });
  expect(wrote.map(({ notTaken }) => notTaken)).toEqual(wrote.map(() => 0));
  const ids = wrote.flatMap((each) => each.ids).toSorted();
  expect(ids.length).toBeGreaterThanOrEqual(writers);
  // All are in the index before anybody lists them once more, and in the list.
  const index = new DatabaseSync(join(folder, "index.sqlite"));
  const indexed = index.prepare("SELECT id FROM run ORDER BY id").all();
  index.close();
  expect(indexed.map(({ id }) => id)).toEqual(ids);
  const { rows, total } = await listRows(folder);
  expect(total).toBe(ids.length);
  expect(rows.toReversed()).toMatchObject(ids.map((id) => ({ id, outcome: "success" })));
});
