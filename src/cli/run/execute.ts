import { setTimeout as delay } from "node:timers/promises";
import { createAdapters } from "../../adapters/index.ts";
import { type Adapter, KitError, type SurveyResult } from "../../contracts/index.ts";
import { commandText, sourceText } from "../../gate/index.ts";
import { type Clock, openInPlace, runPipeline } from "../../pipeline/index.ts";
import {
  createRun,
  createRunId,
  type Receipt,
  readRun,
  recordProcesses,
  type RunRecord,
} from "../../runs/index.ts";
import { surveyRepository } from "../../survey/index.ts";
import type { Answer, CommandContext } from "../command.ts";
import { kitVersion } from "../package.ts";
import { requireSound } from "../project.ts";
import { createPaint } from "../views/format.ts";
import { createLiveDisplay } from "../views/live-display.ts";
import { runSummaryLines } from "../views/run-summary.ts";
import { type PreparedRun, requireTests, type RunFlags } from "./prepare.ts";

/** Time as the pipeline needs it. */
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Carries a prepared run out: everything that can refuse it does so before the first record.
 * @throws KitError when the run cannot start; afterwards every ending is in the receipt.
 */
export async function execute(
  prepared: PreparedRun,
  flags: RunFlags,
  { io, signal, json }: CommandContext,
): Promise<Answer> {
  const { project, routes } = prepared;
  requireSound(project);
  requireModels(prepared);
  requireTests(prepared);
  const adapters = createAdapters({ env: io.env, program: project.settings.piProgram.value });
  await checkAdapters(prepared, adapters, signal);
  const id = createRunId(io.clock(), io.random);
  const { workspace, recovery } = await openInPlace(
    { root: project.root, git: project.git, stateDir: project.stateFolder },
    id,
  );
  let record: RunRecord | undefined;
  const detail = flags.quiet ? "quiet" : flags.verbose ? "verbose" : "normal";
  const display = createLiveDisplay(io.stderr, detail, io.clock);
  try {
    record = await createRun({ folder: project.runsFolder, id, clock: io.clock });
    record.subscribe((event) => {
      display.show(event);
    });
    const stopRecording = recordProcesses(record.emit);
    await announce(record, prepared);
    for (const { id: transaction, ended } of recovery.recovered) {
      await record.emit({
        type: "note",
        level: "warning",
        message: `An earlier kit had stopped half-way: its change ${transaction} was ${ended.replaceAll("_", " ")}`,
      });
    }
    for (const { reason } of recovery.unsettled) {
      await record.emit({
        type: "note",
        level: "warning",
        message: `An earlier kit's change could not be put right: ${reason}`,
      });
    }
    await runPipeline({
      task: prepared.task,
      workspace,
      survey: (failingOutput) => surveyOf(prepared, failingOutput),
      agents: prepared.agents,
      routes,
      adapters,
      ...(prepared.pack !== undefined && { pack: prepared.pack }),
      testCommands: prepared.testCommands.filter(({ trusted }) => trusted),
      environment: io.env,
      limits: prepared.limits,
      options: prepared.options,
      clock,
      signal,
      record,
    });
    stopRecording();
  } finally {
    display.stop();
    await record?.close();
    await workspace.close();
  }
  const { receipt } = await readRun(project.runsFolder, id);
  return {
    exitCode: receipt.exitCode,
    document: { ...receipt },
    ...(!json && { text: summary(receipt, io) }),
  };
}

function summary(receipt: Receipt, io: CommandContext["io"]): string {
  return `${runSummaryLines(receipt, createPaint(io.stdout.colour)).join("\n").trimStart()}\n`;
}

/** @throws KitError `no_model` where a step has nobody to ask. */
function requireModels({ routes, pack }: PreparedRun): void {
  const needed = pack === undefined ? [routes.scout, routes.coder] : [routes.coder];
  const unserved = needed.find(({ candidates }) => candidates.length === 0);
  if (unserved === undefined) return;
  const skips = unserved.skipped.map(({ backend, reason }) => `${backend}: ${reason}`).join(", ");
  throw new KitError("no_model", `No model serves "${unserved.capability}" (${skips}).`, {
    next: "Propose bindings from the models pi can call: kit init --print",
  });
}

/** Every adapter that may be called is there, before anything runs. */
async function checkAdapters(
  { routes, pack }: PreparedRun,
  adapters: ReadonlyMap<string, Adapter>,
  signal: AbortSignal,
): Promise<void> {
  const candidates = [
    ...(pack === undefined ? routes.scout.candidates : []),
    ...routes.coder.candidates,
  ];
  for (const name of new Set(candidates.map(({ binding }) => binding.adapter))) {
    const adapter = adapters.get(name);
    if (adapter === undefined) {
      throw new KitError("configuration", `No adapter is called "${name}".`, {
        next: `Use one of: ${[...adapters.keys()].join(", ")}`,
      });
    }
    await adapter.check(signal);
  }
}

async function announce(record: RunRecord, prepared: PreparedRun): Promise<void> {
  const { project, testCommands } = prepared;
  await record.emit({
    type: "run_started",
    runId: record.id,
    task: prepared.task,
    root: project.root,
    kitVersion: kitVersion(),
    settings: { ...prepared.limits, ...prepared.options },
  });
  await record.emit({
    type: "test_commands",
    commands: testCommands.map((command) => ({
      command: commandText(command),
      source: sourceText(command, project.root),
      runs: command.trusted,
    })),
  });
  for (const { severity, place, message } of prepared.problems) {
    await record.emit({
      type: "note",
      level: severity === "error" ? "warning" : "info",
      message: `${place.file}:${place.line ?? 1}: ${message}`,
    });
  }
  if (project.projectLayer !== undefined)
    await record.emit({ type: "note", level: "info", message: project.projectLayer.note });
}

function surveyOf(
  { project, task }: PreparedRun,
  failingOutput: string | undefined,
): Promise<SurveyResult> {
  return surveyRepository({ root: project.root, git: project.git, task, failingOutput });
}
