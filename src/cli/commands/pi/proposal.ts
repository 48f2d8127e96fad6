import { defineCommand } from "../../command.ts";
import { changeLines, openPiProject, proposalDocument, tally } from "../../pi.ts";
import { proposalBlock } from "../../../pi-settings/index.ts";

export const command = defineCommand({
  define: () => undefined,
  examples: [
    ["kit pi proposal", "what pi's subagents would be told, beside what they are told now"],
    ["kit pi proposal --json", "the same for scripts; .proposal is the block itself"],
  ],
  async run(_options, { io }) {
    const project = await openPiProject(io);
    const lines = [
      JSON.stringify(proposalBlock(project.proposal), null, 2),
      "",
      ...changeLines(project),
      tally(project.changes),
    ];
    return {
      exitCode: 0,
      document: proposalDocument(project),
      text: `${lines.join("\n")}\n`,
    };
  },
});
