import { listPiCommands } from "../../../adapters/index.ts";
import { dirname } from "node:path";
import {
  agentFiles,
  judgeLoaded,
  type LoadedPart,
  subagentExtensions,
} from "../../../pi-settings/index.ts";
import { defineCommand } from "../../command.ts";
import { openPiProject } from "../../pi.ts";
import { alignColumns, createPaint } from "../../views/format.ts";
import { printable } from "../../views/printable.ts";

const soundStates: readonly LoadedPart["state"][] = ["loaded", "unset", "unused"];

export const command = defineCommand({
  define: () => undefined,
  examples: [["kit pi check", "starts pi offline and says what of kit it loads, each once"]],
  async run(_options, { io, signal }) {
    const { piFolder, packageRoot, program, changes, live } = await openPiProject(io);
    const pi = await listPiCommands({ env: io.env, program }, signal);
    const files = await agentFiles(piFolder);
    const places = subagentExtensions(pi.commands).map((file) => dirname(file));
    const bundled = (await Promise.all(places.map(agentFiles))).flat();
    const parts = judgeLoaded({ commands: pi.commands, packageRoot, changes, files, bundled });
    const faults = parts.filter(({ state }) => !soundStates.includes(state));
    const paint = createPaint(io.stdout.colour);
    const lines = [
      `pi ${pi.version} ${paint("quiet", printable(pi.program))}`,
      ...alignColumns(
        parts.map(({ kind, name, state, from }) => [kind, name, state, from.join(", ")]),
        "  ",
      ).map(printable),
      ...(live.hasComments ? [`! pi reads nothing of ${live.file}: it holds comments`] : []),
      ...faults.map(({ name, next }) => `next: ${name}: ${printable(next ?? "")}`),
    ];
    const isSound = faults.length === 0 && !live.hasComments;
    return {
      exitCode: isSound ? 0 : 1,
      document: {
        ok: isSound,
        program: pi.program,
        version: pi.version,
        settings: live.file,
        hasComments: live.hasComments,
        parts,
      },
      text: `${lines.join("\n")}\n`,
    };
  },
});
