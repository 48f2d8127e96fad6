import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repoPath } from "../../../src/contracts/index.ts";
import {
  openTransactions,
  type ApplyResult,
  type Transactions,
} from "../../../src/changes/index.ts";
import type {
  AppliedPlan,
  ChangePlan,
  Failure,
  FileOperation,
} from "../../../src/contracts/index.ts";
import { sha256 } from "../../../src/lib/text.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";

/** A tree with these files, and transactions on it whose state lies elsewhere. */
export function site(files: Readonly<Record<string, string>>): {
  readonly root: string;
  readonly stateDir: string;
  readonly transactions: Transactions;
} {
  const [root, stateDir] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, files);
  return { root, stateDir, transactions: openTransactions({ root, stateDir }) };
}

/** What was applied; throws the failure where nothing was. */
export function applied(result: ApplyResult): AppliedPlan {
  if (result.ok) return result.applied;
  throw new Error(`${result.failure.kind}: ${result.failure.message}`);
}

/** Why nothing was applied; throws where something was. */
export function refused(result: ApplyResult): Failure {
  if (!result.ok) return result.failure;
  throw new Error("It was applied.");
}

/** What a plan is to do, in words: path → new text, `null` to delete, `→ path` to rename. */
export type Wish = Readonly<Record<string, string | Uint8Array | null>>;

/** A plan against what stands in `root` now; a path that does not exist is created. */
export function planOf(root: string, wish: Wish): ChangePlan {
  return {
    operations: Object.entries(wish).map((entry) => operation(root, ...entry)),
    hash: "test",
  };
}

function operation(root: string, name: string, to: string | Uint8Array | null): FileOperation {
  const path = repoPath(name);
  const old = bytesOf(join(root, name));
  // Not the file's real mode: a transaction takes that from the disk.
  const mode = 0o644;
  if (old === undefined) return { kind: "create", path, after: Buffer.from(to ?? ""), mode };
  const before = { hash: sha256(old), mode };
  if (to === null) return { kind: "delete", path, before };
  if (typeof to === "string" && to.startsWith("→ ")) {
    return { kind: "rename", path, to: repoPath(to.slice(2)), before, after: old };
  }
  return { kind: "write", path, before, after: Buffer.from(to) };
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
