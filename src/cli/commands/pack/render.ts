import { Option } from "commander";
import { describePackErrors, renderPack } from "../../../context-pack/index.ts";
import { KitError } from "../../../contracts/index.ts";
import { defineCommand } from "../../command.ts";
import { type PackOptions, readPack } from "../../pack-input.ts";

interface RenderOptions extends PackOptions {
  readonly as?: "1" | "2";
}

export const command = defineCommand<RenderOptions>({
  define(command) {
    command
      .argument("<file>", "Markdown or JSON; - reads stdin")
      .option("--lenient", "read it as a model's reply: forgive what can be understood")
      .addOption(
        new Option("--as <version>", "the version to write (default: as it was read)").choices([
          "1",
          "2",
        ]),
      );
  },
  examples: [
    ["kit pack render pack.json", "the canonical Markdown of a pack"],
    ["kit pack render --lenient reply.md > pack.md", "a model's reply as a clean pack"],
  ],
  async run({ as, ...options }, { io, args: [file] }) {
    const result = await readPack(String(file), options, io);
    if (!result.ok) {
      throw new KitError(
        "usage",
        `${String(file)} is no Context Pack: ${describePackErrors(result.errors)}`,
        { next: `See every error with its line: kit pack check ${String(file)}` },
      );
    }
    const version = as === undefined ? undefined : as === "1" ? 1 : 2;
    const markdown = renderPack(result.pack, version);
    return { exitCode: 0, document: { ok: true, markdown }, text: markdown };
  },
});
