import type { AdapterModel } from "../../contracts/index.ts";
import type { ProposedBinding } from "../propose-bindings.ts";
import { formatCount } from "./format.ts";

const mostOthers = 60;

/**
 * The text of a `models.local.yaml`: the proposal, and the other models as comments to choose from.
 *
 * @param file where it belongs, for the comment at its top
 * @param program what listed the models: `pi 1.6.0`
 */
export function bindingsYaml(
  proposed: readonly ProposedBinding[],
  models: readonly AdapterModel[],
  file: string,
  program: string,
): string {
  const taken = new Set(proposed.map(({ model }) => model));
  const others = models.filter((model) => !taken.has(model));
  const lines = [
    `# Proposed by kit from the ${formatCount(models.length)} models that ${program} can call here.`,
    `# Names and prices are all kit can go by: check it, then save it as`,
    `# ${file}`,
    "version: 1",
    "",
    "backends:",
    ...proposed.flatMap(bindingLines),
    ...(others.length === 0 ? [] : ["", "# Also to choose from:"]),
    ...others
      .slice(0, mostOthers)
      .map((model) => `#   ${model.provider}/${model.model}${facts(model)}`),
    ...(others.length > mostOthers
      ? [`#   … and ${formatCount(others.length - mostOthers)} more`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function bindingLines({ backend, model, because }: ProposedBinding): string[] {
  return [
    `  # ${because}${facts(model)}`,
    `  ${backend}:`,
    `    provider: ${yamlText(model.provider)}`,
    `    model: ${yamlText(model.model)}`,
  ];
}

function facts({ contextWindow, price }: AdapterModel): string {
  const known = [
    ...(contextWindow === undefined ? [] : [`window ${formatCount(contextWindow)}`]),
    ...(price ? [`$${price.input} in, $${price.output} out per million tokens`] : []),
  ];
  return known.length === 0 ? "" : ` (${known.join("; ")})`;
}

/** Plain where YAML reads it back as the same text, else quoted; JSON's quotes are YAML's too. */
function yamlText(text: string): string {
  const plain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}
