import {
  KitError,
  type Binding,
  type Candidate,
  type CapabilityEntry,
  type Registry,
  type Route,
  type SkippedBackend,
} from "../contracts/index.ts";
import { didYouMean } from "../lib/nearest-name.ts";

/**
 * The ordered candidates of a capability: primary, then the fallbacks as configured, those that
 * lack a required property (degraded) after all others. Every other backend is in `skipped` with
 * its reason: `unbound`, `placeholder`, `disabled`, `unknown backend`, `listed twice`, `same
 * candidate as NAME`. A route is a flat list without repeats, so it always ends.
 * @throws KitError `usage` for a capability that no layer defines or that one disables.
 */
export function resolveRoute(registry: Registry, capability: string): Route {
  const entry = capabilityOf(registry, capability);
  const candidates: Candidate[] = [];
  const skipped: SkippedBackend[] = [];
  const listed = new Set<string>();
  const firstOf = new Map<string, string>();
  const named = [entry.primary, ...entry.fallback].filter((backend) => backend !== "");
  for (const backend of named) {
    const binding = registry.bindings.get(backend)?.value;
    const reason = listed.has(backend) ? "listed twice" : whyNotCallable(registry, backend);
    listed.add(backend);
    if (reason !== undefined || binding === undefined) {
      skipped.push({ backend, reason: reason ?? "unbound" });
      continue;
    }
    const identity = identityOf(binding);
    const first = firstOf.get(identity);
    if (first !== undefined) {
      skipped.push({ backend, reason: `same candidate as ${first}` });
      continue;
    }
    firstOf.set(identity, backend);
    candidates.push({ backend, binding, identity, degraded: lacks(registry, backend, entry) });
  }
  const able = candidates.filter((candidate) => candidate.degraded.length === 0);
  const degraded = candidates.filter((candidate) => candidate.degraded.length > 0);
  return { capability, candidates: [...able, ...degraded], skipped };
}

/**
 * Adapter, provider and model as text, letter case ignored (pi ignores it too). Where a binding
 * gives an address, that is the provider, whatever it is called. Two bindings of
 * one model identity differ at most in thinking: the other level is skipped after a provider
 * failure and allowed after a work failure.
 */
export function modelIdentity(binding: Binding): string {
  const { adapter, provider, model, baseUrl } = binding;
  return `${adapter}:${baseUrl?.replace(/\/+$/, "") ?? provider}/${model}`.toLowerCase();
}

/** How people read a candidate: `provider/model`, with `:thinking` where a level is set. */
export function candidateLabel(binding: Binding): string {
  const thinking = binding.thinking === undefined ? "" : `:${binding.thinking}`;
  return `${binding.provider}/${binding.model}${thinking}`;
}

function identityOf(binding: Binding): string {
  return `${modelIdentity(binding)}@${binding.thinking ?? "default"}`;
}

function capabilityOf(registry: Registry, capability: string): CapabilityEntry {
  const entry = registry.capabilities.get(capability)?.value;
  if (entry) return entry;
  const known = [...registry.capabilities.keys()];
  const quoted = JSON.stringify(capability);
  if (registry.disabled.has(capability)) {
    const origin = registry.origins.get(`capabilities.${capability}`);
    const where = origin?.file ? ` in ${origin.file}:${origin.line ?? 1}` : "";
    throw new KitError("usage", `Capability ${quoted} is disabled${where}.`, {
      next: `Enable it there, or use one of: ${known.join(", ")}`,
    });
  }
  throw new KitError(
    "usage",
    `No layer defines the capability ${quoted}${didYouMean(capability, known) || "."}`,
    { next: `Use one of: ${known.join(", ") || "none is defined"}` },
  );
}

function whyNotCallable(registry: Registry, backend: string): string | undefined {
  if (registry.bindings.has(backend)) return undefined;
  const unbound = registry.unbound.get(backend);
  return unbound ?? "unknown backend";
}

/** Properties that a capability may require, and where a backend or its binding says them. */
const requirable: Readonly<
  Record<string, (registry: Registry, backend: string) => string | number | boolean | undefined>
> = {
  vision: (registry, backend) =>
    registry.bindings.get(backend)?.value.vision ?? registry.backends.get(backend)?.value.vision,
  context_window: (registry, backend) => registry.bindings.get(backend)?.value.contextWindow,
  tier: (registry, backend) => registry.backends.get(backend)?.value.tier,
  capability_class: (registry, backend) => registry.backends.get(backend)?.value.capabilityClass,
  cost_class: (registry, backend) => registry.backends.get(backend)?.value.costClass,
};

export const requirableProperties: readonly string[] = Object.keys(requirable);

/** What a capability requires and the backend does not have. Numbers are met by as much or more. */
function lacks(registry: Registry, backend: string, entry: CapabilityEntry): readonly string[] {
  return Object.entries(entry.requires)
    .filter(([property, required]) => {
      const read = Object.hasOwn(requirable, property) ? requirable[property] : undefined;
      const actual = read?.(registry, backend);
      if (typeof required === "number" && typeof actual === "number") return actual < required;
      if (required === false) return actual === true;
      return actual !== required;
    })
    .map(([property]) => property);
}
