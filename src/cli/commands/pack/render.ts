import { Option } from "commander";
import { describePackErrors, renderPack } from "../../../context-pack/index.ts";
import { KitError } from "../../../contracts/index.ts";
import { defineCommand } from "../../command.ts";
import { addPackOptions, type PackOptions, readPack } from "../../pack-input.ts";

const versions = { 1: 1, 2: 2 } as const;

export const command = defineCommand<PackOptions & { as?: keyof typeof versions }>({
  define(command) {
    const option = new Option("--as <version>", "the version to write (default: as it was read)");
    addPackOptions(command).addOption(option.choices(Object.keys(versions)));
  },
  examples: [
    ["kit pack render pack.json", "the canonical Markdown of a pack"],
    ["kit pack render --lenient reply.md > pack.md", "a model's reply as a clean pack"],
  ],
  async run({ as, ...options }, { io, args: [file] }) {
    const checked = await readPack(String(file), options, io);
    if (!checked.ok) {
      throw new KitError(
        "usage",
        `${String(file)} is no Context Pack: ${describePackErrors(checked.errors)}`,
        { next: `See every error with its line: kit pack check ${String(file)}` },
      );
    }
    const markdown = as === undefined ? checked.markdown : renderPack(checked.pack, versions[as]);
    return { exitCode: 0, document: { ok: true, markdown }, text: markdown };
  },
});
