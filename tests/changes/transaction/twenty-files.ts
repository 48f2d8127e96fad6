import { mkdirSync, chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repoPath } from "../../../src/contracts/index.ts";
import type { ChangePlan, FileOperation } from "../../../src/contracts/index.ts";
import { sha256 } from "../../../src/lib/text.ts";
import { writeFiles } from "../../support/repository.ts";

const text = (name: string): string => `${name} as the user left it\r\nlast line without end`;

/** Twenty-four files in three folders, four of which no plan touches, and a state folder beside. */
export function makeTree(root: string): { root: string; stateDir: string } {
  const names = Array.from({ length: 24 }, (_, index) => `${folderOf(index)}f${index}.txt`);
  writeFiles(root, Object.fromEntries(names.map((name) => [name, text(name)])));
  names.forEach((name, index) => {
    if (index % 3 === 0)
      chmodSync(join(root, name), [0o755, 0o600, 0o640][(index % 9) / 3] ?? 0o644);
  });
  mkdirSync(join(root, ".git"));
  return { root, stateDir: join(root, ".git", "kit") };
}

function folderOf(index: number): string {
  return ["", "src/", "src/deep/"][index % 3] ?? "";
}

/** Twenty files: ten rewritten, four new (two of them in new folders), three removed, three moved. */
export function planTwenty(): ChangePlan {
  const operations: FileOperation[] = [];
  for (let index = 0; index < 16; index += 1) {
    const path = repoPath(`${folderOf(index)}f${index}.txt`);
    const before = { hash: sha256(text(path)), mode: 0o644 };
    const after = Buffer.from(`${path} as kit wrote it\n`.repeat(index + 1));
    if (index < 6) operations.push({ kind: "write", path, before, after });
    else if (index < 10) operations.push({ kind: "edit", path, before, after, strategy: "bytes" });
    else if (index < 13) operations.push({ kind: "delete", path, before });
    else {
      const to = repoPath(index === 13 ? "moved/far/away.txt" : `src/moved${index}.txt`);
      operations.push({ kind: "rename", path, to, before, after });
    }
  }
  for (const name of ["new.txt", "src/new.txt", "fresh/new.txt", "fresh/er/new.txt"]) {
    const after = Buffer.from(`${name}\n`);
    operations.push({ kind: "create", path: repoPath(name), after, mode: 0o644 });
  }
  return { operations, hash: "twenty" };
}

/** Names of the records that stand in the state folder: `applied`, `journal`, … */
export function recordStates(stateDir: string): string[] {
  const transactions = join(stateDir, "transactions");
  if (!existsSync(transactions)) return [];
  return readdirSync(transactions).flatMap((id) => {
    const records = readdirSync(join(transactions, id)).filter((name) => name.endsWith(".json"));
    return records.length === 0 ? ["nothing"] : records.map((name) => name.slice(0, -5));
  });
}
