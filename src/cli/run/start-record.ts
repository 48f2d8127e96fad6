import { relative } from "node:path";
import type { RunStart } from "../../contracts/index.ts";
import { redact } from "../../lib/redaction.ts";
import { circumstancesOf, type TreeState, treeStateOf } from "../../pipeline/index.ts";
import type { RunRecord } from "../../runs/index.ts";
import type { Io } from "../io.ts";
import { kitVersion } from "../package.ts";
import type { RunFlags } from "./flags.ts";
import type { PreparedRun } from "./prepare.ts";
import { sealOf } from "./seal.ts";

/** What is kept elsewhere in the record, or is about watching alone. */
const notKept: ReadonlySet<string> = new Set([
  "task",
  "taskFile",
  "repo",
  "pack",
  "dryRun",
  "json",
  "quiet",
  "verbose",
  "events",
  "logLevel",
  "ci",
  // A race is over when it is gone on with.
  "claim",
] satisfies (keyof RunFlags | "json")[]);

/** The options of a run that decide what it does, as they are compared and kept. */
export function keptFlags(flags: RunFlags): Readonly<Record<string, unknown>> {
  const given = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && !notKept.has(name),
  );
  return Object.fromEntries(given.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The folder kit was started in, relative to the root. */
export function startFolder({ project }: Pick<PreparedRun, "project">): string {
  return relative(project.root, project.folder);
}

/**
 * How this run was started, for the record; undefined where that cannot be kept: an option holds a
 * credential, or the user's state folder cannot be used.
 */
export async function startOf(
  prepared: PreparedRun,
  flags: RunFlags,
  record: RunRecord,
  state: TreeState | undefined,
  io: Io,
): Promise<RunStart | undefined> {
  const kept = keptFlags(flags);
  if (holdsSecret(kept)) return undefined;
  const { packText, task, project } = prepared;
  const start = {
    flags: kept,
    folder: startFolder(prepared),
    ...(packText !== undefined && { pack: record.object(packText, "given-pack.md") }),
    ...(state !== undefined && { tree: record.object(JSON.stringify(state)) }),
  };
  const seal = await sealOf({ root: project.root, runId: record.id, task, start }, io);
  return seal === undefined ? undefined : { ...start, seal };
}

/** All but the tree that the results of a run's tests hold for. */
export function testCircumstances(prepared: PreparedRun, io: Io): readonly unknown[] {
  return circumstancesOf({
    root: prepared.project.root,
    commands: prepared.testCommands.filter(({ trusted }) => trusted),
    environment: io.env,
    passEnvironment: prepared.options.passEnvironment,
    settings: testSettings(prepared),
  });
}

/** The state of the user's tree; of untracked files those that `known` knows, where it is given. */
export function stateOfTree(
  { project }: Pick<PreparedRun, "project">,
  known?: TreeState,
): Promise<TreeState | undefined> {
  return project.git === undefined ? Promise.resolve(undefined) : treeStateOf(project.git, known);
}

/** What of the settings decides how tests run, as one text: another one is another baseline. */
export function testSettings({ project: { settings } }: Pick<PreparedRun, "project">): string {
  const { sandbox, testNetwork, testWritable } = settings;
  return JSON.stringify([kitVersion(), sandbox.value, testNetwork.value, testWritable.value]);
}

function holdsSecret(flags: Readonly<Record<string, unknown>>): boolean {
  const hidden = JSON.stringify(flags, (_key, value: unknown) =>
    typeof value === "string" ? redact(value) : value,
  );
  return hidden !== JSON.stringify(flags);
}
