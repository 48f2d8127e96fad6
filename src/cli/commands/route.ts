import type { Registry, Route } from "../../contracts/index.ts";
import { resolveRoute } from "../../routing/index.ts";
import { defineCommand } from "../command.ts";
import { addModelOption, addRepoOption } from "../options.ts";
import { hasErrors, openProject, type ProjectRequest } from "../project.ts";
import { alignColumns } from "../views/format.ts";
import { problemLines } from "../views/problem-text.ts";
import { modelText, originDocument, originText, routeDocument } from "../views/route-document.ts";

export const command = defineCommand<Pick<ProjectRequest, "repo" | "model">>({
  define(command) {
    command.argument("[capability]", "the capability; all of them when absent");
    addModelOption(addRepoOption(command));
  },
  examples: [
    ["kit route strong-code", "who is asked for strong-code, in order, and who is not and why"],
    ["kit route --model strong=openai/gpt-5:high", "the same with another model for once"],
  ],
  async run(options, { io, args: [capability] }) {
    const { registry, problems, sources } = await openProject(options, io);
    const names = capability === undefined ? [...registry.capabilities.keys()] : [capability];
    const routes = names.map((name) => resolveRoute(registry, String(name)));
    const ladders = capability === undefined ? [...registry.ladders] : [];
    const lines = [
      ...routes.flatMap((route) => routeLines(route, registry)),
      ...ladders.map(([name, { value }]) => `ladder ${name}: ${value.join(" → ")}`),
      ...problemLines(problems),
      ...advice(routes),
    ];
    const unserved = capability !== undefined && routes[0]?.candidates.length === 0;
    return {
      exitCode: hasErrors(problems) ? 2 : unserved ? 1 : 0,
      document: {
        routes: routes.map((route) => routeDocument(route, registry)),
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

function routeLines({ capability, candidates, skipped }: Route, registry: Registry): string[] {
  const rows = candidates.map(({ backend, binding, degraded }, index) => {
    const source = registry.bindings.get(backend);
    const lacks = degraded.length === 0 ? "" : `degraded: lacks ${degraded.join(", ")}`;
    return [`${index + 1}.`, backend, modelText(binding), source ? originText(source) : "", lacks];
  });
  const left = skipped.map(({ backend, reason }) => ["–", backend, reason]);
  return [capability, ...alignColumns(rows, "  "), ...alignColumns(left, "  "), ""];
}

function advice(routes: readonly Route[]): string[] {
  const [unserved] = routes.filter(({ candidates }) => candidates.length === 0);
  if (!unserved) return [];
  return [`No model serves "${unserved.capability}". Bind one: kit init --print`];
}
