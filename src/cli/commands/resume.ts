import { join } from "node:path";
import { readRun } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption } from "../options.ts";
import { prepareWithConsent } from "../run/consent.ts";
import type { RunFlags } from "../run/flags.ts";
import { prepareRun } from "../run/prepare.ts";
import { addWatchOptions } from "../run/watch-options.ts";
import { requireFreeStdout } from "../run/watchers.ts";
import { flagsOf, resumedRun } from "../run/resumed.ts";

export const command = defineCommand<RunFlags>({
  define(command) {
    command.argument(
      "[id]",
      "an id, its start or its last four characters; the newest when absent",
    );
    addWatchOptions(addRepoOption(command));
  },
  examples: [
    ["kit resume", "goes on with the newest run, after a crash, Ctrl-C or a missing model"],
    ["kit resume k3f9", "the same for another run"],
  ],
  async run(watch, context) {
    requireFreeStdout(watch, context);
    const { args } = context;
    const [id] = args;
    const { runsFolder, running } = await openHistory(watch.repo, context.io);
    const run = await readRun(runsFolder, id === undefined ? id : String(id));
    const resumed = await resumedRun(run, running, context.io);
    const flags = await flagsOf(resumed, watch);
    const io = { ...context.io, cwd: join(resumed.started.root, resumed.start.folder) };
    // Where it was started, the same folders are meant.
    const { repo: _repo, ...inFolder } = flags;
    const prepared = await prepareWithConsent({ repo: io.cwd, mayAsk: true }, context, () =>
      prepareRun(inFolder, resumed.started.task, io),
    );
    const { execute } = await import("../run/execute.ts");
    return execute(prepared, inFolder, { ...context, io }, resumed);
  },
});
