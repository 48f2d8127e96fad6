import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../bundle.ts";
import { type BenchRow, median, timeProcess } from "./row.ts";

const kit = join(root, "bin", "kit.cjs");
const pairs = 15;

/** What kit adds to a bare Node: each run of it beside one of `node -e 0`, the machine being the same. */
export async function benchStartUp(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "kit-bench-"));
  try {
    const repository = smallRepository(folder);
    const env = { ...process.env, KIT_CONFIG_DIR: join(folder, "config") };
    const dryRun = [kit, "run", "--dry-run", "--task", "Mend add", "--test", "npm test"];
    return [
      added("kit --version", [kit, "--version"], repository, env, 30),
      added("kit run --dry-run", dryRun, repository, env, 150),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function added(
  name: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  limit: number,
): BenchRow {
  // The first run fills the compile cache, as a user's first does.
  timeProcess(args, cwd, env);
  const bare: number[] = [];
  const differences = Array.from({ length: pairs }, () => {
    const one = timeProcess(["-e", "0"], cwd, env);
    bare.push(one);
    return timeProcess(args, cwd, env) - one;
  });
  const beside = `over node -e 0 at ${median(bare).toFixed(0)} ms, median of ${pairs} pairs`;
  return { name, value: median(differences), unit: "ms", limit, beside };
}

function smallRepository(folder: string): string {
  const repository = join(folder, "repository");
  execFileSync("git", ["init", "-q", repository]);
  writeFileSync(join(repository, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(repository, "add.js"), "export const add = (a, b) => a - b;\n");
  return repository;
}
