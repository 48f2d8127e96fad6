import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../lib/processes/alive.ts";
import { repository, temporaryFolder } from "../../support/repository.ts";
import { noSandbox, runConfined } from "./support.ts";

/** Leaves a daemon that holds the output, ignores SIGTERM, prints 5 GB and never ends. */
const worst = `
trap '' TERM
echo FIRST
(setsid sh -c 'trap "" TERM; while :; do sleep 0.5; done; : kit-test-daemon' &)
head -c 5000000000 /dev/zero
echo WROTE > wrote.txt
while :; do sleep 0.5; done; : kit-test-worst`;

/** Largest memory of this process above what it had at the start, looked at every 20 ms. */
function memoryWatch(): { readonly grownMb: () => number } {
  const before = process.memoryUsage().rss;
  let largest = before;
  const looking = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss);
  }, 20);
  onTestFinished(() => clearInterval(looking));
  return { grownMb: () => (largest - before) / 1e6 };
}

describe.each(["on", "off"] as const)("the worst of test commands, sandbox %s", (mode) => {
  test.skipIf(mode === "on" && noSandbox !== undefined)(
    "is over two seconds after its time limit: nobody left, little memory, a short record",
    async () => {
      const root = repository({});
      const timeoutMs = 30_000;
      const memory = memoryWatch();

      const { ended, durationMs, output, outputBytes, outputFile } = await runConfined(
        root,
        worst,
        { mode, timeoutMs },
      );

      expect(ended).toMatchObject({ by: "deadline" });
      expect(readFileSync(join(root, "wrote.txt"), "utf8")).toBe("WROTE\n");
      expect(outputBytes).toBeGreaterThan(4_000_000_000);
      expect(durationMs).toBeLessThan(timeoutMs + 2_000);
      expect(memory.grownMb()).toBeLessThan(200);
      expect(output.startsWith("FIRST\n")).toBe(true);
      expect(statSync(outputFile ?? "").size).toBeLessThan(1_100_000);
      expect(processesLike("kit-test-daemon")).toEqual([]);
      expect(processesLike("kit-test-worst")).toEqual([]);
      console.log(
        `sandbox ${mode}: over ${(durationMs - timeoutMs).toFixed(0)} ms after the limit, ${(outputBytes / 1e9).toFixed(1)} GB, ${memory.grownMb().toFixed(0)} MB of memory`,
      );
    },
    120_000,
  );
});

describe.skipIf(noSandbox !== undefined)("a kit that is killed -9", () => {
  test("leaves nothing of a confined command", async () => {
    const root = repository({});
    const program = join(import.meta.dirname, "programs", "run-confined.ts");
    const line =
      "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 600; : kit-test-nine' &); touch up; while :; do sleep 0.5; done; : kit-test-nine";
    const kit = spawn(process.execPath, [program, root, line], {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: temporaryFolder() },
    });
    await until(() => statSync(join(root, "up"), { throwIfNoEntry: false }) !== undefined, 20_000);
    expect(processesLike("kit-test-nine").length).toBeGreaterThan(1);

    kit.kill("SIGKILL");
    await once(kit, "exit");

    await until(() => processesLike("kit-test-nine").length === 0, 10_000);
    expect(processesLike("kit-test-nine")).toEqual([]);
  }, 60_000);
});

/** Ids of processes whose command line holds the word. */
function processesLike(word: string): string[] {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });
}
