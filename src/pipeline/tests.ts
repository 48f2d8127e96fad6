import { join } from "node:path";
import type { CommandSummary, GateResult } from "../contracts/index.ts";
import { commandText, endedText, runTests } from "../gate/index.ts";
import { watchHooks } from "./hook-watch.ts";
import type { RunRequest } from "./ports.ts";

/**
 * Runs the request's test commands on the tree as it stands, once in the life of a run where the
 * request says which tree that is. `name` is the path of the outputs in the record, less number and
 * ending; its folder exists. `onStarted` is called when the first command is about to run.
 */
export async function testTree(
  request: RunRequest,
  signal: AbortSignal,
  name: string,
  onStarted?: () => void,
): Promise<GateResult> {
  const { record, treeHash } = request;
  const run = (): Promise<GateResult> => runIn(request, signal, name, onStarted);
  // A machine that was at fault may be mended by the time somebody resumes.
  const isSaid = ({ environment }: GateResult): boolean =>
    environment === undefined && !signal.aborted;
  const result = await record.observe(`tests: ${name}`, () =>
    treeHash === undefined ? run() : record.step(`tests: ${name}`, treeHash, run, isSaid),
  );
  if (result.changedHooks !== undefined) {
    const message = `Tests changed what git runs as hooks, and kit put it right: ${result.changedHooks.join(", ")}. What they wrote is in the record of the run, ${hooksIn(name)}`;
    await record.emit({ type: "note", level: "warning", message });
  }
  return result;
}

/** Where in the record the hooks are that tests wrote. */
function hooksIn(name: string): string {
  return join("kept", "hooks", name);
}

async function runIn(
  request: RunRequest,
  signal: AbortSignal,
  name: string,
  onStarted?: () => void,
): Promise<GateResult> {
  const { workspace, git, testCommands, environment, options, limits, record } = request;
  // Looked at while the commands are made ready.
  const watching = git && watchHooks(git);
  watching?.catch(() => undefined);
  const result = await runTests({
    root: workspace.root,
    commands: testCommands,
    async run(command, runOptions) {
      await watching;
      const running = workspace.run(command, {
        ...runOptions,
        ...(limits.gateIdleTimeoutMs !== undefined && { idleTimeoutMs: limits.gateIdleTimeoutMs }),
      });
      onStarted?.();
      return running;
    },
    environment,
    passEnvironment: options.passEnvironment,
    timeoutMs: limits.gateTimeoutMs,
    signal,
    outputFile: (index) => join(record.folder, `${name}-${index + 1}.log`),
  });
  const hooks = await watching;
  const changedHooks = hooks?.putRight(join(record.folder, hooksIn(name)));
  return changedHooks === undefined || changedHooks.length === 0
    ? result
    : { ...result, changedHooks };
}

/** The commands of a result as events carry them. */
export function commandSummaries(result: GateResult): CommandSummary[] {
  return result.commands.map((each) => ({
    command: commandText(each.command),
    ended: endedText(each.ended),
    durationMs: each.durationMs,
    ...(each.reportedBy !== undefined && { reportedBy: each.reportedBy }),
    ...(each.reportFault !== undefined && { reportFault: each.reportFault }),
  }));
}

/** What all commands printed, as kept. */
export function outputOf(result: GateResult): string {
  return result.commands.map((each) => `$ ${commandText(each.command)}\n${each.output}`).join("\n");
}
