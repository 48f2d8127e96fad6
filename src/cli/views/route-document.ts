import type { Binding, Candidate, Registry, Route, Sourced } from "../../contracts/index.ts";

/** A route as `--json` shows it, each candidate with the place its binding came from. */
export function routeDocument(route: Route, registry: Registry): Record<string, unknown> {
  return {
    capability: route.capability,
    candidates: route.candidates.map((candidate) => candidateDocument(candidate, registry)),
    skipped: route.skipped,
  };
}

function candidateDocument(
  { backend, binding, degraded }: Candidate,
  registry: Registry,
): Record<string, unknown> {
  const { adapter, provider, model, thinking, contextWindow, price } = binding;
  const source = registry.bindings.get(backend);
  return {
    backend,
    adapter,
    provider,
    model,
    ...(thinking !== undefined && { thinking }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(price !== undefined && { price }),
    degraded,
    ...(source && { source: originDocument(source) }),
  };
}

/** Where a value came from, without the value. */
export function originDocument({ layer, file, line }: Sourced<unknown>): Record<string, unknown> {
  return { layer, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

/** `acme/large:high`, as `--model` takes it. */
export function modelText({ provider, model, thinking }: Binding): string {
  return `${provider}/${model}${thinking === undefined ? "" : `:${thinking}`}`;
}

/** `routing/models.local.yaml:12`, or the layer where there is no file. */
export function originText({ layer, file, line }: Sourced<unknown>): string {
  if (file === undefined) return layer === "flags" ? "flag" : layer;
  return line === undefined ? file : `${file}:${line}`;
}
