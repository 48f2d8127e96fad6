import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { KitError, type Route, type SurveyResult } from "../../contracts/index.ts";
import {
  cleanUp,
  journalRun,
  type RunLimits,
  runPipeline,
  treeHashOf,
} from "../../pipeline/index.ts";
import {
  continueRun,
  createRun,
  createRunId,
  ignoreRemains,
  type Receipt,
  readRun,
  recordProcesses,
  type RunRecord,
  workedTime,
} from "../../runs/index.ts";
import { surveyWithCommands } from "./survey.ts";
import type { Answer, CommandContext } from "../command.ts";
import type { Io } from "../io.ts";
import { openMemory } from "../memory.ts";
import { codeOf } from "../../lib/files.ts";
import { kitVersion } from "../package.ts";
import { requireSound } from "../project.ts";
import { rememberScripts } from "../test-commands.ts";
import { exitAfter } from "../unwritten.ts";
import { createPaint } from "../views/format.ts";
import { runSummaryLines } from "../views/run-summary.ts";
import { announce, announceStart } from "./announce.ts";
import { requirePrices } from "./bounds.ts";
import {
  adaptersOf,
  checkAdapters,
  clock,
  openUserLedger,
  requireModels,
  requireQuota,
} from "./models.ts";
import type { RunFlags } from "./flags.ts";
import { type PreparedRun, requireTests, routesAsked } from "./prepare.ts";
import { endingOf } from "./left-open.ts";
import { type ResumedRun, treeSince } from "./resumed.ts";
import { openRunOfTask } from "./same-task.ts";
import { startOf, stateOfTree, testCircumstances, testSettings } from "./start-record.ts";
import { groundOf, treeNow } from "./ground.ts";
import { openTree } from "./tree.ts";
import { openWatchers } from "./watchers.ts";

/**
 * Carries a prepared run out: everything that can refuse it does so before the first record.
 * @throws KitError when the run cannot start; afterwards every ending is in the receipt.
 */
export async function execute(
  prepared: PreparedRun,
  flags: RunFlags,
  context: CommandContext,
  resumed?: ResumedRun,
): Promise<Answer> {
  const { io, signal, json } = context;
  const { project, routes } = prepared;
  const ending = resumed && (await endingOf(resumed.run, prepared));
  if (resumed && ending) return tellEnding(resumed, ending, prepared, context);
  const asked = routesAsked(prepared);
  requireSound(project);
  requirePrices(asked);
  requireModels(asked);
  requireTests(prepared, resumed ? "resume" : "run");
  const troubles: string[] = [];
  const stopped = resumed ? undefined : await openRunOfTask(prepared, flags, io);
  const watchers = await openWatchers(flags, io);
  let tellTrouble = (message: string): unknown => troubles.push(message);
  const ledger = await openUserLedger(io, (message) => void tellTrouble(message));
  if (prepared.limits.waitMs === undefined) requireQuota(withLadders(prepared, asked), ledger);
  const adapters = adaptersOf(project, io.env);
  const versions = await checkAdapters(asked, adapters, signal);
  const id = resumed?.run.id ?? createRunId(io.clock(), io.random);
  const tree = await openTree(prepared, id, io, signal);
  let record: RunRecord | undefined;
  let unwritten: unknown;
  try {
    const place = { folder: project.runsFolder, id, clock: io.clock };
    record = await (resumed ? continueRun(place) : createRun(place));
    if (resumed) watchers.see(resumed.started);
    record.subscribe((event) => watchers.see(event));
    const lookedAt = resumed
      ? treeSince(resumed, prepared)
      : stateOfTree(prepared).then((state) => ({ state, changed: [] }));
    lookedAt.catch(() => undefined);
    // Looked up while git works.
    const circumstances = testCircumstances(prepared, io);
    const earlier = await openMemory(project, project.layer);
    const { state, changed } = await lookedAt;
    if (resumed) {
      await record.emit({ type: "run_resumed", runId: id, kitVersion: kitVersion(), changed });
    } else {
      const start = await startOf(prepared, flags, record, state, io);
      await announceStart(record, prepared, start, await groundOf(prepared, state, versions));
    }
    const stopRecording = recordProcesses(record.emit);
    await announce(record, prepared, earlier);
    if (stopped !== undefined) await record.emit({ type: "note", level: "info", message: stopped });
    await rememberScripts(project, prepared.scripts, io);
    const { emit } = record;
    tellTrouble = (message) =>
      emit({ type: "note", level: "warning", message }).catch(() => undefined);
    for (const message of troubles) await emit({ type: "note", level: "warning", message });
    for (const note of tree.notes) await record.emit(note);
    const running = record;
    await runPipeline({
      task: prepared.task,
      workspace: tree.workspace,
      ...(tree.git && { git: tree.git }),
      setUp: () => tree.setUp(running),
      ...(tree.land && { land: tree.land }),
      survey: (failingOutput) => surveyOf(prepared, failingOutput),
      ...(prepared.review && { review: prepared.review }),
      // What later runs left would have the same run told in another way.
      memory: {
        ...earlier.memory,
        runs: earlier.memory.runs.filter((run) => run.id < id),
      },
      agents: prepared.agents,
      routes,
      ladders: prepared.ladders,
      adapters,
      ledger,
      ...(prepared.pack !== undefined && { pack: prepared.pack }),
      testCommands: tree.testCommands,
      environment: io.env,
      testSettings: testSettings(prepared),
      ...optional("treeHash", state && treeHashOf(state, circumstances)),
      treeAfter: () => treeNow(prepared),
      limits: limitsLeft(prepared.limits, record),
      options: prepared.options,
      clock,
      signal,
      record,
    });
    stopRecording();
  } catch (error) {
    throw await asRemoved(error, join(project.runsFolder, id));
  } finally {
    unwritten = await watchers.close();
    ledger.close();
    await tree.close();
    if (record !== undefined) await closeRecord(record);
  }
  const run = await readRun(project.runsFolder, id).catch(async (error: unknown) => {
    throw await asRemoved(error, join(project.runsFolder, id));
  });
  const { receipt } = run;
  await journalRun(project.runsFolder, run, project.git).catch((error: unknown) => {
    // The run is over and its record is whole: later runs only know less.
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr.write(`The journal for later runs could not be written: ${reason}\n`);
  });
  await letOldRunsGo(prepared, id, io);
  watchers.tellEnd(receipt);
  return {
    exitCode: exitAfter("--events", unwritten, receipt.exitCode, io),
    document: { ...receipt },
    // Where the events have stdout, nothing else may stand there.
    ...(!json && flags.events !== 1 && { text: summary(receipt, io) }),
  };
}

