import { type ChangePlan, type ContextPack, type Failure, KitError } from "../contracts/index.ts";
import { commitPaths, requireCommitted } from "../isolation/index.ts";
import { GitError } from "../lib/git.ts";
import { type HeldWorkspace, openInPlace, type TreePlace } from "./in-place-workspace.ts";
import type { Clock } from "./ports.ts";

/** Where the change of an isolated run comes home. */
export type LandingPlace =
  | { readonly to: "tree" }
  | { readonly to: "branch"; readonly branch: string }
  | { readonly to: "commit" };

/** Where it came home. */
export interface Landed {
  readonly to: LandingPlace["to"];
  /** The transaction in the user's tree. */
  readonly transaction?: string;
  readonly branch?: string;
  readonly commit?: string;
}

/** Brings a change home. A failure leaves the user's tree as it was. */
export type Land = (
  plan: ChangePlan,
  pack: ContextPack,
) => Promise<{ readonly ok: true; readonly landed: Landed } | LandingFailed>;

interface LandingFailed {
  readonly ok: false;
  readonly failure: Failure;
}

interface LandingOptions {
  /** The user's tree. */
  readonly place: TreePlace;
  readonly runId: string;
  readonly landing: LandingPlace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Names the one transaction by which a run lands, so that it is found after a crash. */
export function landingTransaction(runId: string): string {
  return `land-${runId}`;
}

/** Others land too, each for a moment: so long is waited for them. */
const waitForOthersMs = 60_000;
const pauseMs = 100;

/**
 * Landing in the user's tree is a transaction like any other, under the tree's lock: only the
 * change's paths are written, and only where they still hold what the run started from.
 */
export function createLanding(options: LandingOptions): Land {
  const { place, landing, runId } = options;

  async function commit(plan: ChangePlan, pack: ContextPack, branch?: string): Promise<string> {
    if (place.git === undefined) throw new Error("an isolated run has a repository");
    return commitPaths({
      git: place.git,
      operations: plan.operations,
      message: messageOf(pack, runId),
      ...(branch !== undefined && { branch }),
    });
  }

  async function land(plan: ChangePlan, pack: ContextPack): Promise<Landed> {
    if (landing.to !== "tree" && place.git !== undefined) {
      await requireCommitted(place.git, plan.operations);
    }
    if (landing.to === "branch") {
      return { ...landing, commit: await commit(plan, pack, landing.branch) };
    }
    const held = await openWhenFree(options);
    try {
      const { workspace } = held;
      const result = await workspace.apply(plan);
      if (!result.ok) throw new Refused(result.failure);
      try {
        // Accepted first: what a crash leaves is a change without its commit, never the reverse.
        await workspace.accept(result.applied);
        const id = landing.to === "commit" ? await commit(plan, pack) : undefined;
        const transaction = result.applied.id;
        return { to: landing.to, transaction, ...(id !== undefined && { commit: id }) };
      } catch (error) {
        await workspace.rollback(result.applied);
        throw error;
      }
    } finally {
      await held.workspace.close();
    }
  }

  return async (plan, pack) => {
    try {
      return { ok: true, landed: await land(plan, pack) };
    } catch (error) {
      const failure = failureOf(error, plan);
      if (failure === undefined) throw error;
      return { ok: false, failure };
    }
  };
}

class Refused extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

async function openWhenFree(options: LandingOptions): Promise<HeldWorkspace> {
  const { clock, signal, place, runId } = options;
  const until = clock.now() + waitForOthersMs;
  for (;;) {
    try {
      return await openInPlace(place, runId, undefined, () => landingTransaction(runId));
    } catch (error) {
      const isHeld = error instanceof KitError && error.kind === "conflict";
      if (!isHeld || signal.aborted || clock.now() >= until) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

function failureOf(error: unknown, plan: ChangePlan): Failure | undefined {
  if (error instanceof Refused) return error.failure;
  if (error instanceof GitError) return { kind: "environment", message: error.message };
  if (!(error instanceof KitError)) return undefined;
  if (error.kind === "environment") {
    return {
      kind: "environment",
      message: error.message,
      ...(error.next !== undefined && { mend: error.next }),
    };
  }
  const next = error.next === undefined ? "" : ` ${error.next}.`;
  const paths = plan.operations.map(({ path }) => path);
  return { kind: "conflict", message: `${error.message}${next}`, paths };
}

/** Subject: the task's first line; body: the goal and the run. */
function messageOf({ task, goal }: ContextPack, runId: string): string {
  const first = task.trim().split("\n", 1).join("");
  const subject = first.length > 72 ? `${first.slice(0, 71)}…` : first;
  return `${subject}\n\n${goal.trim()}\n\nkit run ${runId}\n`;
}
