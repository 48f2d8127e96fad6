import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listRuns, readRun } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";
import { newRun } from "./support.ts";

test.each([".kit", ".kit/runs"])(
  "%s as a link is refused: nothing is written, read or made private behind it",
  async (name) => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    if (name === ".kit/runs") mkdirSync(join(root, ".kit"));
    symlinkSync(outside, join(root, name));
    const { mode } = statSync(outside);
    const runs = join(root, ".kit/runs");
    const refused = `${join(root, name)} is a link to ${outside}`;

    await expect(newRun(runs)).rejects.toThrow(refused);
    await expect(listRuns(runs)).rejects.toThrow(refused);
    await expect(readRun(runs)).rejects.toThrow(refused);

    expect(readdirSync(outside)).toEqual([]);
    expect(statSync(outside).mode).toBe(mode);
  },
);

test(".kit as a file is said to be one", async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, ".kit"), "");

  await expect(newRun(join(root, ".kit/runs"))).rejects.toThrow(`${join(root, ".kit")} is a file`);
});

test.each(["receipt.json", "events.jsonl"])(
  "a run whose %s is a pipe is listed as unreadable, and nobody waits for it",
  async (name) => {
    const runs = join(temporaryFolder(), ".kit/runs");
    const run = await newRun(runs);
    await run.close();
    rmSync(join(run.folder, "receipt.json"));
    rmSync(join(run.folder, name), { force: true });
    execFileSync("mkfifo", [join(run.folder, name)]);

    const [listed] = await listRuns(runs);

    expect(listed).toHaveProperty("unreadable", expect.stringContaining(`${name} is a pipe`));
  },
);
