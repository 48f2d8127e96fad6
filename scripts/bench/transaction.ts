import { closeSync, fsync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { diskTree, openTransactions } from "../../src/changes/index.ts";
import { repoPath, type ChangePlan, type FileOperation } from "../../src/contracts/index.ts";
import { sha256 } from "../../src/lib/text.ts";
import type { BenchRow } from "./row.ts";

const sync = promisify(fsync);
const fileCount = 1_000;
const fileBytes = 10 * 1_024;
const rounds = 6;
const atOnce = 16;

/**
 * One transaction of a thousand files of 10 KB against writing and syncing as many files plainly,
 * sixteen at once; both in turn, on the disk of the checkout (a temporary folder may be memory).
 * Once for files that exist, once for new ones; plainly they are new in both: rewriting a file in
 * place is quicker, and leaves half of it behind in a crash.
 */
export async function benchTransaction(): Promise<readonly BenchRow[]> {
  const base = realpathSync(mkdtempSync(join(import.meta.dirname, "../../node_modules/.bench-")));
  try {
    return [await row(base, "changed"), await row(base, "new")];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const paths = Array.from({ length: fileCount }, (_, index) => {
  return repoPath(`folder-${index % 20}/file-${index}.txt`);
});

async function row(base: string, kind: "changed" | "new"): Promise<BenchRow> {
  const [plain, ours]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [root, beside] = [join(base, `${kind}-${round}`), join(base, `plain-${round}`)];
    for (const path of paths.slice(0, 20)) {
      for (const tree of [root, beside]) mkdirSync(dirname(join(tree, path)), { recursive: true });
    }
    mkdirSync(join(root, ".git"));
    if (kind === "changed") await writePlainly(root, "b");
    const transactions = openTransactions({ root, stateDir: join(root, ".git", "kit") });
    const measure = async (): Promise<void> => {
      ours.push(
        await timed(async () => {
          const result = await transactions.apply(planOf(kind));
          if (!result.ok) throw new Error(result.failure.message);
        }),
      );
    };
    // Disks that let a burst through favour whoever comes first.
    if (round % 2 === 1) await measure();
    plain.push(await timed(() => writePlainly(beside, "c")));
    if (round % 2 === 0) await measure();
    const entry = await diskTree(root).read(repoPath("folder-1/file-1.txt"));
    if (entry.kind !== "file" || entry.bytes[0] !== 99) throw new Error("It was not written.");
    for (const tree of [root, beside]) rmSync(tree, { recursive: true });
  }
  // Of all rounds together: the disk's pace may change within a round, too.
  const [plainMs, oursMs] = [mean(plain), mean(ours)];
  return {
    name: `one transaction of ${fileCount} ${kind} files of 10 KB`,
    value: oursMs / plainMs,
    unit: "×",
    limit: 3,
    beside: `${oursMs.toFixed(0)} ms, plainly ${plainMs.toFixed(0)} ms`,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function planOf(kind: "changed" | "new"): ChangePlan {
  const [after, hash] = [Buffer.alloc(fileBytes, "c"), sha256(Buffer.alloc(fileBytes, "b"))];
  const operations = paths.map((path): FileOperation => {
    if (kind === "new") return { kind: "create", path, after, mode: 0o644 };
    return { kind: "write", path, before: { hash, mode: 0o644 }, after };
  });
  return { operations, hash: "bench" };
}

/** The quickest plain way there is: only syncing waits, sixteen files at once. */
async function writePlainly(root: string, fill: string): Promise<void> {
  const bytes = Buffer.alloc(fileBytes, fill);
  const waiting = paths.values();
  const work = async (): Promise<void> => {
    for (const path of waiting) {
      const file = openSync(join(root, path), "w");
      writeFileSync(file, bytes);
      await sync(file);
      closeSync(file);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function timed(effect: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await effect();
  return performance.now() - started;
}
