import { createRun } from "../../../src/runs/index.ts";

// Emits events into a run in the given folder until one fails, then prints how that failed.
const [folder = ""] = process.argv.slice(2);
const run = await createRun({ folder, id: "20261130-191430-aaaa", clock: () => new Date(0) });
try {
  for (let count = 1; ; count += 1) {
    await run.emit({ type: "applied", attempt: count, transaction: "x".repeat(700) });
  }
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code);
}
