import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { endProcessesMarked } from "../../../src/lib/processes/index.ts";
import { processTable } from "../../../src/lib/processes/table.ts";
import { alive, pidsIn, until } from "./alive.ts";

const program = fileURLToPath(new URL("programs/run-command.ts", import.meta.url));

// Not `temporaryFolder`: tests that run at the same time cannot say whose it is.
const home = realpathSync(mkdtempSync(join(tmpdir(), "kit-test-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Starts a kit of its own that runs the line, which notes pids in `pids`; gives its marker. */
async function kit(line: string, pidCount: number) {
  const folder = mkdtempSync(join(home, "t-"));
  const pids = join(folder, "pids");
  const child = spawn(process.execPath, [program, line, folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PIDS: pids },
  });
  const marker = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once("line", resolve);
  });
  await until(() => pidsIn(pids).length === pidCount, 10_000);
  return { child, pids: pidsIn(pids), marker: await marker };
}

async function killNine(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const note = 'echo $$ >> "$PIDS"';

describe.concurrent("a kit that is killed -9", () => {
  it.each([
    ["a command and its children", `${note}; sh -c '${note}; sleep 60; :' & sleep 60`, 2],
    ["one that ignores SIGTERM", `trap '' TERM; ${note}; while :; do sleep 1; done`, 1],
    ["a setsid child", `${note}; setsid sh -c '${note}; sleep 60; :' & wait`, 2],
    [
      "a daemon whose parents are gone",
      `${note}; (setsid sh -c '${note}; sleep 60; :' &) ; sleep 60`,
      2,
    ],
  ])("leaves nothing running: %s", async (_, line, pidCount) => {
    const { child, pids, marker } = await kit(line, pidCount);

    await killNine(child);

    await until(async () => (await alive(pids)).length === 0, 10_000);
    const rest = (await processTable()).filter((entry) => entry.marker.includes(marker));
    expect(rest).toEqual([]);
  });

  it("leaves no watchdog either", async () => {
    const { child, marker } = await kit(`${note}; sleep 60`, 1);

    await killNine(child);

    await until(async () => !(await isWatched(marker)), 10_000);
    expect(await isWatched(marker)).toBe(false);
  });

  it("can be cleaned up after by its marker, where its watchdog died with it", async () => {
    const { child, pids, marker } = await kit(
      `${note}; setsid sh -c '${note}; sleep 60; :' & wait`,
      2,
    );
    // As after a crash of both kit and watchdog: only the marker in the lock is left.
    for (const { pid } of await watchdogs(marker)) process.kill(pid, "SIGKILL");
    await killNine(child);
    expect((await alive(pids)).length).toBe(2);

    const ended = await endProcessesMarked(marker);

    expect(ended.length).toBeGreaterThanOrEqual(2);
    expect(await alive(pids)).toEqual([]);
  });
});

describe("a kit that ends by itself", () => {
  it("takes its watchdog with it at once", async () => {
    const { child, marker } = await kit(`${note}; sleep 0.3`, 1);
    expect(await isWatched(marker)).toBe(true);

    const [code] = (await once(child, "exit")) as [number];

    expect(code).toBe(0);
    await until(async () => !(await isWatched(marker)), 500);
  });
});

/** The watchdog carries the marker in its arguments, not in its environment. */
async function watchdogs(marker: string) {
  return (await processTable()).filter(({ pid }) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words.includes("kit-watchdog") && words.includes(marker);
    } catch {
      return false;
    }
  });
}

async function isWatched(marker: string): Promise<boolean> {
  return (await watchdogs(marker)).length > 0;
}
