import {
  isUsedLayer,
  KitError,
  type BackendEntry,
  type Binding,
  type CapabilityEntry,
  type LayerFolder,
  type Problem,
  type Registry,
  type Sourced,
} from "../contracts/index.ts";
import { didYouMean } from "../lib/nearest-name.ts";
import { checkRegistry } from "./check.ts";
import { backendEntry, bindingOf, capabilityEntry, isPlaceholder } from "./entries.ts";
import { readLayers, type LayerContents } from "./layer-files.ts";
import { mergeSection, type MergedSections, type Origin, type SectionLayer } from "./merge.ts";
import { parseModelFlag, type ModelFlag } from "./model-flag.ts";

/** What `loadRegistry` reads. */
export interface RegistryRequest {
  /** Lowest first: shipped, user, project. Without trust the project layer is checked and not used. */
  readonly layers: readonly LayerFolder[];
  /** Values of `--model`, in the order given. */
  readonly modelFlags?: readonly string[];
}

/**
 * Merges shipped ← user ← trusted project ← flags per key and checks all of it, a project layer
 * that is not used too. What is
 * wrong in a file is in `problems` with its place, never thrown; wrong keys are left out.
 * @throws KitError `usage` for a `--model` that is malformed or names an unknown backend.
 */
export async function loadRegistry(request: RegistryRequest): Promise<Registry> {
  const flags = (request.modelFlags ?? []).map(parseModelFlag);
  const used = await readLayers(request.layers.filter(isUsedLayer));
  const project = await readLayers(request.layers.filter((layer) => !isUsedLayer(layer)));
  const files = mergeSections(used);
  const problems = [...used.problems, ...checkRegistry(files)];
  const sections = withFlags(files, used, flags, problems);
  return {
    ...typed(sections),
    origins: originsOf(sections),
    sources: [...used.sources, ...project.sources],
    problems: [...problems, ...projectProblems(used, project)],
  };
}

function mergeSections(contents: LayerContents): MergedSections {
  return {
    backends: mergeSection(contents.backends),
    capabilities: mergeSection(contents.capabilities),
    ladders: mergeSection(contents.ladders),
    bindings: mergeSection(contents.bindings),
  };
}

/** Nothing of an unused layer can be an error of this run, except a credential lying about. */
function projectProblems(used: LayerContents, project: LayerContents): readonly Problem[] {
  const both = mergeSections({
    ...used,
    backends: [...used.backends, ...project.backends],
    capabilities: [...used.capabilities, ...project.capabilities],
    ladders: [...used.ladders, ...project.ladders],
  });
  const files = new Set(project.sources.map((source) => source.file));
  const crossChecks = checkRegistry(both).filter((problem) => files.has(problem.place.file));
  return [...project.problems, ...crossChecks].map((problem) =>
    project.credentials.includes(problem) ? problem : { ...problem, severity: "warning" },
  );
}

function withFlags(
  sections: MergedSections,
  used: LayerContents,
  flags: readonly ModelFlag[],
  problems: readonly Problem[],
): MergedSections {
  let bindings = sections.bindings;
  const layers = [...used.bindings];
  for (const flag of flags) {
    const known = new Set([...sections.backends.keys(), ...sections.bindings.keys()]);
    if (!known.has(flag.backend)) {
      const message = `--model names the backend ${JSON.stringify(flag.backend)}, which no layer defines`;
      throw new KitError("usage", message + (didYouMean(flag.backend, known) || "."), {
        next: `Use one of: ${[...known].join(", ")}`,
        problems,
      });
    }
    layers.push(flagLayer(flag, bindings.get(flag.backend)?.value));
    bindings = mergeSection(layers);
  }
  return { ...sections, bindings };
}

/** What is said of a model, and what of the account it is called through. */
const aboutModel = ["context_window", "price", "vision", "edit_format", "whole_file_lines", "note"];
const aboutProvider = [
  "adapter",
  "quota_pool",
  "extensions",
  "base_url",
  "api_key_env",
  "insecure_http",
  "command",
  "pass_environment",
];

/** Another model keeps the slot's thinking, but not what was said about the model before it. */
function flagLayer(flag: ModelFlag, before: unknown): SectionLayer {
  const binding = bindingOf(before ?? {});
  const same = (mine: string, theirs: string): boolean =>
    mine.toLowerCase() === theirs.toLowerCase();
  const sameProvider = same(flag.provider, binding.provider);
  const sameModel = sameProvider && same(flag.model, binding.model);
  const stale = [...(sameModel ? [] : aboutModel), ...(sameProvider ? [] : aboutProvider)];
  const entry = {
    ...Object.fromEntries(
      stale.filter((key) => Object.hasOwn(before ?? {}, key)).map((key) => [key, null]),
    ),
    provider: flag.provider,
    model: flag.model,
    ...(flag.thinking === undefined ? {} : { thinking: flag.thinking }),
  };
  return {
    layer: "flags",
    entries: { [flag.backend]: entry },
    lineOf: () => undefined,
    problem: (severity, path, message) => ({
      severity,
      place: { file: "--model" },
      key: path.join("."),
      message,
    }),
  };
}

function typed(sections: MergedSections): Omit<Registry, "origins" | "sources" | "problems"> {
  const backends = new Map<string, Sourced<BackendEntry>>();
  const capabilities = new Map<string, Sourced<CapabilityEntry>>();
  const ladders = new Map<string, Sourced<readonly string[]>>();
  const bindings = new Map<string, Sourced<Binding>>();
  const disabled = new Set<string>();
  const unbound = new Map<string, "placeholder" | "unbound" | "disabled">();
  for (const [name, entry] of sections.capabilities) {
    if (entry.value === null) disabled.add(name);
    else capabilities.set(name, sourced(entry.origin, capabilityEntry(entry.value)));
  }
  for (const [name, entry] of sections.ladders) {
    if (entry.value !== null) ladders.set(name, sourced(entry.origin, entry.value as string[]));
  }
  for (const [name, entry] of sections.backends) {
    if (entry.value === null) unbound.set(name, "disabled");
    else backends.set(name, sourced(entry.origin, backendEntry(entry.value)));
    if (entry.value !== null && !sections.bindings.has(name)) unbound.set(name, "unbound");
  }
  for (const [name, entry] of sections.bindings) {
    if (unbound.get(name) === "disabled") continue;
    if (entry.value === null) unbound.set(name, "disabled");
    else if (isPlaceholder(entry.value)) unbound.set(name, "placeholder");
    else bindings.set(name, sourced(entry.origin, bindingOf(entry.value)));
  }
  return { backends, capabilities, disabled, ladders, bindings, unbound };
}

function sourced<T>(origin: Origin, value: T): Sourced<T> {
  return {
    value,
    layer: origin.from.layer,
    ...(origin.from.file === undefined ? {} : { file: origin.from.file }),
    ...(origin.line === undefined ? {} : { line: origin.line }),
  };
}

function originsOf(sections: MergedSections): ReadonlyMap<string, Sourced<unknown>> {
  const origins = new Map<string, Sourced<unknown>>();
  for (const [section, entries] of Object.entries(sections)) {
    for (const [name, entry] of entries as MergedSections["bindings"]) {
      for (const [key, origin] of entry.keys) {
        const path = [section, name, ...(key === "" ? [] : [key])].join(".");
        origins.set(path, sourced(origin, origin.value));
      }
    }
  }
  return origins;
}
