import { describeProjectLayer } from "../../config/index.ts";
import type { TestCommand } from "../../contracts/index.ts";
import { commandText, sourceText } from "../../gate/index.ts";
import { type Asker, canAsk, createAsker } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { giveTrust } from "../give-trust.ts";
import type { Io } from "../io.ts";
import { openLayer } from "../layer.ts";
import { openRepository, type Project } from "../project.ts";
import { hasChanged, type KnownScript, scriptText } from "../test-commands.ts";
import { layerLines } from "../views/trust.ts";
import { printable } from "../views/printable.ts";

/** What may be asked about. */
interface Offered {
  readonly project: Project;
  readonly scripts: readonly KnownScript[];
  readonly testCommands: readonly TestCommand[];
}

/**
 * Prepares what will run, and asks before anything is paid or started what only the user can
 * decide: whether `.kit` is used, and whether commands run that a pack alone names or that changed
 * since they were trusted. Without a terminal and for `--json` nobody is asked: the answer is no.
 *
 * @param prepare is called again where an answer changes what it finds
 */
export async function prepareWithConsent<T extends Offered>(
  { repo, mayAsk }: { readonly repo: string | undefined; readonly mayAsk: boolean },
  { io, json, signal }: CommandContext,
  prepare: () => Promise<T>,
): Promise<T> {
  if (!mayAsk || json || !canAsk(io)) return prepare();
  const asker = createAsker(io, signal);
  try {
    await offerLayer(repo, asker, io);
    const prepared = await prepare();
    return (await offerCommands(prepared, asker, io)) ? await prepare() : prepared;
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
async function offerCommands(prepared: Offered, asker: Asker, io: Io): Promise<boolean> {
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
