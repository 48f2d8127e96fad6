import { randomBytes } from "node:crypto";
import { KitError } from "../../contracts/index.ts";
import type { AppliedPlan, ChangePlan, Failure, RollbackReport } from "../../contracts/index.ts";
import { carryOut, clearAside, toJournal } from "./apply.ts";
import { fileSystem as disk } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { readGround } from "./ground.ts";
import { openRecord, recordedIds } from "./journal.ts";
import type { Journal, TransactionRecord } from "./journal.ts";
import { forgetKept, keep, keptFolder } from "./kept.ts";
import { Obstacle, toObstacle } from "./obstacle.ts";
import { restoreAll } from "./restore.ts";
import { toSteps } from "./steps.ts";
import type { Step } from "./steps.ts";

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

/** A transaction that a crash had left unfinished, and what became of it. */
export interface RecoveredTransaction {
  readonly id: string;
  /** `rolled_back`: the change was taken back. `completed`: it was in place, now tidied. `undone`: its undo was finished. */
  readonly ended: "rolled_back" | "completed" | "undone";
  readonly report: RollbackReport;
}

export interface RecoveryReport {
  readonly recovered: readonly RecoveredTransaction[];
  /** Those that could not be put right; they are tried again by the next `recover`. */
  readonly unsettled: readonly { readonly id: string; readonly reason: string }[];
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
  /** `undo` of what `apply` just gave. */
  rollback(applied: AppliedPlan): Promise<RollbackReport>;
  /**
   * Takes an applied transaction back, file by file where it still holds what kit wrote.
   * Where files were kept the transaction stays, and may be undone again later.
   * @throws KitError `not_found` for an unknown id, `environment` when the disk refuses (the next
   * `recover` goes on with it).
   */
  undo(id: string): Promise<RollbackReport>;
  /** Puts right what a crash left. Writes nothing where there is nothing to do. */
  recover(): Promise<RecoveryReport>;
  /** Forgets an applied transaction with its pre-images: it can no longer be undone. */
  discard(id: string): Promise<void>;
}

/** Transactions on the tree at `root`; nothing is read or written yet. */
export function openTransactions(options: TransactionOptions): Transactions {
  const { root, stateDir, newId = () => randomBytes(8).toString("hex") } = options;
  const fs = options.fileSystem ?? disk;

  const takeBack = async (record: TransactionRecord, journal: Journal): Promise<RollbackReport> => {
    const report = await restoreAll({ fs, stateDir, journal, record });
    if (report.kept.length === 0) await record.forget();
    else await record.advance("undoing", "applied");
    return report;
  };

  const undo = async (id: string): Promise<RollbackReport> => {
    const record = openRecord(fs, stateDir, id);
    const found = await record.find();
    if (found === undefined) {
      throw new KitError("not_found", `There is no transaction ${id} to undo.`);
    }
    if (found.state === "applied") await record.advance("applied", "undoing");
    return takeBack(record, found.journal);
  };

  return {
    apply: async (plan) => {
      const id = newId();
      const steps = toSteps(plan);
      try {
        await applySteps(fs, root, stateDir, id, steps);
        return { ok: true, applied: { id, plan } };
      } catch (error) {
        const obstacle = toObstacle(error, "kit's records");
        if (!(obstacle instanceof Obstacle)) throw error;
        return { ok: false, failure: await keepOwnVersion(fs, stateDir, id, steps, obstacle) };
      }
    },
    rollback: ({ id }) => undo(id),
    undo,
    recover: async () => {
      const recovered: RecoveredTransaction[] = [];
      const unsettled: { id: string; reason: string }[] = [];
      for (const id of await recordedIds(fs, stateDir)) {
        try {
          const done = await recoverOne(id);
          if (done !== undefined) recovered.push(done);
        } catch (error) {
          unsettled.push({ id, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      return { recovered, unsettled };
    },
    discard: async (id) => {
      await openRecord(fs, stateDir, id).forget();
      await forgetKept(fs, stateDir, id);
    },
  };

  async function recoverOne(id: string): Promise<RecoveredTransaction | undefined> {
    const record = openRecord(fs, stateDir, id);
    const found = await record.find();
    if (found === undefined) {
      await record.forget();
      return undefined;
    }
    const { state, journal } = found;
    if (state === "applied") return undefined;
    if (state === "committed") {
      await clearAside(fs, journal);
      await record.advance("committed", "applied");
      return { id, ended: "completed", report: { restored: [], kept: [] } };
    }
    if (state === "undoing") {
      return { id, ended: "undone", report: await takeBack(record, journal) };
    }
    const report = await restoreAll({ fs, stateDir, journal, record });
    await record.forget();
    return { id, ended: "rolled_back", report };
  }
}

async function applySteps(
  fs: FileSystem,
  root: string,
  stateDir: string,
  id: string,
  steps: readonly Step[],
): Promise<void> {
  const ground = await readGround(fs, root, steps);
  const record = openRecord(fs, stateDir, id);
  const { journal, preImages } = toJournal(id, root, steps, ground);
  try {
    await record.begin(journal, preImages);
    await carryOut(fs, root, id, steps, ground);
    await record.advance("journal", "committed");
  } catch (error) {
    const found = await record.find();
    if (found?.state === "committed") await record.advance("committed", "journal");
    if (found !== undefined) await restoreAll({ fs, stateDir, journal, record });
    await record.forget();
    throw error;
  }
  await clearAside(fs, journal);
  await record.advance("committed", "applied");
}

async function keepOwnVersion(
  fs: FileSystem,
  stateDir: string,
  id: string,
  steps: readonly Step[],
  { failure }: Obstacle,
): Promise<Failure> {
  if (failure.kind !== "conflict") return failure;
  for (const { path, after } of steps) {
    if (after !== undefined) await keep(fs, stateDir, id, "kit", path, after.bytes);
  }
  return { ...failure, keptIn: keptFolder(stateDir, id) };
}
