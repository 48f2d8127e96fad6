import type { AdapterModel, Binding, Registry } from "../../contracts/index.ts";
import { timeText } from "../../lib/time-text.ts";
import { coolingIn, type LimitReport } from "../../routing/index.ts";
import { bindingStep } from "../binding-step.ts";
import { defineCommand } from "../command.ts";
import { addModelOption, addRepoOption } from "../options.ts";
import { hasErrors, openProject, type ProjectRequest } from "../project.ts";
import { knownLimits } from "../quota.ts";
import { type BindingStanding, standingsOf } from "../setup/binding-standing.ts";
import { alignColumns, formatCount } from "../views/format.ts";
import { printable } from "../views/printable.ts";
import { problemLines } from "../views/problem-text.ts";
import { modelText, originDocument, originText, viaText } from "../views/route-document.ts";

interface ModelsFlags extends Pick<ProjectRequest, "repo" | "model"> {
  readonly offline?: true;
  readonly all?: true;
}

export const command = defineCommand<ModelsFlags>({
  define: (command) =>
    addModelOption(addRepoOption(command))
      .option("--offline", "asks neither pi nor any endpoint")
      .option("--all", "lists every model that the bound adapters, and pi, can call"),
  examples: [
    ["kit models", "every backend, the model it is bound to, and whether it can be called"],
    ["kit models --all", "every model there is to bind"],
  ],
  async run(options, { io, signal }) {
    const { registry, settings } = await openProject(options, io);
    const bindings = new Map([...registry.bindings].map(([name, { value }]) => [name, value]));
    const program = settings.piProgram.value;
    const isAsked = options.offline !== true;
    const all = options.all === true;
    const [standings, { limits }] = await Promise.all([
      isAsked ? standingsOf({ bindings, env: io.env, program, signal, all }) : undefined,
      knownLimits(io),
    ]);
    const backends = backendNames(registry).map((name) =>
      describeBackend(name, registry, standings?.bindings.get(name), limits),
    );
    const models = all ? (standings?.models ?? []) : undefined;
    const lines = [
      ...backends.flatMap((view) => backendLines(view, registry)),
      ...(models === undefined
        ? []
        : ["", "there is", ...alignColumns(models.map(modelRow), "  ")]),
      ...problemLines(registry.problems),
      ...advice(registry),
    ];
    return {
      exitCode: hasErrors(registry.problems) ? 2 : 0,
      document: {
        backends: backends.map(backendDocument),
        ...(models && { models }),
        sources: registry.sources,
        problems: registry.problems,
      },
      text: `${lines.map(printable).join("\n")}\n`,
    };
  },
});

interface BackendView {
  readonly backend: string;
  readonly description: string | undefined;
  readonly state: "bound" | "placeholder" | "unbound" | "disabled";
  readonly binding: Binding | undefined;
  readonly source: Record<string, unknown> | undefined;
  /** The capabilities whose route names it. */
  readonly capabilities: readonly string[];
  readonly standing: BindingStanding | undefined;
  readonly cooling: LimitReport | undefined;
}

function backendNames({ backends, bindings, unbound }: Registry): string[] {
  return [...new Set([...backends.keys(), ...bindings.keys(), ...unbound.keys()])];
}

function describeBackend(
  backend: string,
  registry: Registry,
  standing: BindingStanding | undefined,
  limits: readonly LimitReport[],
): BackendView {
  const binding = registry.bindings.get(backend);
  const capabilities = [...registry.capabilities].filter(([, { value }]) =>
    [value.primary, ...value.fallback].includes(backend),
  );
  return {
    backend,
    description: registry.backends.get(backend)?.value.description,
    state: binding ? "bound" : (registry.unbound.get(backend) ?? "unbound"),
    binding: binding?.value,
    source: binding && originDocument(binding),
    capabilities: capabilities.map(([name]) => name),
    standing,
    cooling:
      binding && coolingIn(limits, { backend, binding: binding.value, identity: "", degraded: [] }),
  };
}

/** The binding, then what is known of it. */
function backendLines(view: BackendView, registry: Registry): string[] {
  const { backend, state, binding, capabilities, standing, cooling } = view;
  const serves = capabilities.length === 0 ? "serves nothing" : `serves ${capabilities.join(", ")}`;
  const source = registry.bindings.get(backend);
  if (binding === undefined || source === undefined) return [`${backend}: ${state}; ${serves}`];
  return [
    `${backend}: ${modelText(binding)}${viaText(binding)}  ${originText(source)}`,
    `  ${serves}`,
    `  ${factsOf(binding, standing)}`,
    ...(standing === undefined ? [] : [`  ${standingText(standing)}`]),
    ...(cooling === undefined
      ? []
      : [`  spent until ${timeText(cooling.until)} (${cooling.name})`]),
  ];
}

/** The binding's own words count; the adapter's stand in. */
function factsOf(
  { contextWindow: bound, price: boundPrice, quotaPool }: Binding,
  standing: BindingStanding | undefined,
): string {
  const listed = standing?.state === "known" ? standing.model : undefined;
  const window = bound ?? listed?.contextWindow;
  const price = boundPrice ?? listed?.price;
  return [
    window === undefined ? "window unknown" : `window ${formatCount(window)}`,
    priceText(price),
    `quota pool ${quotaPool}`,
  ].join("; ");
}

function priceText(price: Binding["price"]): string {
  return price ? `$${price.input} in, $${price.output} out per million tokens` : "no price known";
}

function standingText(standing: BindingStanding): string {
  const { state, said } = standing;
  if (state === "known") return said;
  if (state === "not_checked") return `not checked: ${said}`;
  return `cannot be called: ${said}. ${standing.mend}`;
}

function modelRow({ provider, model, contextWindow, price }: AdapterModel): string[] {
  const window = contextWindow === undefined ? "" : formatCount(contextWindow);
  return [`${provider}/${model}`, window, priceText(price)];
}

function backendDocument(view: BackendView): Record<string, unknown> {
  const { backend, description, state, binding, source, capabilities, standing, cooling } = view;
  return {
    backend,
    ...(description !== undefined && { description }),
    state,
    ...(binding && { binding }),
    ...(source && { source }),
    capabilities,
    ...(standing && {
      standing: {
        state: standing.state,
        said: standing.said,
        ...("mend" in standing && { mend: standing.mend }),
        ...("model" in standing && { model: standing.model }),
      },
    }),
    ...(cooling && {
      cooling: {
        pool: cooling.name,
        failure: cooling.failure,
        until: new Date(cooling.until).toISOString(),
        told: cooling.told,
      },
    }),
  };
}

function advice(registry: Registry): string[] {
  if (registry.bindings.size > 0) return [];
  return ["", `No model is bound. ${bindingStep(registry, "Propose bindings: kit init")}`];
}
