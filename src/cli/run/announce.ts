import type { RunGround, RunStart } from "../../contracts/index.ts";
import { commandText, sourceText } from "../../gate/index.ts";
import type { RunRecord } from "../../runs/index.ts";
import type { OpenMemory } from "../memory.ts";
import { kitVersion } from "../package.ts";
import { classifiedText } from "../views/classified.ts";
import { type PreparedRun, routesAsked } from "./prepare.ts";

/** The first event: what is done, where, by which kit and under which bounds. */
export async function announceStart(
  record: RunRecord,
  prepared: PreparedRun,
  start: RunStart | undefined,
  ground: RunGround,
): Promise<void> {
  const { project } = prepared;
  await record.emit({
    type: "run_started",
    runId: record.id,
    task: prepared.task,
    root: project.root,
    kitVersion: kitVersion(),
    settings: {
      ...prepared.limits,
      ...prepared.options,
      reviewers: prepared.review?.reviewers ?? 0,
    },
    ground,
    ...(start && { start }),
  });
}

/** What a person should know before anything runs: the test commands, and what of the configuration is odd. */
export async function announce(
  record: RunRecord,
  prepared: PreparedRun,
  memory: OpenMemory,
): Promise<void> {
  const { project, testCommands } = prepared;
  await record.emit({
    type: "test_commands",
    commands: testCommands.map((command) => ({
      command: commandText(command),
      source: sourceText(command, project.root),
      runs: command.trusted,
    })),
  });
  for (const note of notesOf(prepared, memory)) await record.emit({ type: "note", ...note });
}

interface Note {
  readonly level: "info" | "warning";
  readonly message: string;
}

/** Of the configuration, of what earlier runs left, and of how the task and they chose who is asked. */
function notesOf(prepared: PreparedRun, { facts, unreadable }: OpenMemory): Note[] {
  const { project } = prepared;
  const commands = prepared.commandWarnings.map((message): Note => ({ level: "warning", message }));
  const aliases = routesAsked(prepared)
    .flatMap(({ skipped }) => skipped)
    .filter(({ reason }) => reason.startsWith("same candidate"))
    .map(({ backend, reason }) => `${backend} is left out: ${reason}`);
  const info = [
    ...new Set(aliases),
    ...(unreadable === 0
      ? []
      : [`${unreadable} line(s) of .kit/runs/journal.jsonl could not be read and take no part`]),
    ...facts.facts
      .filter(({ used }) => !used)
      .map(({ file, because }) => `${file} takes no part: ${because}`),
  ];
  return [
    ...layerNotes(project.projectLayer),
    ...commands,
    ...[...prepared.problems, ...facts.problems].map(({ severity, place, message }): Note => ({
      level: severity === "error" ? "warning" : "info",
      message: `${place.file}:${place.line ?? 1}: ${message}`,
    })),
    ...[...info, ...choicesOf(prepared)].map((message): Note => ({ level: "info", message })),
  ];
}

/** That a layer is not what was trusted, or never can be, is more than a remark. */
function layerNotes(layer: PreparedRun["project"]["projectLayer"]): Note[] {
  if (layer === undefined) return [];
  const isOdd = layer.trust.state === "changed" || layer.trust.state === "refused";
  return [{ level: isOdd ? "warning" : "info", message: layer.note }];
}

/** Why the candidates are asked in this order, and for this capability, where the user's own file does not say it. */
function choicesOf({ suggested, classified }: PreparedRun): string[] {
  const orders = Object.entries(suggested ?? {}).map(([role, order]) => {
    const asked = order.candidates.map(({ backend }) => backend).join(", ");
    const why = order.explores === undefined ? "" : ` (explores ${order.explores})`;
    return `Order suggested by ${order.runs} earlier runs for the ${role}: ${asked}${why}`;
  });
  return classified === undefined
    ? orders
    : [...orders, `The coder asks for ${classified.capability}: ${classifiedText(classified)}`];
}
