import { KitError } from "../../../contracts/index.ts";
import { explainItem, poolOf } from "../../../memory/index.ts";
import { defineCommand } from "../../command.ts";
import { memoryOf } from "../../memory.ts";
import { addRepoOption } from "../../options.ts";
import type { ProjectRequest } from "../../project.ts";
import { itemLines } from "../../views/context-packet.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo">>({
  define(command) {
    addRepoOption(command.argument("<id>", "of an item, as `kit context get` shows it"));
  },
  examples: [["kit context explain episode_20261130-191430-k3f9", "an item, and where it is from"]],
  async run({ repo }, { io, args: [given] }) {
    const id = String(given);
    const { memory } = await memoryOf(repo, io);
    const { item, lineage, evidenceRefs, sources } = explainItem(id, poolOf(memory).items);
    if (item === undefined) {
      throw new KitError("not_found", `No item is called "${id}".`, {
        next: "Look for it: kit context recall WORDS",
      });
    }
    const text = [
      ...itemLines(item),
      `from: ${sources.map((source) => source.sourceRef ?? source.sourceType).join(", ")}`,
      ...(lineage.length > 0 ? [`derived from: ${lineage.join(", ")}`] : []),
      ...(evidenceRefs.length > 0 ? [`evidence: ${evidenceRefs.join(", ")}`] : []),
    ];
    return {
      exitCode: 0,
      document: { item, lineage, evidenceRefs, sources },
      text: `${text.join("\n")}\n`,
    };
  },
});
