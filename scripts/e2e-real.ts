import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { root } from "./bundle.ts";

// One real run with the models bound on this machine, on a copy of the demo's repository:
// `npm run e2e:real`. It can cost money, so it shows who would be asked and asks first; `--yes`
// answers for scripts.

const kit = join(root, "bin", "kit.cjs");
const folder = mkdtempSync(join(tmpdir(), "kit-e2e-"));
try {
  process.exitCode = await run(join(folder, "repository"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(repository: string): Promise<number> {
  cpSync(join(root, "fixtures", "demo-repo"), repository, { recursive: true });
  git(repository, "init", "--quiet");
  git(repository, "add", "--all");
  git(
    repository,
    "-c",
    "user.name=kit",
    "-c",
    "user.email=kit@example.invalid",
    "commit",
    "-qm",
    "Start",
  );
  const task = readFileSync(join(root, "fixtures", "demo", "task.txt"), "utf8").trim();
  if (!servedHere(repository)) {
    console.error("No model is bound on this machine, so there is nothing real to test.");
    console.error("next: bind one: node bin/kit.cjs init");
    return 3;
  }
  kitIn(repository, "run", "--dry-run", "--task", task);
  if (!(await agreed())) {
    console.error("Nothing was called.");
    return 2;
  }
  return kitIn(repository, "run", "--task", task);
}

/** Scout and coder both have a candidate. */
function servedHere(repository: string): boolean {
  return ["cheap-code", "strong-code"].every((capability) => {
    const { status } = spawnSync(process.execPath, [kit, "route", capability], { cwd: repository });
    return status === 0;
  });
}

async function agreed(): Promise<boolean> {
  if (process.argv.includes("--yes")) return true;
  if (!process.stdin.isTTY) {
    console.error("Without a terminal nobody can agree to the cost: add --yes to do so.");
    return false;
  }
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await questions.question(
    "These models will be called, which can cost money. Go on? [y/N] ",
  );
  questions.close();
  return /^y(es)?$/i.test(answer.trim());
}

function kitIn(cwd: string, ...args: readonly string[]): number {
  return spawnSync(process.execPath, [kit, ...args], { cwd, stdio: "inherit" }).status ?? 1;
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd });
}
