import type { Registry } from "../../contracts/index.ts";
import type { FoundModel } from "./find-models.ts";
import { currentModels, isChatModel, parametersOf, sizeOf } from "./model-names.ts";

/** A backend and the model proposed for it, with the reason. */
export interface ProposedBinding {
  readonly backend: string;
  readonly model: FoundModel;
  /** Two words or a sentence, without a full stop. */
  readonly because: string;
}

/** A scout's prompt and a coder's reply need some room. */
const leastContextWindow = 32_000;

/**
 * USD per million tokens of a reply: below the first a model is too small to read code well, above
 * the second a coder is dear, above the third a luxury.
 */
const smallFloor = 0.3;
const strongCeiling = 25;
const deepCeiling = 60;

/** What a backend is to be. */
type Wish = "local" | "small" | "large" | "last";

/**
 * Proposes a model for each backend of the registry: `local` runs on this machine, a small one is
 * the least costly of the current models, a large one the strongest at a fair price, `deep` a
 * stronger one, of another provider where there is one. Names, prices and sizes are all there is
 * to go by, so it is a proposal and says why.
 */
export function proposeBindings(
  models: readonly FoundModel[],
  registry: Pick<Registry, "backends" | "capabilities" | "ladders">,
): ProposedBinding[] {
  const usable = models.filter(isUsable);
  const pool = poolOf(usable);
  const large = largest(pool);
  return [...registry.backends.keys()].flatMap((backend): ProposedBinding[] => {
    switch (wishOf(backend, registry)) {
      case "local":
        return proposal(backend, ofThisMachine(usable), "the largest that runs on this machine");
      case "small":
        return proposal(
          backend,
          smallest(pool),
          `the smallest of the current ones, by ${basis(pool)}`,
        );
      case "large":
        return proposal(backend, large, `the largest at a fair price, by ${basis(pool)}`);
      case "last":
        return proposal(
          backend,
          lastResort(pool, large),
          `stronger or of another provider, by ${basis(pool)}`,
        );
    }
  });
}

function proposal(
  backend: string,
  model: FoundModel | undefined,
  because: string,
): ProposedBinding[] {
  return model ? [{ backend, model, because }] : [];
}

/** The shipped backends by their names; others by where the ladders and capabilities put them. */
function wishOf(
  backend: string,
  { capabilities, ladders }: Pick<Registry, "capabilities" | "ladders">,
): Wish {
  if (backend === "local") return "local";
  if (backend === "deep") return "last";
  if (backend === "cheap") return "small";
  const first = [...ladders.values()].flatMap(({ value }) => value.slice(0, 1));
  const isFirst = first.some((name) => capabilities.get(name)?.value.primary === backend);
  return isFirst ? "small" : "large";
}

function isUsable(model: FoundModel): boolean {
  return isChatModel(model.model) && (model.contextWindow ?? Infinity) >= leastContextWindow;
}

/**
 * Those to choose large and small ones from: hosted ones before this machine's, a provider's own
 * before those of one that resells (`vendor/model`), those that reason before the others, priced
 * before unpriced, and no model beside a newer one of its kind.
 */
function poolOf(usable: readonly FoundModel[]): readonly FoundModel[] {
  const hosted = usable.filter((model) => !model.isLocal);
  const anywhere = hosted.length > 0 ? hosted : usable;
  const preferences: readonly ((model: FoundModel) => boolean)[] = [
    ({ model }) => !model.includes("/"),
    ({ reasoning }) => reasoning === true,
    ({ price }) => price !== undefined,
    ({ model }) => /\d/.test(model) || !/-(?:latest|preview)$/.test(model),
  ];
  return currentModels(preferences.reduce(prefer, anywhere)).toSorted(bySize);
}

function prefer(
  models: readonly FoundModel[],
  isBetter: (model: FoundModel) => boolean,
): readonly FoundModel[] {
  const better = models.filter(isBetter);
  return better.length > 0 ? better : models;
}

function ofThisMachine(usable: readonly FoundModel[]): FoundModel | undefined {
  return usable
    .filter((model) => model.isLocal)
    .toSorted(bySize)
    .at(-1);
}

function smallest(pool: readonly FoundModel[]): FoundModel | undefined {
  return pool.find((model) => costOfReply(model) >= smallFloor) ?? pool.at(0);
}

function largest(pool: readonly FoundModel[]): FoundModel | undefined {
  return pool.findLast((model) => costOfReply(model) <= strongCeiling) ?? pool.at(0);
}

/** Of another provider where one is as large as the small ones are not; else a dearer one. */
function lastResort(
  pool: readonly FoundModel[],
  large: FoundModel | undefined,
): FoundModel | undefined {
  if (large === undefined) return undefined;
  const affordable = pool.filter((model) => costOfReply(model) <= deepCeiling);
  const other = affordable.findLast(({ provider }) => provider !== large.provider);
  const dearer = affordable.findLast((model) => bySize(model, large) > 0);
  return other ?? dearer;
}

function basis(pool: readonly FoundModel[]): string {
  return pool.some(({ price }) => price !== undefined) ? "price and name" : "name";
}

/** Small before large: by the price, else by the words and numbers of the name. */
function bySize(one: FoundModel, other: FoundModel): number {
  return (
    priceOf(one) - priceOf(other) ||
    sizeOf(one.model) - sizeOf(other.model) ||
    parametersOf(one.model) - parametersOf(other.model) ||
    Number(one.reasoning ?? false) - Number(other.reasoning ?? false) ||
    (one.contextWindow ?? 0) - (other.contextWindow ?? 0) ||
    one.model.localeCompare(other.model, "en", { numeric: true })
  );
}

/** A reply costs most, so it counts most; without a price all are alike. */
function priceOf({ price }: FoundModel): number {
  return price ? price.input + 3 * price.output : 0;
}

function costOfReply({ price }: FoundModel): number {
  return price?.output ?? 0;
}
