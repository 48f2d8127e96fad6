import { readRun } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { openHistory } from "../history.ts";
import { addRepoOption } from "../options.ts";
import { kitVersion } from "../package.ts";
import type { ProjectRequest } from "../project.ts";
import { createPaint } from "../views/format.ts";
import { replayLines } from "../views/replay.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo">>({
  define(command) {
    command.argument(
      "[id]",
      "an id, its start or its last four characters; the newest when absent",
    );
    addRepoOption(command);
  },
  examples: [
    ["kit replay", "what this kit would decide on what the newest run recorded"],
    ["kit replay k3f9 --json", "every decision, and what differs"],
  ],
  async run({ repo }, { io, args: [id] }) {
    const { runsFolder } = await openHistory(repo, io);
    const run = await readRun(runsFolder, id === undefined ? id : String(id));
    const { replayRun } = await import("../../pipeline/index.ts");
    const replayed = await replayRun(run, kitVersion());
    const lines = replayLines(replayed, createPaint(io.stdout.colour));
    return {
      exitCode: replayed.same ? 0 : 1,
      document: { ...replayed },
      text: `${lines.join("\n")}\n`,
    };
  },
});
