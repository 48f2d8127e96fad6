import type { Layer, Problem } from "../contracts/index.ts";

/** The entries one file (or the flags) gives for one section: `backends`, `capabilities`, … */
export interface SectionLayer {
  readonly layer: Layer;
  readonly file?: string;
  readonly entries: Readonly<Record<string, unknown>>;
  /** Line of a key, its path taken inside the section. */
  readonly lineOf: (path: readonly string[]) => number | undefined;
  /** Makes a problem about a key, its path taken inside the section. */
  readonly problem: (
    severity: Problem["severity"],
    path: readonly (string | number)[],
    message: string,
  ) => Problem;
}

/** A value and the layer that gave it. */
export interface Origin {
  readonly value: unknown;
  readonly from: SectionLayer;
  readonly line: number | undefined;
}

/** One name of a section after all layers. */
export interface MergedEntry {
  /** `null`: the last layer that speaks of it disables it. */
  readonly value: unknown;
  /** The last layer that had a say in it. */
  readonly origin: Origin;
  /** Every key with its own origin, dotted path inside the entry; `""` is an entry that is no map. */
  readonly keys: ReadonlyMap<string, Origin>;
}

/** All sections of the used layers. */
export interface MergedSections {
  readonly backends: ReadonlyMap<string, MergedEntry>;
  readonly capabilities: ReadonlyMap<string, MergedEntry>;
  readonly ladders: ReadonlyMap<string, MergedEntry>;
  readonly bindings: ReadonlyMap<string, MergedEntry>;
}

/**
 * Merges one section over its layers, lowest first. Maps merge key by key at every depth; lists
 * and single values are replaced whole; `null` takes a key away, and disables a whole entry.
 */
export function mergeSection(layers: readonly SectionLayer[]): ReadonlyMap<string, MergedEntry> {
  const merged = new Map<string, MergedEntry>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.entries)) {
      const before = merged.get(name);
      const keys = new Map(before?.keys);
      const next = mergeValue(before?.value, value, layer, [name], keys);
      merged.set(name, { value: next, origin: originOf(next, layer, [name]), keys });
    }
  }
  return merged;
}

function mergeValue(
  before: unknown,
  value: unknown,
  layer: SectionLayer,
  path: readonly string[],
  keys: Map<string, Origin>,
): unknown {
  const here = path.slice(1).join(".");
  if (!isMap(value)) {
    for (const key of keys.keys()) {
      if (here === "" || key === here || key.startsWith(`${here}.`)) keys.delete(key);
    }
    keys.set(here, originOf(value, layer, path));
    return value;
  }
  keys.delete(here);
  const merged = new Map(Object.entries(isMap(before) ? before : {}));
  for (const [key, inner] of Object.entries(value)) {
    const next = mergeValue(merged.get(key), inner, layer, [...path, key], keys);
    if (next === null) merged.delete(key);
    else merged.set(key, next);
  }
  return Object.fromEntries(merged);
}

function originOf(value: unknown, from: SectionLayer, path: readonly string[]): Origin {
  return { value, from, line: from.lineOf(path) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