/** Runs looked at after one: the rest has time until the next. */
const runsLetGo = 50;

/** What `runs.keep` and `runs.max_age` say; a run's end does not depend on it. */
async function letOldRunsGo({ project }: PreparedRun, running: string, io: Io): Promise<void> {
  const { root, git, stateFolder: stateDir, runsFolder, settings } = project;
  const [keep, olderThanMs] = [settings.runsKeep.value, settings.runsMaxAgeMs.value];
  if (keep === undefined && olderThanMs === undefined) return;
  try {
    await cleanUp({
      place: { root, git, stateDir },
      runsFolder,
      running,
      ...(keep !== undefined && { keep }),
      ...(olderThanMs !== undefined && { olderThanMs }),
      force: false,
      dryRun: false,
      everything: false,
      mostRuns: runsLetGo,
      now: io.clock().getTime(),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr.write(`Old runs could not be removed: ${reason}\n`);
  }
}

/** Each route with the candidates of the rungs above it. */
function withLadders({ routes, ladders }: PreparedRun, asked: readonly Route[]): Route[] {
  return asked.map((route) => {
    const ladder = route === routes.scout ? ladders.scout : ladders.coder;
    const above = ladder?.routes.flatMap(({ candidates }) => candidates) ?? [];
    return { ...route, candidates: [...route.candidates, ...above] };
  });
}

/** @throws KitError `environment` where somebody took the record away. */
async function closeRecord(record: RunRecord): Promise<void> {
  try {
    await record.close();
  } catch (error) {
    throw await asRemoved(error, record.folder);
  }
}

/**
 * What an error says where the run's folder is gone, in whole or in part: a test command took it,
 * or a person. What is left of it is kept out of the repository again.
 */
async function asRemoved(error: unknown, folder: string): Promise<unknown> {
  if (["events.jsonl", "objects"].every((name) => existsSync(join(folder, name)))) return error;
  const isOfThat =
    codeOf(error) === "ENOENT" || (error instanceof KitError && error.kind === "not_found");
  if (!isOfThat) return error;
  await ignoreRemains(dirname(folder));
  return new KitError("environment", "kit's records were removed while it worked.", {
    cause: error,
    next: "A test command that cleans the tree (git clean -x) has to spare .kit: -e .kit",
  });
}

function summary(receipt: Receipt, io: CommandContext["io"]): string {
  return `${runSummaryLines(receipt, createPaint(io.stdout.colour)).join("\n").trimStart()}\n`;
}

/** Tells the end of a run that was stopped after its last effect. */
async function tellEnding(
  { run }: ResumedRun,
  ending: NonNullable<Awaited<ReturnType<typeof endingOf>>>,
  { project }: PreparedRun,
  { io, json }: CommandContext,
): Promise<Answer> {
  const record = await continueRun({ folder: project.runsFolder, id: run.id, clock: io.clock });
  try {
    for (const event of ending) await record.emit(event);
  } finally {
    await closeRecord(record);
  }
  const { receipt } = await readRun(project.runsFolder, run.id);
  return {
    exitCode: receipt.exitCode,
    document: { ...receipt },
    ...(!json && { text: summary(receipt, io) }),
  };
}

/** The time that earlier processes worked on the run counts. */
function limitsLeft(limits: RunLimits, { before }: RunRecord): RunLimits {
  if (limits.timeoutMs === undefined) return limits;
  return { ...limits, timeoutMs: Math.max(1, limits.timeoutMs - workedTime(before)) };
}

function optional<K extends string>(
  key: K,
  value: string | undefined,
): { readonly [k in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: string };
}

function surveyOf(
  { project, task }: PreparedRun,
  failingOutput: string | undefined,
): Promise<SurveyResult> {
  const { root, git } = project;
  return surveyWithCommands({ root, git, task, failingOutput, cache: "write" });
}
