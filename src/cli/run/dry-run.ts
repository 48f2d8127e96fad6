import type { Agent } from "../../contracts/index.ts";
import { estimateTokens } from "../../lib/text.ts";
import { commandText, findSandbox, folderText, sourceText } from "../../gate/index.ts";
import { promptFor, systemPromptOf } from "../../pipeline/index.ts";
import type { LimitReport } from "../../routing/index.ts";
import type { Answer } from "../command.ts";
import { bindingStep } from "../binding-step.ts";
import type { Io } from "../io.ts";
import { standingDocument } from "../layer.ts";
import { openMemory } from "../memory.ts";
import { hasErrors } from "../project.ts";
import { alignColumns, counted, createPaint, formatCost } from "../views/format.ts";
import { classifiedDocument, classifiedText } from "../views/classified.ts";
import { suggestionDocument, suggestionLines } from "../views/learning.ts";
import { problemLines } from "../views/problem-text.ts";
import { knownLimits } from "../quota.ts";
import { modelText, originText, routeDocument, standingText } from "../views/route-document.ts";
import type { PreparedRun } from "./prepare.ts";
import { surveyWithCommands } from "./survey.ts";

/** What a dry run cannot know without starting something. */
const notChecked = [
  "whether pi is installed and knows the models",
  "whether the accounts are signed in, and have quota left beyond what earlier runs found",
  "whether the sandbox and the test commands start, and whether they are green now",
];

/** The routing report: who would be asked, what would run, what the first prompt would hold. */
export async function dryRun(prepared: PreparedRun, io: Io): Promise<Answer> {
  const { project, routes, review, agents, testCommands } = prepared;
  const survey = await surveyWithCommands({
    root: project.root,
    git: project.git,
    task: prepared.task,
  });
  const { memory } = await openMemory(project, project.layer);
  const { limits } = await knownLimits(io);
  const systemPrompt = systemPromptOf(agents.scout, prepared.options.language);
  const prompt = promptFor(
    { task: prepared.task, memory, testCommands: testCommands.filter(({ trusted }) => trusted) },
    project.root,
    survey,
    undefined,
    [],
    systemPrompt,
    routes.scout.candidates[0],
  );
  const tokens = estimateTokens(systemPrompt) + estimateTokens(prompt);
  const commands = testCommands.map((command) => ({
    command: commandText(command),
    folder: folderText(command, project.root),
    source: sourceText(command, project.root),
    runs: command.trusted,
  }));
  const scout = prepared.pack === undefined ? { tokens } : undefined;
  const document = {
    routes: {
      scout: routeDocument(routes.scout, project.registry, limits),
      coder: routeDocument(routes.coder, project.registry, limits),
      ...(review && { review: routeDocument(review.route, project.registry, limits) }),
    },
    ...(prepared.classified && { classified: classifiedDocument(prepared.classified) }),
    ...(prepared.suggested && {
      suggested: {
        scout: suggestionDocument(prepared.suggested.scout),
        coder: suggestionDocument(prepared.suggested.coder),
      },
    }),
    sources: project.sources,
    settings: settingsDocument(prepared),
    testCommands: commands,
    sandbox: sandboxText(prepared, io),
    prompts: {
      ...(scout !== undefined && { scout: { ...scout, ...costOf(prepared, scout.tokens) } }),
    },
    projectLayer: standingDocument(project.layer.trust),
    warnings: prepared.commandWarnings,
    notChecked,
    problems: prepared.problems,
  };
  return {
    exitCode: hasErrors(prepared.problems) ? 2 : 0,
    document,
    text: `${lines(prepared, { commands, tokens, limits }, io).join("\n")}\n`,
  };
}

/** What the scout's prompt costs where its first candidate has a price. */
function costOf({ routes }: PreparedRun, tokens: number): { costUsd?: number } {
  const price = routes.scout.candidates[0]?.binding.price;
  return price === undefined ? {} : { costUsd: (tokens * price.input) / 1_000_000 };
}

function costText(prepared: PreparedRun, tokens: number): string {
  const { costUsd } = costOf(prepared, tokens);
  return costUsd === undefined ? "" : `, ${formatCost(costUsd, 0)} to read`;
}

