import { randomBytes } from "node:crypto";
import {
  KitError,
  type AppliedPlan,
  type ChangePlan,
  type RepoPath,
} from "../../contracts/index.ts";
import type { Failure, RollbackReport } from "../../contracts/index.ts";
import { applySteps } from "./apply.ts";
import { fileSystem as disk, type FileSystem } from "./file-system.ts";
import { isTransactionId, openRecord, recordedIds } from "./journal.ts";
import { forgetKept, keep, keptFolder } from "./kept.ts";
import { mergeBack, type MergeReport } from "./merge-back.ts";
import { Obstacle, toObstacle } from "./obstacle.ts";
import { isUnfinished, recoverOne, takeBack, type RecoveredTransaction } from "./recover.ts";
import { acceptedOn, pruneOn, standingOn } from "./pruning.ts";
import { alone, type Site } from "./site.ts";
import { toSteps, type Step } from "./steps.ts";

/** Where a transaction works. */
export interface TransactionOptions {
  /** Absolute folder of the working tree, links resolved. */
  readonly root: string;
  /** Absolute folder for journal and pre-images (`stateFolder` of lib); made when needed, 0700. */
  readonly stateDir: string;
  /** Names a transaction: letters, digits and `-`. Default: 16 random hex digits. */
  readonly newId?: () => string;
  /** Default: the disk. */
  readonly fileSystem?: FileSystem;
}

export interface RecoveryReport {
  readonly recovered: readonly RecoveredTransaction[];
  /** Those that could not be put right; the next `recover` tries them again. */
  readonly unsettled: readonly { readonly id: string; readonly reason: string }[];
}

/** A change that may still be taken back. */
export interface AcceptedTransaction {
  readonly id: string;
  /** Epoch milliseconds at which its record was last written. */
  readonly modifiedMs: number;
}

export type ApplyResult =
  | { readonly ok: true; readonly applied: AppliedPlan }
  | { readonly ok: false; readonly failure: Failure };

/** Applies plans to one working tree, all or nothing, and takes them back. */
export interface Transactions {
  /**
   * Carries a plan out. On failure (`conflict`, `environment`) the tree is as it was; a user's edit
   * stays where it is and `keptIn` names the folder with kit's version.
   */
  apply(plan: ChangePlan): Promise<ApplyResult>;
  /**
   * Says that what `apply` gave may stay: until then `recover` takes it back, as nobody judged it.
   * @throws KitError `environment` when the disk refuses.
   */
  accept(applied: AppliedPlan): Promise<void>;
  /** Whether a transaction stands in the tree for good; false for one that is unknown. */
  isAccepted(id: string): Promise<boolean>;
  /** `undo` of what `apply` just gave. */
  rollback(applied: AppliedPlan): Promise<RollbackReport>;
  /**
   * Takes an applied transaction back, file by file where it still holds what kit wrote. Where
   * files were kept the transaction stays, and may be undone again later.
   * @throws KitError `not_found` for an unknown id, `conflict` while another kit writes here,
   * `environment` when the disk refuses (the next `recover` goes on with it).
   */
  undo(id: string): Promise<RollbackReport>;
  /**
   * Goes on where `undo` left files to the user: takes kit's change out of them line by line, with
   * marks where the user changed the same lines.
   * @throws KitError as `undo`
   */
  merge(id: string): Promise<MergeReport>;
  /**
   * Puts right what a crash left, pending changes included: call it while no kit works in this
   * tree. Writes nothing where there is nothing to do, or another kit is writing.
   */
  recover(): Promise<RecoveryReport>;
  /** Every change that may still be taken back, the last one first. */
  accepted(): Promise<readonly AcceptedTransaction[]>;
  /**
   * The paths that are as an accepted transaction left them; none where it is not there, or not
   * readable.
   */
  standing(id: string): Promise<readonly RepoPath[]>;
  /**
   * Forgets an accepted transaction and its pre-images: it can no longer be undone. Files of the
   * user's that were kept stay. Does nothing where it is not accepted, or another kit writes here.
   */
  prune(id: string): Promise<void>;
  /**
   * Forgets an applied transaction, its pre-images and kept files: it can no longer be undone.
   * @throws KitError `conflict` where it is unfinished.
   */
  discard(id: string): Promise<void>;
}

