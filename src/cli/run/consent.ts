import { describeProjectLayer } from "../../config/index.ts";
import type { TestCommand } from "../../contracts/index.ts";
import { commandText, sourceText } from "../../gate/index.ts";
import { type Asker, canAsk, createAsker } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { giveTrust } from "../give-trust.ts";
import type { Io } from "../io.ts";
import { openLayer } from "../layer.ts";
import { openRepository } from "../project.ts";
import { hasChanged, scriptText } from "../test-commands.ts";
import { layerLines } from "../views/trust.ts";
import { printable } from "../views/printable.ts";
import { type PreparedRun, prepareRun, type RunFlags } from "./prepare.ts";

/**
 * Prepares a run, and asks before anything is paid what only its user can decide: whether `.kit`
 * is used, and whether commands run that a pack alone names or that changed since they were
 * trusted. Without a terminal, for `--json` and for a dry run nobody is asked: the answer is no.
 */
export async function prepareWithConsent(
  flags: RunFlags,
  task: string | undefined,
  { io, json, signal }: CommandContext,
): Promise<PreparedRun> {
  const readsStdin = [flags.task, flags.taskFile, flags.pack].includes("-");
  if (flags.dryRun === true || json || readsStdin || !canAsk(io))
    return prepareRun(flags, task, io);
  const asker = createAsker(io, signal);
  try {
    await offerLayer(flags.repo, asker, io);
    const prepared = await prepareRun(flags, task, io);
    return (await offerCommands(prepared, asker, io))
      ? await prepareRun(flags, task, io)
      : prepared;
  } finally {
    asker.close();
  }
}

async function offerLayer(repo: string | undefined, asker: Asker, io: Io): Promise<void> {
  const { root } = await openRepository(repo, io);
  const layer = await openLayer(root, io);
  const { state } = layer.trust;
  const report = describeProjectLayer(layer.content, layer.trust);
  if (report === undefined || (state !== "new" && state !== "changed")) return;
  io.stderr.write(`${[printable(report.note), ...layerLines(layer)].join("\n")}\n`);
  if (await asker.confirm("Use it from now on, as it is?")) await giveTrust(root, { layer }, io);
}

/** Whether the answers change which commands run. */
async function offerCommands(prepared: PreparedRun, asker: Asker, io: Io): Promise<boolean> {
  const { root } = prepared.project;
  const commands: string[] = [];
  const scripts: Record<string, string> = {};
  for (const script of prepared.scripts.filter(hasChanged)) {
    const { manifest, text, trusted } = script;
    io.stderr.write(
      `${manifest} runs something else than you trusted.\n  it was  ${scriptText(trusted ?? "")}\n  it is   ${scriptText(text)}\n`,
    );
    if (await asker.confirm("Run it?")) scripts[manifest] = text;
  }
  for (const command of prepared.testCommands.filter(isProposed)) {
    const text = commandText(command);
    io.stderr.write(
      `${printable(sourceText(command, root))} names a command:\n  ${printable(text)}\n`,
    );
    if (await asker.confirm("Run it in this repository, now and later?")) commands.push(text);
  }
  if (commands.length === 0 && Object.keys(scripts).length === 0) return false;
  await giveTrust(root, { commands, scripts }, io);
  return true;
}

/** Lines of the project's settings are asked about with the rest of `.kit`. */
function isProposed({ trusted, source }: TestCommand): boolean {
  return !trusted && source.kind === "pack";
}
