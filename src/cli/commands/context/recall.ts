import { poolOf, searchItems } from "../../../memory/index.ts";
import { defineCommand } from "../../command.ts";
import { memoryOf } from "../../memory.ts";
import { addRepoOption, wholeNumber } from "../../options.ts";
import type { ProjectRequest } from "../../project.ts";
import { itemLines } from "../../views/context-packet.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo"> & { limit?: number }>({
  define(command) {
    addRepoOption(command.argument("<words...>", "what to look for")).option(
      "-n, --limit <count>",
      "the best ones only (default: 10)",
      wholeNumber,
    );
  },
  examples: [
    ["kit context recall empty cart", "what earlier runs left that speaks of empty carts"],
    ["kit context recall NaN -n 3", "the three that fit best"],
  ],
  async run({ repo, limit = 10 }, { io, args: [words] }) {
    const { memory } = await memoryOf(repo, io);
    const query = [words].flat().join(" ");
    const found = searchItems(query, poolOf(memory).items).slice(0, limit);
    const lines = found.flatMap(({ item }) => itemLines(item));
    return {
      exitCode: found.length > 0 ? 0 : 1,
      document: { items: found.map(({ item }) => item) },
      text: `${lines.length > 0 ? lines.join("\n") : "Nothing in the journal speaks of that."}\n`,
    };
  },
});