/** Transactions on the tree at `root`; nothing is read or written yet. */
export function openTransactions(options: TransactionOptions): Transactions {
  const { root, stateDir, newId = () => randomBytes(8).toString("hex") } = options;
  const site: Site = { fs: options.fileSystem ?? disk, root, stateDir };
  const known = <T>(id: string, effect: () => Promise<T>): Promise<T> =>
    orKitError(async () => {
      const record = isTransactionId(id) ? openRecord(site.fs, stateDir, id) : undefined;
      const state = await record?.state();
      if (state === undefined)
        throw new KitError("not_found", `There is no transaction ${id} to undo.`);
      // The lock, too, needs some of it where the disk is full.
      await record?.makeRoom();
      return alone(site, id, effect);
    });
  const undo = (id: string): Promise<RollbackReport> => known(id, () => takeBack(site, id));
  return {
    apply: async (plan) => {
      const id = newId();
      const steps = toSteps(plan);
      try {
        await alone(site, id, () => applySteps(site, id, steps));
        return { ok: true, applied: { id, plan } };
      } catch (error) {
        const obstacle = toObstacle(error, "kit's records");
        if (!(obstacle instanceof Obstacle)) throw error;
        const failure = await withOwnVersion(site, id, steps, obstacle.failure);
        if (obstacle.isUnrestored) return { ok: false, failure };
        return {
          ok: false,
          failure: { ...failure, message: `${failure.message} Nothing was changed.` },
        };
      }
    },
    accept: ({ id }) =>
      orKitError(async () => {
        const record = openRecord(site.fs, stateDir, id);
        if ((await record.state()) === "accepted") return;
        await record.advance("applied", "accepted");
        await record.makeRoom();
      }),
    isAccepted: (id) =>
      orKitError(async () => {
        const { state } = openRecord(site.fs, stateDir, id);
        return isTransactionId(id) && (await state()) === "accepted";
      }),
    rollback: ({ id }) => undo(id),
    undo,
    merge: (id) => known(id, () => mergeBack(site, id, newId)),
    recover: () => orKitError(() => recover(site)),
    accepted: () => orKitError(() => acceptedOn(site)),
    standing: (id) => orKitError(() => standingOn(site, id)),
    prune: (id) => orKitError(() => pruneOn(site, id)),
    discard: (id) =>
      orKitError(async () => {
        if (!isTransactionId(id)) return;
        if ((await recordedIds(site.fs, stateDir)).includes(id) && (await isUnfinished(site, id))) {
          throw new KitError("conflict", `Transaction ${id} is not finished.`);
        }
        await openRecord(site.fs, stateDir, id).forget();
        await forgetKept(site.fs, stateDir, id);
      }),
  };
}

async function recover(site: Site): Promise<RecoveryReport> {
  const recovered: RecoveredTransaction[] = [];
  const unsettled: { id: string; reason: string }[] = [];
  const unfinished: string[] = [];
  for (const id of await recordedIds(site.fs, site.stateDir)) {
    if (await isUnfinished(site, id)) unfinished.push(id);
  }
  if (unfinished.length === 0) return { recovered, unsettled };
  try {
    await alone(site, "recovery", async () => {
      for (const id of unfinished) {
        try {
          const done = await recoverOne(site, id);
          if (done !== undefined) recovered.push(done);
        } catch (error) {
          unsettled.push({ id, reason: error instanceof Error ? error.message : String(error) });
        }
      }
    });
  } catch (error) {
    // What looks unfinished is another kit's work under way.
    if (!(error instanceof Obstacle) || error.failure.kind !== "conflict") throw error;
  }
  return { recovered, unsettled };
}

/** On a conflict, kit's version is put beside the tree, so that both can be compared. */
async function withOwnVersion(
  { fs, stateDir }: Site,
  id: string,
  steps: readonly Step[],
  failure: Failure,
): Promise<Failure> {
  if (failure.kind !== "conflict" || failure.paths.length === 0) return failure;
  try {
    for (const { path, after } of steps) {
      if (after !== undefined) await keep(fs, stateDir, id, "kit", path, after.bytes);
    }
  } catch (error) {
    return { ...failure, detail: `kit's version could not be kept: ${String(error)}` };
  }
  return { ...failure, keptIn: keptFolder(stateDir, id) };
}

/** Obstacles leave this folder as failures of `apply`, and as errors from everything else. */
async function orKitError<T>(effect: () => Promise<T>): Promise<T> {
  try {
    return await effect();
  } catch (error) {
    const obstacle = toObstacle(error, "kit's records");
    if (!(obstacle instanceof Obstacle)) throw error;
    const { kind, message } = obstacle.failure;
    const next = obstacle.failure.kind === "environment" ? obstacle.failure.mend : undefined;
    throw new KitError(kind === "conflict" ? "conflict" : "environment", message, {
      cause: error,
      ...(next === undefined ? {} : { next }),
    });
  }
}