function originOf({ registry }: PreparedRun["project"], backend: string): string {
  const source = registry.bindings.get(backend);
  return source === undefined ? "" : originText(source);
}

/** The user's own files and those of a trusted project; what is shipped needs no line. */
function configurationLines(sources: PreparedRun["project"]["sources"]): string[] {
  const own = sources.filter(({ layer, used }) => layer !== "shipped" && used);
  if (own.length === 0) return [];
  return ["", "your configuration", ...own.map(({ file }) => `  ${file}`)];
}

/** What would confine the tests; bubblewrap is looked for, not started. */
function sandboxText({ project: { root, settings } }: PreparedRun, io: Io): string {
  const { value: mode } = settings.sandbox;
  if (mode === "off") return "off; test commands run with your rights";
  const found = findSandbox(io.env, root);
  if (found.available) return `${mode}, by ${found.program}`;
  return mode === "on"
    ? `on, but ${found.reason}: kit run ends with exit 5. ${found.mend}`
    : `none, ${found.reason}: test commands run with your rights`;
}

function settingsDocument({ project }: PreparedRun): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(project.settings).map(([name, { value, layer, file, line }]) => [
      name,
      {
        value: value ?? null,
        layer,
        ...(file !== undefined && { file }),
        ...(line !== undefined && { line }),
      },
    ]),
  );
}

/** What a dry run found out beside the configuration. */
interface Found {
  readonly commands: readonly {
    readonly command: string;
    readonly folder: string;
    readonly source: string;
    readonly runs: boolean;
  }[];
  readonly tokens: number;
  readonly limits: readonly LimitReport[];
}

function suggestedLines({ suggested, agents }: PreparedRun, agent: Agent): string[] {
  if (suggested === undefined) return [];
  if (agent === agents.scout) return suggestionLines(suggested.scout);
  return agent === agents.coder ? suggestionLines(suggested.coder) : [];
}

function lines(prepared: PreparedRun, { commands, tokens, limits }: Found, io: Io): string[] {
  const paint = createPaint(io.stdout.colour);
  const { project, routes, agents } = prepared;
  const steps = [
    ...(prepared.pack === undefined ? [[agents.scout, routes.scout] as const] : []),
    [agents.coder, routes.coder] as const,
    ...(prepared.review ? [[prepared.review.agent, prepared.review.route] as const] : []),
  ];
  return [
    `${paint("strong", "Dry run")}: nothing was called and nothing was written.`,
    ...steps.flatMap(([agent, route]) => [
      "",
      `${agent.name} asks for ${route.capability}`,
      ...(agent === agents.coder && prepared.classified
        ? [`  ${classifiedText(prepared.classified)}`]
        : []),
      ...alignColumns(
        route.candidates.map((candidate, index) => [
          `${index + 1}.`,
          candidate.backend,
          modelText(candidate.binding),
          originOf(project, candidate.backend),
          standingText(candidate, limits),
        ]),
        "  ",
      ),
      ...alignColumns(
        route.skipped.map(({ backend, reason }) => ["–", backend, reason]),
        "  ",
      ),
      ...suggestedLines(prepared, agent),
      ...(route.candidates.length === 0
        ? [paint("warning", `  no model. ${bindingStep(project.registry, "Bind one: kit init")}`)]
        : []),
    ]),
    "",
    "test commands",
    ...(commands.length === 0
      ? [paint("warning", "  none: name one with --test, or say --allow-untested")]
      : []),
    ...alignColumns(
      commands.map(({ command, folder, source, runs }) => [
        command,
        `in ${folder}`,
        `(${source})`,
        runs ? "" : "shown, not run",
      ]),
      "  ",
    ),
    `  sandbox: ${sandboxText(prepared, io)}`,
    ...prepared.commandWarnings.map((warning) => paint("warning", `  ${warning}`)),
    "",
    ...(prepared.pack === undefined
      ? [`the scout's prompt: about ${counted(tokens, "token")}${costText(prepared, tokens)}`]
      : ["the scout is skipped: --pack"]),
    ...configurationLines(project.sources),
    ...(project.projectLayer === undefined ? [] : ["", project.projectLayer.note]),
    "",
    "not checked",
    ...notChecked.map((line) => `  ${line}`),
    ...problemLines(prepared.problems),
  ];
}
