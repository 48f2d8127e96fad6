import { formatCount } from "../views/format.ts";
import type { FoundModel } from "./find-models.ts";
import type { ProposedBinding } from "./propose-bindings.ts";

const mostOthers = 60;

/**
 * The text of a new `models.local.yaml`: the proposal, and the other models as comments to choose
 * from.
 *
 * @param from who listed the models: `pi 1.6.0, ollama`
 */
export function bindingsText(
  proposed: readonly ProposedBinding[],
  models: readonly FoundModel[],
  from: string,
): string {
  const taken = new Set(proposed.map(({ model }) => model));
  const others = models.filter((model) => !taken.has(model));
  const lines = [
    `# Proposed by kit init from the ${formatCount(models.length)} models that ${from} can call here.`,
    "# Names, sizes and prices are all kit can go by: change what you know better. docs/routing.md",
    "version: 1",
    "",
    "backends:",
    ...proposed.flatMap((each) => [
      `  #${commentOf(each)}`,
      `  ${each.backend}:`,
      ...Object.entries(entryOf(each.model)).map(
        ([key, value]) => `    ${key}: ${yamlValue(value)}`,
      ),
    ]),
    ...(others.length === 0 ? [] : ["", "# Also to choose from:"]),
    ...others
      .slice(0, mostOthers)
      .map((model) => `#   ${model.provider}/${model.model}${via(model)}${factsOf(model)}`),
    ...(others.length > mostOthers
      ? [`#   … and ${formatCount(others.length - mostOthers)} more: kit models --all`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** A binding as files write it. */
export function entryOf(model: FoundModel): Readonly<Record<string, unknown>> {
  const { adapter, baseUrl, contextWindow, price } = model;
  return {
    ...(adapter !== "pi" && { adapter }),
    provider: model.provider,
    model: model.model,
    ...(adapter === "openai" && { base_url: baseUrl }),
    ...(contextWindow !== undefined && { context_window: contextWindow }),
    ...(price !== undefined && {
      price: {
        input: price.input,
        output: price.output,
        ...(price.cacheRead !== undefined && { cache_read: price.cacheRead }),
        ...(price.cacheWrite !== undefined && { cache_write: price.cacheWrite }),
      },
    }),
  };
}

/** The reason, and what is not known that matters; as a comment of YAML, a blank in front. */
export function commentOf({ because, model }: ProposedBinding): string {
  const isBlind = model.contextWindow === undefined && model.isLocal;
  return ` ${because}${factsOf(model)}${isBlind ? ". Set context_window to what its server was started with" : ""}`;
}

/** ` (window 200,000; $1 in, $5 out per million tokens; reasons; sees images)` */
function factsOf({ contextWindow, price, reasoning, vision }: FoundModel): string {
  const known = [
    contextWindow === undefined ? "window unknown" : `window ${formatCount(contextWindow)}`,
    price ? `$${price.input} in, $${price.output} out per million tokens` : "no price known",
    ...(reasoning === true ? ["reasons"] : []),
    ...(vision === true ? ["sees images"] : []),
  ];
  return ` (${known.join("; ")})`;
}

function via({ adapter }: FoundModel): string {
  return adapter === "pi" ? "" : `, adapter ${adapter}`;
}

function yamlValue(value: unknown): string {
  if (typeof value === "string") return yamlText(value);
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, part]) => `${key}: ${String(part)}`);
  return `{ ${parts.join(", ")} }`;
}

/** Plain where YAML reads it back as the same text, else quoted; JSON's quotes are YAML's too. */
function yamlText(text: string): string {
  const plain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}
