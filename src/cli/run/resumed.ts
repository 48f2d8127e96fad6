import { join } from "node:path";
import type { ExitCode, OutcomeKind, RecordedEvent, RunStart } from "../../contracts/index.ts";
import { KitError } from "../../contracts/index.ts";
import { livingHolder } from "../../lib/lock.ts";
import { sha256 } from "../../lib/text.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import { worktreeLock } from "../../isolation/index.ts";
import { changedBetween, type TreeState } from "../../pipeline/index.ts";
import type { RunRead } from "../../runs/index.ts";
import type { Io } from "../io.ts";
import type { RunFlags } from "./flags.ts";
import type { PreparedRun } from "./prepare.ts";
import { sealOf } from "./seal.ts";
import { stateOfTree } from "./start-record.ts";

/** A run that another process began, ready to be gone on with. */
export interface ResumedRun {
  readonly run: RunRead;
  readonly started: Extract<RecordedEvent, { type: "run_started" }>;
  readonly start: RunStart;
}

const goesOn: ReadonlySet<OutcomeKind> = new Set(["interrupted", "no_model", "environment"]);

/** Whether a run ended for a reason that may be gone: somebody stopped it, nobody replied. */
export function isResumable({
  outcome,
  exitCode,
}: {
  readonly outcome: OutcomeKind;
  readonly exitCode: ExitCode;
}): boolean {
  return goesOn.has(outcome) || exitCode === 3;
}

/**
 * Whether a kit works on the run right now.
 * @param running the id of the run that holds the user's tree
 */
export async function isAlive(id: string, running: string | undefined, io: Io): Promise<boolean> {
  if (running === id) return true;
  const worktree = join(userStateFolder(io.env), "worktrees", id);
  return (await livingHolder(worktreeLock(worktree))) !== undefined;
}

/**
 * Reads what is needed to go on with a run.
 * @throws KitError `conflict` where there is nothing to go on with, or it may not be trusted
 */
export async function resumedRun(
  run: RunRead,
  running: string | undefined,
  io: Io,
): Promise<ResumedRun> {
  const { id, receipt } = run;
  if (await isAlive(id, running, io)) {
    throw new KitError("conflict", `The run ${id} is still going on.`, {
      next: "Wait for it to end, or end it where it runs",
    });
  }
  if (!isResumable(receipt)) {
    throw new KitError(
      "conflict",
      `There is nothing to resume: ${id} ended as ${receipt.outcome}.`,
      {
        next: `See what it did: kit show ${id}`,
      },
    );
  }
  const started = run.log.find((event) => event.type === "run_started");
  if (started?.type !== "run_started" || started.start === undefined) {
    throw new KitError("conflict", `The run ${id} does not say how it was started.`, {
      next: "An older kit wrote it, or its options held a credential: start it again with kit run",
    });
  }
  const { start, task, root } = started;
  const { seal, ...rest } = start;
  if (seal !== (await sealOf({ root, runId: id, task, start: rest }, io)) || root !== rootOf(run)) {
    throw new KitError("conflict", `The run ${id} was not started here, by this user.`, {
      next: "Its commands are not run: start it again with kit run",
    });
  }
  return { run, started, start };
}

/** Absolute top level of the repository that holds a run's record. */
function rootOf({ folder }: RunRead): string {
  return join(folder, "..", "..", "..");
}

/**
 * The options of the run as it was started, with those of this process for watching.
 * @throws KitError `conflict` where the given pack is not in the record any more
 */
export async function flagsOf({ run, start }: ResumedRun, watch: RunFlags): Promise<RunFlags> {
  const flags = { ...(start.flags as RunFlags), ...watch };
  if (start.pack === undefined) return flags;
  const pack = await run.object(start.pack).catch(() => undefined);
  if (pack === undefined || sha256(pack) !== start.pack) {
    throw new KitError("conflict", `The given pack of ${run.id} is no longer in its record.`, {
      next: "Start it again with kit run --pack",
    });
  }
  return { ...flags, pack: join(run.folder, "objects", start.pack) };
}

/** The tree as it is now, and what somebody changed in it since the run began. */
export async function treeSince(
  { run, start }: ResumedRun,
  prepared: PreparedRun,
): Promise<{ readonly state: TreeState | undefined; readonly changed: readonly string[] }> {
  const bytes =
    start.tree === undefined ? undefined : await run.object(start.tree).catch(() => undefined);
  if (bytes === undefined) return { state: undefined, changed: [] };
  const before = JSON.parse(bytes.toString("utf8")) as TreeState;
  const state = await stateOfTree(prepared, before);
  return { state, changed: state === undefined ? [] : changedBetween(before, state) };
}
