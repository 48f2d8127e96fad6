import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, runTests, runTestCommand, type Sandbox } from "../../src/gate/index.ts";
import { type BenchRow, median } from "./row.ts";

const runs = 25;
const shell = "sleep 0.05";

/** What the gate adds to a test command, and what the sandbox adds to that. */
export async function benchTestCommands(): Promise<readonly BenchRow[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kit-bench-")));
  try {
    const request = {
      root,
      environment: process.env,
      network: false,
      writable: [],
      hookFolders: [],
    };
    const started = performance.now();
    const sandbox = await openSandbox({ mode: "auto", ...request });
    const openMs = performance.now() - started;
    const off = await openSandbox({ mode: "off", ...request });
    const bare: number[] = [];
    const plain: number[] = [];
    const confined: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      bare.push(timeBare(root));
      plain.push(await timeGate(root, off));
      if (sandbox.confined) confined.push(await timeGate(root, sandbox));
    }
    await sandbox.close();
    const bareMs = median(bare);
    const plainMs = median(plain);
    const beside = `of ${runs} runs of sh -c "${shell}", ${bareMs.toFixed(1)} ms by itself`;
    const gate = {
      name: "the gate beside the bare command",
      value: plainMs - bareMs,
      unit: "ms",
      limit: 50,
      beside,
    } as const;
    if (!sandbox.confined) return [gate];
    return [
      gate,
      {
        name: "the sandbox, a command",
        value: median(confined) - plainMs,
        unit: "ms",
        limit: 100,
        beside: `opened once in ${openMs.toFixed(1)} ms`,
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function timeBare(cwd: string): number {
  const started = performance.now();
  spawnSync("/bin/sh", ["-c", shell], { cwd });
  return performance.now() - started;
}

async function timeGate(root: string, sandbox: Sandbox): Promise<number> {
  const started = performance.now();
  await runTests({
    root,
    commands: [{ command: { shell }, cwd: root, source: { kind: "flag" }, trusted: true }],
    run: (command, options) => runTestCommand(command, options, sandbox),
    environment: process.env,
    passEnvironment: [],
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    outputFile: (index) => join(root, `${index}.log`),
  });
  return performance.now() - started;
}
