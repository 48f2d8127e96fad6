import type { Agent, Problem } from "../../contracts/index.ts";
import { defineCommand } from "../command.ts";
import { addRepoOption } from "../options.ts";
import { hasErrors, openProject, type ProjectRequest } from "../project.ts";
import { alignColumns, createPaint } from "../views/format.ts";
import { printable } from "../views/printable.ts";
import { problemLines } from "../views/problem-text.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo">>({
  define: (command) => addRepoOption(command),
  examples: [["kit agents", "every agent with its capability and its file"]],
  async run(options, { io }) {
    const { agents: loaded } = await openProject(options, io);
    const { agents, sources, problems } = loaded;
    const broken = new Set(problems.filter(isError).map(({ place }) => place.file));
    const isSound = ({ file }: Agent): boolean => !broken.has(file);
    const paint = createPaint(io.stdout.colour);
    const rows = alignColumns(agents.map((agent) => agentRow(agent, isSound(agent))));
    const lines = [
      ...agents.flatMap(({ description }, index) => [
        rows[index] ?? "",
        paint("quiet", `  ${printable(description)}`),
      ]),
      ...problemLines(problems),
    ];
    return {
      exitCode: hasErrors(problems) ? 2 : 0,
      document: {
        agents: agents.map((agent) => ({ ...agentDocument(agent), sound: isSound(agent) })),
        sources,
        problems,
      },
      text: `${lines.join("\n")}\n`,
    };
  },
});

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

function agentRow(agent: Agent, sound: boolean): string[] {
  const { name, capability, available, file } = agent;
  const state = sound ? (available ? "" : " (disabled)") : " (broken)";
  return [name, `${capability ?? "–"}${state}`, file];
}

/** Without the prompt, which is in the file. */
function agentDocument(agent: Agent): Record<string, unknown> {
  const { name, description, capability, ladder, available, execution } = agent;
  const { access, tools, layer, file } = agent;
  return {
    name,
    description,
    ...(capability !== undefined && { capability }),
    ...(ladder !== undefined && { ladder }),
    available,
    execution,
    access,
    tools,
    layer,
    file,
  };
}
