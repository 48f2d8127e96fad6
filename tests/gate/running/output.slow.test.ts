import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { digest } from "../../../src/gate/index.ts";
import { temporaryFolder } from "../../support/repository.ts";
import { runReally } from "../support.ts";

test("400 MB of output: memory and record bounded, exit code and last line kept", async () => {
  const root = temporaryFolder();
  const command = `node -e "const l='x'.repeat(1000)+'\\n';for(let i=0;i<400000;i++)process.stdout.write(l);console.error('LAST ERROR LINE');process.exitCode=1"`;

  const { commands } = await runReally(root, [command], { timeoutMs: 120_000 });
  const [run] = commands;

  expect(run?.ended).toEqual({ by: "exit", code: 1 });
  expect(run?.outputBytes).toBeGreaterThan(100_000_000);
  expect(run?.output).toMatch(/LAST ERROR LINE\n$/);
  expect(statSync(run?.outputFile ?? "").size).toBeLessThan(600_000);
  expect(digest(commands, { root, maxChars: 8_000 }).length).toBeLessThanOrEqual(8_000);
  expect(process.resourceUsage().maxRSS / 1024).toBeLessThan(300);
});

test("a command that never stops printing is stopped by its deadline", async () => {
  const root = temporaryFolder();

  const { commands } = await runReally(root, ["yes"], { timeoutMs: 3_000 });

  expect(commands[0]?.ended.by).toBe("deadline");
  expect(commands[0]?.durationMs).toBeLessThan(10_000);
  expect(commands[0]?.output.length).toBeLessThan(600_000);
});

test("a daemon that ignores SIGTERM and keeps the output open does not outlive the deadline", async () => {
  const root = temporaryFolder();

  const { commands } = await runReally(
    root,
    ["trap '' TERM; setsid sh -c \"trap '' TERM; sleep 90.0091\" & yes"],
    { timeoutMs: 2_000 },
  );

  expect(commands[0]?.durationMs).toBeLessThan(10_000);
});
