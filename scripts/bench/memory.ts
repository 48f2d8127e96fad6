import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContextPack } from "../../src/contracts/index.ts";
import { appendToJournal, journaledRun, readJournal } from "../../src/memory/index.ts";
import { earlierRunsFor, withEarlierRuns } from "../../src/pipeline/memory.ts";
import { type BenchRow, median } from "./row.ts";

const runs = 100;
const task = "Totals are wrong when a cart is empty";
const pack: ContextPack = {
  task,
  goal: "Right totals",
  constraints: [],
  relevantFiles: [{ path: "src/cart.js" }],
  expectedOutput: "Blocks.",
};

/** What a run pays for knowing a hundred earlier ones, all of them about its task. */
export async function benchMemory(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "kit-bench-"));
  const file = join(folder, "journal.jsonl");
  try {
    for (let nth = 0; nth < runs; nth += 1) await appendToJournal(file, runOf(nth));
    const times: number[] = [];
    for (let nth = 0; nth < 15; nth += 1) {
      const started = performance.now();
      const journal = await readJournal(file);
      const memory = { project: "p", runs: journal.runs, facts: [] };
      earlierRunsFor(memory, task, true);
      withEarlierRuns(pack, memory, task);
      times.push(performance.now() - started);
    }
    const beside = `${runs} runs, all about the task; median of ${times.length}`;
    return [
      { name: "what earlier runs cost", value: median(times), unit: "ms", limit: 10, beside },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runOf(nth: number): ReturnType<typeof journaledRun> {
  const output = "AssertionError: NaN !== 0\n    at test/cart.test.js:7:3\n".repeat(8);
  const failure = "tests_failed: 1 test is red";
  const commands = ["npm test: exit 1"];
  const attempt = { ok: false, failure, output, commands };
  return journaledRun(
    {
      id: `20261130-1914${String(nth).padStart(2, "0")}-k3f9`,
      task,
      outcome: "exhausted",
      finishedAt: "2026-11-30T20:00:00.000Z",
      goal: "cartTotal([]) returns 0 and the test of the empty cart is green",
      changedFiles: [],
      attempts: [
        { ...attempt, candidate: "cheap (acme/small)", ref: "attempts/coder-1" },
        { ...attempt, candidate: "strong (acme/large)", ref: "attempts/coder-2" },
      ],
    },
    [],
  );
}
