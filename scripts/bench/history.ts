import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRun, createRunId } from "../../src/runs/index.ts";
import { root } from "../bundle.ts";
import { type BenchRow, median, timeProcess } from "./row.ts";

const kit = join(root, "bin", "kit.cjs");
const manyRuns = 10_000;
const first = Date.parse("2026-01-01T00:00:00Z");

/** A repository that has seen many runs, and what one more costs it. */
export async function benchHistory(): Promise<readonly BenchRow[]> {
  const repository = mkdtempSync(join(tmpdir(), "kit-bench-"));
  try {
    execFileSync("git", ["init", "-q", repository]);
    const folder = join(repository, ".kit", "runs");
    await fill(folder);
    const env = { ...process.env, KIT_CONFIG_DIR: join(repository, "config") };
    const list = (): number => timeProcess([kit, "runs"], repository, env);
    const rebuilt = list();
    const beside = `whole process; ${(rebuilt / 1000).toFixed(1)} s where the index has to be made`;
    const listed = median(Array.from({ length: 11 }, list));
    const opened: number[] = [];
    for (let nth = 0; nth < 21; nth += 1) opened.push(await openAndClose(folder, manyRuns + nth));
    return [
      { name: `kit runs, ${manyRuns} runs`, value: listed, unit: "ms", limit: 150, beside },
      { name: "opening and closing a run", value: median(opened), unit: "ms", limit: 30 },
    ];
  } finally {
    rmSync(repository, { recursive: true, force: true });
  }
}

/** One real record, and copies of it. */
async function fill(folder: string): Promise<void> {
  await openAndClose(folder, 0);
  const model = join(folder, idOf(0));
  for (let nth = 1; nth < manyRuns; nth += 1) {
    const copy = join(folder, idOf(nth));
    mkdirSync(copy);
    for (const name of ["events.jsonl", "receipt.json"]) {
      cpSync(join(model, name), join(copy, name), { preserveTimestamps: true });
    }
  }
}

function repositoryOf(folder: string): string {
  return join(folder, "..", "..");
}

/** Ids a minute apart. */
function idOf(nth: number): string {
  return createRunId(new Date(first + nth * 60_000), () => 0);
}

async function openAndClose(folder: string, nth: number): Promise<number> {
  const id = idOf(nth);
  const started = performance.now();
  const run = await createRun({ folder, id, clock: () => new Date(first) });
  await run.emit({
    type: "run_started",
    runId: id,
    task: "Saving an empty project crashes",
    root: repositoryOf(folder),
    kitVersion: "0.1.0",
    settings: {},
  });
  await run.emit({ type: "run_finished", outcome: "success", exitCode: 0, changedFiles: ["a.js"] });
  await run.close();
  return performance.now() - started;
}
