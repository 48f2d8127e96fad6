import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event } from "../../contracts/index.ts";
import type { RunRead } from "../../runs/index.ts";
import { runPipeline } from "../run.ts";
import { type Compared, compareDecisions, type Decision, decisionsOf } from "./decisions.ts";
import { damagesOf, readRecorded, type Recorded } from "./recorded.ts";
import { RecordEnds } from "./scratch-tree.ts";
import { createWorld } from "./world.ts";

/** What this kit makes of a recorded run. */
export interface Replayed extends Compared {
  readonly runId: string;
  /** Versions of kit: of the record, and of this one. */
  readonly recordedBy: string;
  readonly replayedBy: string;
  /** Nothing differs, and the record is as kit wrote it. */
  readonly same: boolean;
  /** What of the record is not as kit wrote it; then nothing is compared. */
  readonly damages: readonly string[];
  /** Why the replay ends before the run did, or the run before it was over. */
  readonly endsEarly?: string;
}

/**
 * Runs today's code on what a run recorded: replies, files, test results, limits, times. No model,
 * no test command, no network; it writes in a temporary folder of its own alone.
 * @param version of this kit
 * @throws KitError `not_found` for a run whose record does not hold what a replay needs
 */
export async function replayRun(run: RunRead, version: string): Promise<Replayed> {
  const about = { runId: run.id, recordedBy: run.receipt.kitVersion, replayedBy: version };
  const damages = await damagesOf(run);
  if (damages.length > 0) return { ...about, same: false, damages, checks: [], differences: [] };
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "kit-replay-")));
  try {
    const root = join(scratch, "tree");
    const stateDir = join(scratch, "state");
    await Promise.all([root, stateDir].map((folder) => mkdir(folder)));
    const recorded = await readRecorded(run, (text, from) =>
      text.replaceAll(inJson(from), inJson(root)),
    );
    const { request, events } = createWorld(recorded, { root, stateDir });
    const ended = await runPipeline(request).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RecordEnds) return error.message;
        throw error;
      },
    );
    const compared = compare(recorded, events, ended);
    return { ...about, same: compared.differences.length === 0, damages, ...compared };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A path as it stands in JSON. */
function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function compare(
  recorded: Recorded,
  events: readonly Event[],
  ended: string | undefined,
): Compared & { readonly endsEarly?: string } {
  const then = decisionsOf(recorded.events);
  const now = decisionsOf(events);
  const whole = compareDecisions(then, now);
  const outside = endedFromOutside(recorded);
  if (whole.differences.length === 0 || outside === undefined) {
    return { ...whole, ...(ended !== undefined && { endsEarly: ended }) };
  }
  // Who presses Ctrl-C decides nothing for kit: what came before counts.
  const before = withoutEnd(then);
  return { ...compareDecisions(before, now.slice(0, before.length)), endsEarly: outside };
}

/** What ended a run that no decision of kit's ended. */
function endedFromOutside({ events }: Recorded): string | undefined {
  const end = events.findLast((event) => event.type === "run_finished");
  if (end === undefined) return "kit was killed before the run was over";
  if (end.outcome === "interrupted") return "the run was interrupted";
  if (end.error?.kind === "deadline") return "the time of the run was used up";
  return end.outcome === "environment" ? "the machine failed the run" : undefined;
}

const endings: ReadonlySet<string> = new Set(["move", "taken back", "outcome"]);

function withoutEnd(decisions: readonly Decision[]): readonly Decision[] {
  const last = decisions.findLastIndex(({ what }) => !endings.has(what));
  return decisions.slice(0, last + 1);
}
