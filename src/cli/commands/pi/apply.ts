import { mergeOverrides, replaceSettings } from "../../../pi-settings/index.ts";
import { canAsk, createAsker } from "../../ask.ts";
import { type CommandContext, defineCommand } from "../../command.ts";
import { changeLines, openPiProject, proposalDocument, tally } from "../../pi.ts";

interface ApplyFlags {
  readonly yes?: true;
}

export const command = defineCommand<ApplyFlags>({
  define: (command) => command.option("--yes", "writes without a question"),
  examples: [
    ["kit pi apply", "shows the difference and asks; without a terminal it only shows"],
    ["kit pi apply --yes", "merges it into pi's settings, with a dated copy of the old file"],
  ],
  async run(flags, context) {
    const { io, json } = context;
    const project = await openPiProject(io);
    const { live, changes } = project;
    const isAsked = changes.some(({ state }) => state !== "same");
    // Before any question: what cannot be written is not offered.
    const text = isAsked ? mergeOverrides(live, changes) : undefined;
    if (!json) io.stdout.write(`${changeLines(project).join("\n")}\n${tally(changes)}\n`);
    const isGiven = text !== undefined && (flags.yes === true || (await confirmed(context)));
    const replaced = isGiven ? await replaceSettings(live, text, io.clock()) : undefined;
    const lines = ending(isAsked, replaced);
    return {
      exitCode: isAsked && replaced === undefined ? 1 : 0,
      document: {
        ...proposalDocument(project),
        applied: replaced !== undefined,
        backup: replaced?.backup ?? null,
      },
      ...(!json && { text: `${lines.join("\n")}\n` }),
    };
  },
});

async function confirmed({ io, json, signal }: CommandContext): Promise<boolean> {
  if (json || !canAsk(io)) return false;
  const asker = createAsker(io, signal);
  return asker.confirm("Write this into pi's settings?").finally(() => asker.close());
}

function ending(
  isAsked: boolean,
  replaced: { readonly file: string; readonly backup?: string } | undefined,
): string[] {
  if (!isAsked) return ["pi's settings say this already; nothing was written."];
  if (replaced === undefined) {
    return [
      "Nothing was written. kit pi apply asks on a terminal; kit pi apply --yes does not ask.",
    ];
  }
  const { file, backup } = replaced;
  return [
    `Written: ${file}; a pi that is running reads it after /reload.`,
    ...(backup === undefined ? [] : [`The old file: ${backup}`]),
  ];
}
