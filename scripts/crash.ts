import { spawnSync } from "node:child_process";

/**
 * Kills whole runs (real pi, model server) with SIGKILL at 220 points, or as many as the argument
 * says, resumes each, and prints what was found. Takes about ten minutes.
 */
const points = process.argv[2] ?? "220";
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "slow", "tests/e2e/crash.slow.test.ts"],
  { stdio: "inherit", env: { ...process.env, KIT_CRASH_POINTS: points } },
);
process.exitCode = status ?? 1;
