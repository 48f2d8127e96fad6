import type {
  Binding,
  Candidate,
  CandidateName,
  Registry,
  Route,
  Sourced,
} from "../../contracts/index.ts";
import { timeText } from "../../lib/time-text.ts";
import { coolingIn, type LimitReport } from "../../routing/index.ts";

/** A route as `--json` shows it, each candidate with the place its binding came from. */
export function routeDocument(
  route: Route,
  registry: Registry,
  limits: readonly LimitReport[],
): Record<string, unknown> {
  return {
    capability: route.capability,
    candidates: route.candidates.map((candidate) => candidateDocument(candidate, registry, limits)),
    skipped: route.skipped,
  };
}

function candidateDocument(
  candidate: Candidate,
  registry: Registry,
  limits: readonly LimitReport[],
): Record<string, unknown> {
  const { backend, binding, degraded } = candidate;
  const cooling = coolingIn(limits, candidate);
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
    ...(cooling && {
      cooling: {
        pool: cooling.name,
        failure: cooling.failure,
        until: new Date(cooling.until).toISOString(),
        told: cooling.told,
      },
    }),
    ...(source && { source: originDocument(source) }),
  };
}

/** Where a value came from, without the value. */
export function originDocument({ layer, file, line }: Sourced<unknown>): Record<string, unknown> {
  return { layer, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

/** `acme/large:high`, as `--model` takes it. */
export function modelText({
  provider,
  model,
  thinking,
}: Pick<CandidateName, "provider" | "model" | "thinking">): string {
  return `${provider}/${model}${thinking === undefined ? "" : `:${thinking}`}`;
}

/** `routing/models.local.yaml:12`, or the layer where there is no file. */
export function originText({ layer, file, line }: Sourced<unknown>): string {
  if (file === undefined) return layer === "flags" ? "flag" : layer;
  return line === undefined ? file : `${file}:${line}`;
}

/** `spent until 2026-11-30T23:05:00Z`, or what the candidate lacks; empty for a sound one. */
export function standingText(candidate: Candidate, limits: readonly LimitReport[]): string {
  const { degraded } = candidate;
  const cooling = coolingIn(limits, candidate);
  return [
    ...(degraded.length === 0 ? [] : [`degraded: lacks ${degraded.join(", ")}`]),
    ...(cooling === undefined
      ? []
      : [`quota pool ${cooling.name} is spent until ${timeText(cooling.until)}`]),
  ].join("; ");
}

/** How a model is called, where that is not through pi: ` (openai, http://127.0.0.1:11434/v1)`. */
export function viaText({ adapter, baseUrl, command }: Binding): string {
  if (adapter === "pi") return "";
  const by = adapter === "codex" ? "codex, experimental" : adapter;
  const where = baseUrl ?? command?.[0];
  return ` (${by}${where === undefined ? "" : `, ${where}`})`;
}
