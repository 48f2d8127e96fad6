import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProcess, runToFile } from "../../../src/lib/processes/index.ts";

const env = { PATH: process.env["PATH"] };

/** Largest memory of this process above what it had at the start, looked at every 20 ms. */
function memoryWatch(): { readonly grownMb: () => number } {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let largest = before;
  const looking = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss);
  }, 20);
  onTestFinished(() => clearInterval(looking));
  return { grownMb: () => (largest - before) / 1e6 };
}

describe("a flood of output", () => {
  it("of 1 GB in lines passes with little memory", async () => {
    const memory = memoryWatch();
    let lines = 0;
    let bytes = 0;

    const { ended } = await runProcess({
      program: "/bin/sh",
      args: ["-c", `yes ${"x".repeat(999)} | head -c 1000000000`],
      cwd: "/",
      env,
      onStdoutLine: (line) => {
        lines += 1;
        bytes += line.length;
      },
    });

    expect(ended).toEqual({ by: "exit", code: 0 });
    expect([lines, bytes]).toEqual([1_000_000, 999_000_000]);
    expect(memory.grownMb()).toBeLessThan(200);
  });

  it("of 2 GB into a file takes neither memory nor the disk", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kit-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const outputFile = join(folder, "output.txt");
    const memory = memoryWatch();

    const { ended, outputBytes } = await runToFile({
      command: { shell: "yes | head -c 2000000000; echo LAST; exit 1" },
      cwd: "/",
      env,
      outputFile,
      maxOutputBytes: 10_000_000,
      timeoutMs: 120_000,
      signal: new AbortController().signal,
    });

    expect(ended).toEqual({ by: "exit", code: 1 });
    expect(outputBytes).toBeGreaterThan(1_500_000_000);
    expect(statSync(outputFile).size).toBeLessThan(10_000_100);
    expect(memory.grownMb()).toBeLessThan(200);
  });
});
