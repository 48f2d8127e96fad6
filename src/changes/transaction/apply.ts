import type { Failure } from "../../contracts/index.ts";
import { isKitOrGitPath } from "../paths.ts";
import { carryOut, toJournal } from "./carry-out.ts";
import { readGround } from "./ground.ts";
import { openRecord } from "./journal.ts";
import type { Journal, TransactionRecord } from "./journal.ts";
import { Obstacle, toObstacle } from "./obstacle.ts";
import { restoreAll } from "./restore-all.ts";
import type { Site } from "./site.ts";
import type { Step } from "./steps.ts";

/**
 * Applies the steps, or leaves the tree as it was.
 * @throws Obstacle with a failure that says which path was the cause; where taking back fails too
 * it is `isUnrestored`, and the next `recover` goes on with it.
 */
export async function applySteps(site: Site, id: string, steps: readonly Step[]): Promise<void> {
  refuseOwnPaths(steps);
  const ground = await readGround(site.fs, site.root, steps);
  const { journal, preImages } = toJournal(id, steps, ground);
  const record = openRecord(site.fs, site.stateDir, id);
  try {
    const written = steps.flatMap(({ after }) => after?.bytes ?? []);
    await record.begin(journal, preImages, written);
    await carryOut(site, id, steps, ground);
    await record.advance("journal", "applied");
  } catch (error) {
    throw await takenBack(site, record, journal, toObstacle(error, "kit's records"));
  }
}

/** The last line: whatever the plan was made of, `.git` and `.kit` are never written. */
function refuseOwnPaths(steps: readonly Step[]): void {
  const paths = steps.map(({ path }) => path).filter(isKitOrGitPath);
  if (paths.length === 0) return;
  const message = `${paths.join(", ")}: kit never writes in .git or .kit.`;
  throw new Obstacle({ kind: "out_of_scope", message, paths });
}

/** Restores the tree; gives the error to throw, which now says how that went. */
async function takenBack(
  site: Site,
  record: TransactionRecord,
  journal: Journal,
  error: unknown,
): Promise<unknown> {
  try {
    await record.makeRoom();
    const hasBegun = (await record.state()) !== undefined;
    const report = hasBegun ? await restoreAll(site, record, journal) : undefined;
    await record.forget();
    if (!(error instanceof Obstacle)) return error;
    return new Obstacle(withPaths(error.failure, report?.kept.map(({ path }) => path) ?? []));
  } catch (second) {
    const because = second instanceof Error ? second.message : String(second);
    const message = error instanceof Error ? error.message : String(error);
    return new Obstacle(
      {
        kind: "environment",
        message: `${message} Taking back what was written failed too: ${because}`,
        mend: "Mend that; the next kit command puts the files back.",
      },
      "unrestored",
    );
  }
}

/** Files that turned out to be the user's while taking back are part of the conflict. */
function withPaths(failure: Failure, kept: readonly string[]): Failure {
  if (failure.kind !== "conflict") return failure;
  return { ...failure, paths: [...new Set([...failure.paths, ...kept])] };
}
