import { KitError, type Registry, type Route } from "../../contracts/index.ts";
import { findAgent } from "../../agents/index.ts";
import {
  type ClassifiedTask,
  classifyTask,
  type LimitReport,
  resolveRoute,
  suggestOrder,
  type SuggestedOrder,
  usualStep,
} from "../../routing/index.ts";
import { bindingStep } from "../binding-step.ts";
import { defineCommand } from "../command.ts";
import { addModelOption, addRepoOption } from "../options.ts";
import { recordedRuns } from "../learning.ts";
import { suggestionDocument, suggestionLines } from "../views/learning.ts";
import { hasErrors, openProject, type Project, type ProjectRequest } from "../project.ts";
import { alignColumns } from "../views/format.ts";
import { classifiedDocument, classifiedText } from "../views/classified.ts";
import { problemLines } from "../views/problem-text.ts";
import { knownLimits } from "../quota.ts";
import {
  modelText,
  originDocument,
  originText,
  routeDocument,
  standingText,
} from "../views/route-document.ts";

export const command = defineCommand<
  Pick<ProjectRequest, "repo" | "model"> & { readonly task?: string; readonly suggest?: true }
>({
  define(command) {
    command.argument("[capability]", "the capability; all of them when absent");
    addModelOption(addRepoOption(command)).option(
      "--task <text>",
      "the route of the coder for this task, with the rule that chose it",
    );
    command.option(
      "--suggest",
      "the order that this repository's runs make the cheapest until a green, with its arithmetic",
    );
  },
  examples: [
    ["kit route strong-code", "who is asked for strong-code, in order, and who is not and why"],
    [
      'kit route --task "The button in shot.png overlaps"',
      "which capability a task asks for, and why",
    ],
    ["kit route strong-code --suggest", "the order that earlier runs speak for, and the sums"],
    ["kit route --model strong=openai/gpt-5:high", "the same with another model for once"],
  ],
  async run(options, { io, args: [capability] }) {
    const { limits } = await knownLimits(io);
    const project = await openProject(options, io);
    const { registry, problems, sources } = project;
    const asked = capabilityAsked(project, capability, options.task);
    const names =
      asked.capability === undefined ? [...registry.capabilities.keys()] : [asked.capability];
    const routes = names.map((name) => resolveRoute(registry, name));
    const orders = options.suggest ? await suggestedOrders(project, routes) : undefined;
    const ladders = asked.capability === undefined ? [...registry.ladders] : [];
    const lines = [
      ...asked.lines,
      ...routes.flatMap((route, index) => {
        const order = orders?.[index];
        return [
          ...routeLines(route, registry, limits),
          ...(order ? suggestionLines(order) : []),
          "",
        ];
      }),
      ...ladders.map(([name, { value }]) => `ladder ${name}: ${value.join(" → ")}`),
      ...problemLines(problems),
      ...advice(routes, registry),
    ];
    const unserved = asked.capability !== undefined && routes[0]?.candidates.length === 0;
    return {
      exitCode: hasErrors(problems) ? 2 : unserved ? 1 : 0,
      document: {
        routes: routes.map((route) => routeDocument(route, registry, limits)),
        ...(options.task !== undefined && {
          classified: asked.classified ? classifiedDocument(asked.classified) : null,
        }),
        ...(orders && {
          suggested: orders.map((order, index) => ({
            capability: routes[index]?.capability ?? "",
            ...suggestionDocument(order),
          })),
        }),
        ladders: ladders.map(([name, ladder]) => {
          return { name, capabilities: ladder.value, source: originDocument(ladder) };
        }),
        sources,
        problems,
      },
      text: `${lines.join("\n")}\n`,
    };
  },
});

async function suggestedOrders(
  { runsFolder }: Project,
  routes: readonly Route[],
): Promise<readonly SuggestedOrder[]> {
  const { attempts } = await recordedRuns(runsFolder);
  return routes.map((route) =>
    suggestOrder(route, attempts, usualStep(attempts, route.capability)),
  );
}

interface Asked {
  /** Absent: all of them. */
  readonly capability?: string;
  readonly classified?: ClassifiedTask;
  readonly lines: readonly string[];
}

/** The capability named, or the one that the coder asks for with this task. */
function capabilityAsked(
  { taskRules, agents }: Project,
  named: string | readonly string[] | undefined,
  task: string | undefined,
): Asked {
  if (task === undefined) {
    return { ...(named !== undefined && { capability: String(named) }), lines: [] };
  }
  if (named !== undefined) {
    throw new KitError(
      "usage",
      "A capability and --task are given: one of them says what is asked.",
      {
        next: "Leave one out",
      },
    );
  }
  const classified = classifyTask(taskRules.rules, { task, packFiles: [] });
  if (classified) {
    return {
      capability: classified.capability,
      classified,
      lines: [classifiedText(classified), ""],
    };
  }
  const { capability, name } = findAgent(agents, "coder");
  const line = `no rule holds: the capability of the agent ${name} stands`;
  return { ...(capability !== undefined && { capability }), lines: [line, ""] };
}

function routeLines(
  { capability, candidates, skipped }: Route,
  registry: Registry,
  limits: readonly LimitReport[],
): string[] {
  const rows = candidates.map((candidate, index) => {
    const { backend, binding } = candidate;
    const source = registry.bindings.get(backend);
    const origin = source ? originText(source) : "";
    return [`${index + 1}.`, backend, modelText(binding), origin, standingText(candidate, limits)];
  });
  const left = skipped.map(({ backend, reason }) => ["–", backend, reason]);
  return [capability, ...alignColumns(rows, "  "), ...alignColumns(left, "  ")];
}

function advice(routes: readonly Route[], registry: Registry): string[] {
  const [unserved] = routes.filter(({ candidates }) => candidates.length === 0);
  if (!unserved) return [];
  return [
    `No model serves "${unserved.capability}". ${bindingStep(registry, "Bind one: kit init")}`,
  ];
}
