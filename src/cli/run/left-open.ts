import { finishCommit } from "../../isolation/index.ts";
import { GitError } from "../../lib/git.ts";
import { landingTransaction, transactionsOf, type TreePlace } from "../../pipeline/index.ts";
import type { RunRead } from "../../runs/index.ts";
import type { Event } from "../../contracts/index.ts";
import type { PreparedRun } from "./prepare.ts";

/** The last events of a run that was stopped after its change had been accepted. */
type Ending = readonly Extract<Event, { type: "landed" | "run_finished" }>[];

/**
 * A run may be stopped between its last effect and its last event: the change stands, accepted,
 * and only the end is not told.
 * @returns the events that tell it; undefined where the run has more to do. A change that stands
 * without being the run's result is taken back first.
 */
export async function endingOf(
  run: RunRead,
  { project, landing }: PreparedRun,
): Promise<Ending | undefined> {
  const { root, git, stateFolder } = project;
  const place: TreePlace = { root, git, stateDir: stateFolder };
  const coded = run.events.findLast(
    (event) => event.type === "attempt_finished" && event.step === "coder",
  );
  const isGood = coded?.type === "attempt_finished" && coded.ok;
  const applied = run.events.findLast((event) => event.type === "applied");
  if (landing === undefined) {
    if (applied?.type !== "applied") return undefined;
    return (await stands(place, applied.transaction, isGood)) ? [finished(run)] : undefined;
  }
  if (!isGood || git === undefined) return undefined;
  const ref = landing.to === "branch" ? `refs/heads/${landing.branch}` : "HEAD";
  if (landing.to === "tree") {
    const transaction = landingTransaction(run.id);
    if (!(await stands(place, transaction, true))) return undefined;
    return [{ type: "landed", to: "tree", transaction }, finished(run)];
  }
  const commit = await commitOf(git, ref, run.id);
  const transaction = landingTransaction(run.id);
  if (landing.to === "branch") {
    if (commit === undefined) return undefined;
    return [{ type: "landed", to: "branch", branch: landing.branch, commit }, finished(run)];
  }
  const isThere = await stands(place, transaction, commit !== undefined);
  if (!isThere || commit === undefined) return undefined;
  await finishCommit(git, commit, touchedPaths(run));
  return [{ type: "landed", to: "commit", transaction, commit }, finished(run)];
}

/** Every path of the change, both of a rename. */
function touchedPaths({ events }: RunRead): readonly string[] {
  const plan = events.findLast((event) => event.type === "plan_ready");
  if (plan?.type !== "plan_ready") return [];
  return plan.changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
}

/** Whether a transaction stands, accepted; one that should not is taken back where it is kit's. */
async function stands(place: TreePlace, id: string, mayStay: boolean): Promise<boolean> {
  const transactions = transactionsOf(place);
  if (!(await transactions.isAccepted(id))) return false;
  if (!mayStay) await transactions.undo(id);
  return mayStay;
}

/** The commit that a ref is at, where this run made it. */
async function commitOf(
  git: NonNullable<PreparedRun["project"]["git"]>,
  ref: string,
  runId: string,
): Promise<string | undefined> {
  try {
    const said = await git.run(["log", "-1", "--format=%H%n%B", ref, "--"]);
    const [commit = "", ...message] = said.toString("utf8").split("\n");
    return message.includes(`kit run ${runId}`) ? commit : undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

function finished({ events }: RunRead): Extract<Event, { type: "run_finished" }> {
  const plan = events.findLast((event) => event.type === "plan_ready");
  const attempt = plan?.type === "plan_ready" ? plan.attempt : 0;
  const isTested = events.some((event) => event.type === "verdict" && event.attempt === attempt);
  return {
    type: "run_finished",
    outcome: isTested ? "success" : "untested",
    exitCode: 0,
    changedFiles: plan?.type === "plan_ready" ? plan.changes.map(({ path }) => path) : [],
  };
}
