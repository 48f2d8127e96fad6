import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RecoveryReport } from "../changes/index.ts";
import { pathExists, readTextIfExists } from "../lib/files.ts";
import { stateFolder } from "../lib/git.ts";
import type { TreePlace } from "../pipeline/index.ts";
import type { Io } from "./io.ts";
import { openRepository } from "./project.ts";
import { recoverySentences } from "./recovery.ts";

/** The records of a repository. */
export interface History {
  /** Absolute `.kit/runs`; need not exist. */
  readonly runsFolder: string;
  /** The id of the run that is going on in this tree right now. */
  readonly running: string | undefined;
}

/**
 * Opens the records of a repository. What a killed kit left in the tree is put right first, and
 * said on stderr: the history must not speak of a tree that is half changed.
 */
export async function openHistory(repo: string | undefined, io: Io): Promise<History> {
  const repository = await openRepository(repo, io);
  const stateDir = await stateFolder(repository.git, repository.root);
  const holderFile = join(stateDir, "lock.holder");
  if ((await pathExists(holderFile)) || (await holdsPending(stateDir)))
    await putRight({ ...repository, stateDir }, io);
  return {
    runsFolder: join(repository.root, ".kit", "runs"),
    running: holderOf(await readTextIfExists(holderFile)),
  };
}

/**
 * Puts right what a killed kit left in the tree, and says so on stderr.
 * @param place the tree; nothing is written where there is nothing to do, or another kit works
 */
export async function putRight(place: TreePlace, io: Io): Promise<RecoveryReport> {
  const { recoverTree } = await import("../pipeline/index.ts");
  const report = await recoverTree(place);
  const sentences = await recoverySentences(report, place);
  for (const sentence of sentences) io.stderr.write(`${sentence}\n`);
  return report;
}

/**
 * A change that nobody accepted, also of a kit that ended by itself: a full disk may have kept it from
 * taking its change back. Looked for without the code that takes it back, as most often there is none.
 */
async function holdsPending(stateDir: string): Promise<boolean> {
  const folder = join(stateDir, "transactions");
  const names = await readdir(folder).catch(() => []);
  const isAccepted = names.map((name) => pathExists(join(folder, name, "accepted.json")));
  return (await Promise.all(isAccepted)).includes(false);
}

/** After recovery, whoever is still named beside the lock is alive. */
function holderOf(text: string | undefined): string | undefined {
  try {
    const { holder } = JSON.parse(text ?? "{}") as { readonly holder?: unknown };
    return typeof holder === "string" ? holder : undefined;
  } catch {
    return undefined;
  }
}
