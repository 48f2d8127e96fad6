import type { RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { diskTree } from "../disk-tree.ts";
import { applySteps } from "./apply.ts";
import { openRecord, type JournalStep, type TransactionRecord } from "./journal.ts";
import { keep } from "./kept.ts";
import { Obstacle } from "./obstacle.ts";
import { cutPreImage } from "./restore.ts";
import type { Site } from "./site.ts";
import { mergeThree } from "./three-way.ts";

/** What merging did with the files that an undo had left to the user. */
export interface MergeReport {
  readonly merged: readonly {
    readonly path: RepoPath;
    /** Places marked in the text, where the user changed the lines that kit had. */
    readonly conflicts: number;
    /** Absolute: the user's version as it was until now. */
    readonly yours: string;
  }[];
  readonly left: readonly { readonly path: RepoPath; readonly reason: string }[];
}

/**
 * Takes the rest of an accepted transaction back by merging: what kit changed goes, what the user
 * changed since stays. Each file is merged whole, as a transaction of its own, or left as it is;
 * its version until now is among the kept files first. What is left may be merged again later.
 * Whoever calls it is alone in the tree.
 */
export async function mergeBack(site: Site, id: string, newId: () => string): Promise<MergeReport> {
  const record = openRecord(site.fs, site.stateDir, id);
  const journal = await record.read();
  const merged: MergeReport["merged"][number][] = [];
  const left: MergeReport["left"][number][] = [];
  const rest: JournalStep[] = [];
  for (const step of journal.steps) {
    const result = await mergeStep({ site, id, record }, step, newId());
    if (typeof result === "string") {
      left.push({ path: step.path, reason: result });
      rest.push(step);
    } else if (result !== undefined) merged.push(result);
  }
  if (rest.length === 0) await record.forget();
  else if (rest.length < journal.steps.length) await record.replace({ ...journal, steps: rest });
  return { merged, left };
}

interface Merging {
  readonly site: Site;
  readonly id: string;
  readonly record: TransactionRecord;
}

/** @returns why the file was left; undefined where nothing of kit's is in it any more */
async function mergeStep(
  { site, id, record }: Merging,
  step: JournalStep,
  mergeId: string,
): Promise<MergeReport["merged"][number] | string | undefined> {
  const { path, before, after } = step;
  const entry = await diskTree(site.root).read(path);
  const stands = entry.kind === "file" ? sha256(entry.bytes) : null;
  if (stands === (before?.hash ?? null)) return undefined;
  if (entry.kind !== "file") return "it was removed since";
  if (before === null) return "kit made this file, and it was changed since";
  if (after === null) return "kit removed this file, and it was written anew since";
  const base = await record.written(after);
  if (base === undefined) return "what kit wrote there is not on record";
  const old = cutPreImage(await record.preImages(), step, before);
  const result = await mergeThree({ base, yours: entry.bytes, before: old });
  if (result === undefined) return "it is no text, or too large to be merged";
  const yours = await keep(site.fs, site.stateDir, id, "found", path, entry.bytes);
  const content = { bytes: result.bytes, mode: entry.mode, like: path };
  try {
    await applySteps(site, mergeId, [{ path, before: sha256(entry.bytes), after: content }]);
  } catch (error) {
    if (error instanceof Obstacle && !error.isUnrestored) return error.failure.message;
    throw error;
  }
  await openRecord(site.fs, site.stateDir, mergeId).forget();
  return { path, conflicts: result.conflicts, yours };
}
