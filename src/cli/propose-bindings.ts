import type { AdapterModel } from "../contracts/index.ts";

/** A backend and the model proposed for it, with the reason. */
export interface ProposedBinding {
  readonly backend: string;
  readonly model: AdapterModel;
  readonly because: string;
}

/** Servers on the user's own machine, by the names people give them in pi's `models.json`. */
const localProviders = /ollama|lm-?studio|llama-?\.?cpp|vllm|mlx|local/i;

/** Words by which providers call the small and the large models of a family. */
const smallWords = /(^|[^a-z])(haiku|mini|nano|flash|lite|small|fast|tiny|air|instant)([^a-z]|$)/i;
const largeWords = /(^|[^a-z])(opus|pro|max|large|ultra|heavy)([^a-z]|$)/i;

/** A scout's prompt and a coder's reply need some room. */
const leastContextWindow = 32_000;

/**
 * Proposes a model for each backend that kit ships: `local` runs on this machine, `cheap` is the
 * smallest, `strong` the largest, `deep` the largest of another provider. Names and prices are
 * all there is to go by, so it is a proposal and says why.
 */
export function proposeBindings(models: readonly AdapterModel[]): ProposedBinding[] {
  const roomy = models.filter(
    ({ contextWindow }) => (contextWindow ?? Infinity) >= leastContextWindow,
  );
  const local = roomy.filter(({ provider }) => localProviders.test(provider));
  const remote = roomy.filter((model) => !local.includes(model)).toSorted(bySize);
  const anywhere = remote.length > 0 ? remote : local.toSorted(bySize);
  const cheap = anywhere.at(0);
  const strong = anywhere.at(-1);
  const deep = anywhere.findLast(({ provider }) => provider !== strong?.provider);
  return [
    ...proposal("local", local.at(0), "it runs on this machine"),
    ...proposal("cheap", cheap, `the smallest by ${evidence(cheap)}`),
    ...proposal("strong", strong, `the largest by ${evidence(strong)}`),
    ...proposal("deep", deep, `the largest of another provider by ${evidence(deep)}`),
  ];
}

function proposal(
  backend: string,
  model: AdapterModel | undefined,
  because: string,
): ProposedBinding[] {
  return model ? [{ backend, model, because }] : [];
}

function evidence(model: AdapterModel | undefined): string {
  return model?.price ? "name and price" : "name";
}

/** Small before large: by the words of the name, then the price, then what says more of strength. */
function bySize(one: AdapterModel, other: AdapterModel): number {
  return (
    sizeOf(one) - sizeOf(other) ||
    priceOf(one) - priceOf(other) ||
    Number(one.reasoning ?? false) - Number(other.reasoning ?? false) ||
    newest(one.model, other.model)
  );
}

function sizeOf({ model }: AdapterModel): number {
  if (smallWords.test(model)) return 0;
  return largeWords.test(model) ? 2 : 1;
}

/** A reply costs most, so it counts most; an unknown price says nothing. */
function priceOf({ price }: AdapterModel): number {
  return price ? price.input + 3 * price.output : 0;
}

/** `gpt-5.2` after `gpt-5`, `x-10` after `x-9`. */
function newest(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
