import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/runs/index.ts";
import { temporaryFolder } from "../support/repository.ts";

test("an event that the disk has no room for fails its emit and leaves whole lines only", async () => {
  const folder = join(temporaryFolder(), "runs");
  const program = join(import.meta.dirname, "programs", "fill-log.ts");

  // The shell's limit on the size of files stands in for a full disk: the last write is cut short.
  const printed = execFileSync(
    "bash",
    ["-c", 'ulimit -f 4; exec "$0" "$1" "$2"', process.execPath, program, folder],
    { encoding: "utf8" },
  );

  const { events, damaged } = await readRun(folder);
  expect(printed).toBe("EFBIG\n");
  expect(damaged).toBe(0);
  expect(events.length).toBeGreaterThan(2);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});
