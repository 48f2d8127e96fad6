import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Fingerprint, KitError, type RepoPath, type Workspace } from "../contracts/index.ts";
import {
  diskTree,
  openTransactions,
  type RecoveryReport,
  type Transactions,
} from "../changes/index.ts";
import { runTestCommand, type Sandbox } from "../gate/index.ts";
import { pathExists, writeFileDurably } from "../lib/files.ts";
import type { Git } from "../lib/git.ts";
import { acquireLock, type Lock } from "../lib/lock.ts";
import { requireOwnPlace } from "../lib/own-place.ts";
import { endProcessesMarked } from "../lib/processes/index.ts";
import { sha256 } from "../lib/text.ts";
import { stands } from "./tree-state.ts";

/** Where a tree is and where kit keeps its own state for it (`stateFolder` of lib). */
export interface TreePlace {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly git: Git | undefined;
  /** Absolute folder of lock, journal and pre-images. */
  readonly stateDir: string;
}

/** A workspace on the user's checkout, held under the tree's lock until it is closed. */
export interface HeldWorkspace {
  readonly workspace: Workspace;
  readonly transactions: Transactions;
  /** What an earlier kit had left, and what became of it. */
  readonly recovery: RecoveryReport;
}

/** Transactions of a tree, for who looks at what an earlier run left there. */
export function transactionsOf({ root, stateDir }: TreePlace): Transactions {
  return openTransactions({ root, stateDir });
}

/**
 * Takes the tree's lock, puts right what a killed kit left (journal, children), and gives the
 * workspace. `holder` is the run's id; test commands run in the sandbox; `newId` names transactions.
 * @throws KitError `conflict` when another kit works in this tree.
 */
export async function openInPlace(
  place: TreePlace,
  holder: string,
  sandbox?: Sandbox,
  newId?: () => string,
): Promise<HeldWorkspace> {
  if (place.git === undefined) await createStateFolder(place.stateDir);
  const lock = await acquireLock(join(place.stateDir, "lock"), { holder });
  if ("heldBy" in lock) {
    const { holder: other, pid } = lock.heldBy;
    throw new KitError(
      "conflict",
      `Another kit works in this tree: ${other}${pid === undefined ? "" : `, process ${pid}`}.`,
      {
        next: "Wait for it to end, or end it where it runs.",
      },
    );
  }
  try {
    const { root, stateDir } = place;
    const transactions = openTransactions({ root, stateDir, ...(newId && { newId }) });
    const recovery = await putRight(lock, transactions);
    return { workspace: workspaceOf(place, transactions, lock, sandbox), transactions, recovery };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Puts right what a killed kit left in this tree; does nothing, and writes nothing, where there
 * is nothing or where another kit works. Every command that looks at a tree calls it first.
 */
export async function recoverTree(place: TreePlace): Promise<RecoveryReport> {
  const nothing: RecoveryReport = { recovered: [], unsettled: [] };
  if (place.git === undefined) requireOwnPlace(dirname(place.stateDir), "folder");
  const traces = ["lock.holder", "transactions"].map((name) => join(place.stateDir, name));
  if (!traces.some((trace) => existsSync(trace))) return nothing;
  const lock = await acquireLock(join(place.stateDir, "lock"), { holder: "recovery" });
  if ("heldBy" in lock) return nothing;
  try {
    return await putRight(lock, openTransactions({ root: place.root, stateDir: place.stateDir }));
  } finally {
    await lock.release();
  }
}

/**
 * Without git, kit's state is in the tree: it keeps itself out of a repository that comes later.
 * @throws OddPlaceError, before anything is written, where it or the folder above is a link
 */
async function createStateFolder(folder: string): Promise<void> {
  requireOwnPlace(dirname(folder), "folder");
  requireOwnPlace(folder, "folder");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ignore = join(folder, ".gitignore");
  if (!(await pathExists(ignore))) await writeFileDurably(ignore, "*\n", 0o600);
}

async function putRight(lock: Lock, transactions: Transactions): Promise<RecoveryReport> {
  const { marker } = lock.takenOverFrom ?? {};
  if (marker !== undefined) await endProcessesMarked(marker);
  return transactions.recover();
}

function workspaceOf(
  { root, git }: TreePlace,
  transactions: Transactions,
  lock: Lock,
  sandbox: Sandbox | undefined,
): Workspace {
  return {
    root,
    fingerprint: (paths) => fingerprintOf(root, git, paths),
    apply: (plan) => transactions.apply(plan),
    accept: (applied) => transactions.accept(applied),
    rollback: (applied) => transactions.rollback(applied),
    run: (command, options) => runTestCommand(command, options, sandbox),
    close: () => lock.release(),
  };
}

async function fingerprintOf(
  root: string,
  git: Git | undefined,
  paths: readonly RepoPath[],
): Promise<Fingerprint> {
  // Untracked files are not asked for: tests write reports, and those move nothing.
  const looking = git?.run(["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no"]);
  const [status, files] = await Promise.all([looking, hashFiles(root, paths)]);
  const [head = "", ...entries] = (status?.toString("utf8") ?? "").split("\0");
  return { head, status: statusByPath(root, entries), files };
}

async function hashFiles(
  root: string,
  paths: readonly RepoPath[],
): Promise<ReadonlyMap<RepoPath, string>> {
  const tree = diskTree(root);
  const files = new Map<RepoPath, string>();
  for (const path of paths) {
    const entry = await tree.read(path);
    files.set(path, entry.kind === "file" ? `${entry.mode} ${sha256(entry.bytes)}` : entry.kind);
  }
  return files;
}

/** Entries of `git status --porcelain=v2 -z`: words, then the path; of a rename the old path follows. */
function statusByPath(root: string, entries: readonly string[]): Fingerprint["status"] {
  const status = new Map<string, { words: string; holds: string }>();
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? "";
    const fields = { "1": 8, "2": 9, u: 10 }[entry.charAt(0)];
    if (fields === undefined) continue;
    const words = entry.split(" ");
    const path = words.slice(fields).join(" ");
    status.set(path, { words: words.slice(0, fields).join(" "), holds: stands({ root }, path) });
    if (entry.startsWith("2")) index += 1;
  }
  return status;
}

/**
 * What differs between two fingerprints of one tree, in words; empty when nothing moved. `ours`
 * are paths that kit wrote between the two.
 */
export function movedBetween(
  before: Fingerprint,
  after: Fingerprint,
  ours: ReadonlySet<string> = new Set(),
): string[] {
  const moved = new Set<string>();
  if (before.head !== after.head) moved.add("HEAD");
  for (const [path, hash] of before.files) if (after.files.get(path) !== hash) moved.add(path);
  for (const path of new Set([...before.status.keys(), ...after.status.keys()])) {
    if (before.status.get(path)?.words !== after.status.get(path)?.words) moved.add(path);
  }
  return [...moved].filter((path) => !ours.has(path));
}

/**
 * Tracked files that were modified and are modified again: git's words for them stay. Not for a time
 * in which tests ran, which may write into tracked files whenever they run.
 */
export function editedBetween(before: Fingerprint, after: Fingerprint): string[] {
  return [...before.status].flatMap(([path, { words, holds }]) => {
    const now = after.status.get(path);
    return now?.words === words && now.holds !== holds ? [path] : [];
  });
}
