import { join } from "node:path";
import { KitError, type RunStart } from "../../contracts/index.ts";
import { livingHolder } from "../../lib/lock.ts";
import { redact } from "../../lib/redaction.ts";
import { sha256 } from "../../lib/text.ts";
import type { TreeState } from "../../pipeline/index.ts";
import { newestRuns, readRun } from "../../runs/index.ts";
import type { Io } from "../io.ts";
import type { RunFlags } from "./flags.ts";
import type { PreparedRun } from "./prepare.ts";
import { isAlive, isResumable } from "./resumed.ts";
import { keptFlags, startFolder, stateOfTree } from "./start-record.ts";

/** An open run of the same task lies among the last few, or is too old to be meant. */
const LOOKED_AT = 8;

/**
 * Looks for a run of the same task with the same pack and options that has not ended.
 * @returns what to say of one that was stopped; undefined where there is none
 * @throws KitError `conflict` where one is going on in the same tree: nobody pays for the same thing twice
 */
export async function openRunOfTask(
  prepared: PreparedRun,
  flags: RunFlags,
  io: Io,
): Promise<string | undefined> {
  const { project, task } = prepared;
  const holder = await livingHolder(join(project.stateFolder, "lock"));
  const { packText } = prepared;
  const pack = packText === undefined ? null : sha256(redact(packText));
  const kept = JSON.stringify([keptFlags(flags), startFolder(prepared), pack]);
  for (const listed of await newestRuns(project.runsFolder, LOOKED_AT)) {
    if ("unreadable" in listed || listed.receipt.task !== task) continue;
    if (!isResumable(listed.receipt)) return undefined;
    const { id } = listed;
    const run = await readRun(project.runsFolder, id).catch(() => undefined);
    const started = run?.log.find((event) => event.type === "run_started");
    const start = started?.type === "run_started" ? started.start : undefined;
    if (start === undefined || JSON.stringify(optionsOf(start)) !== kept) continue;
    if (await isAlive(id, holder?.holder, io)) {
      // In another state of the tree the same words ask for something else.
      if (start.tree !== treeObject(await stateOfTree(prepared))) continue;
      throw new KitError("conflict", `The run ${id} works on this very task already.`, {
        next: "Wait for it to end, or end it where it runs",
      });
    }
    return `The run ${id} of this task was stopped; kit resume ${id} goes on with it and pays for nothing twice`;
  }
  return undefined;
}

function optionsOf({ flags, folder, pack }: RunStart): readonly unknown[] {
  return [flags, folder, pack ?? null];
}

/** Name of the object in which a record keeps a state. */
function treeObject(state: TreeState | undefined): string | undefined {
  return state && sha256(redact(JSON.stringify(state)));
}
