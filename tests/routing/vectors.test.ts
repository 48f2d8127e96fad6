import { describe, expect, test } from "vitest";
import type { Agent, Problem, Registry } from "../../src/contracts/index.ts";
import { proposalBlock, proposeOverrides } from "../../src/pi-settings/index.ts";
import { candidateLabel, resolveRoute } from "../../src/routing/index.ts";
import { vectorsOf, viewedAs, type Views } from "../support/vectors.ts";
import { registryOf, type LayerFiles } from "./support.ts";

const merging = vectorsOf("registry-merge");
const resolving = vectorsOf("resolve");

type Names = Readonly<Record<string, object>>;

/** A routing file for vectors that give bindings alone. */
function backendsOf(template: unknown): unknown {
  const names = Object.keys((template as { backends?: Names } | undefined)?.backends ?? {});
  return { version: 1, backends: Object.fromEntries(names.map((name) => [name, {}])) };
}

function filesOf(input: Readonly<Record<string, unknown>>): LayerFiles {
  const { template, local, routing, localRouting, bindings } = input;
  return {
    shipped: {
      "routing/routing.yaml": routing ?? backendsOf(template),
      ...(template ? { "adapters/pi/models.yaml": template } : {}),
    },
    user: {
      ...(local ? { "models.local.json": local } : {}),
      ...(bindings ? { "models.local.json": { version: 1, backends: bindings } } : {}),
      ...(localRouting ? { "routing.local.json": localRouting } : {}),
    },
  };
}

/** Only the keys that a vector speaks of. */
function picked(value: object | undefined, wanted: object): object {
  const keys = Object.keys(wanted);
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => keys.includes(key)));
}

function errorsOf(registry: Registry): readonly Problem[] {
  return registry.problems.filter((problem) => problem.severity === "error");
}

/** What each key of an `expect` looks at. */
const mergeViews: Views<Registry> = {
  backends: (registry, wanted: Names) =>
    Object.fromEntries(
      Object.entries(wanted).map(([name, binding]) => [
        name,
        picked(registry.bindings.get(name)?.value, binding),
      ]),
    ),
  placeholders: (registry) =>
    [...registry.unbound].filter(([, why]) => why === "placeholder").map(([name]) => name),
  sources: ({ sources }) => {
    const local = sources.some(({ layer, kind }) => layer === "user" && kind === "bindings");
    return { local: local ? true : null };
  },
  capabilities: (registry) => [...registry.capabilities.keys()],
  disabled: (registry) => [...registry.disabled],
  capability: (registry, wanted: Names) =>
    Object.fromEntries(
      Object.entries(wanted).map(([name, entry]) => [
        name,
        picked(registry.capabilities.get(name)?.value, entry),
      ]),
    ),
  error: (registry, wanted: { key?: string; rule?: string; value?: string }) => {
    const found = errorsOf(registry).find(
      ({ key, message, place }) =>
        key === wanted.key && message.includes(wanted.rule ?? "") && place.line && place.column,
    );
    return found && { ...wanted, ...picked(found, wanted) };
  },
  exitOfRun: (registry) => (registry.bindings.size === 0 ? 3 : undefined),
};

describe.skipIf(merging === undefined)("the vectors of registry-merge", () => {
  test.for(merging ?? [])("$id: $why", async ({ input, expect: expected }) => {
    const registry = await registryOf(filesOf(input));

    expect(viewedAs(mergeViews, registry, expected)).toEqual(expected);
    expect(errorsOf(registry)).toHaveLength(expected["error"] ? 1 : 0);
  });
});

interface Resolved {
  readonly registry: Registry;
  readonly input: Readonly<Record<string, unknown>>;
}

function routeOf({ registry, input }: Resolved): ReturnType<typeof resolveRoute> {
  const { capability, agent } = input as { capability?: string; agent?: { capability: string } };
  return resolveRoute(registry, capability ?? agent?.capability ?? "");
}

const resolveViews: Views<Resolved> = {
  candidates: (resolved) =>
    routeOf(resolved).candidates.map(({ binding }) => candidateLabel(binding)),
  skipped: (resolved) => routeOf(resolved).skipped,
  degraded: (resolved) =>
    routeOf(resolved)
      .candidates.filter((candidate) => candidate.degraded.length > 0)
      .map(({ backend }) => backend),
  exitOfRun: (resolved) => (routeOf(resolved).candidates.length === 0 ? 3 : undefined),
  /** What pi's settings would say: each agent's first candidate, model and thinking apart. */
  subagents: ({ registry, input }) => {
    const asked = (input["agents"] as string[]).map((text) => {
      const [name = "", capability = ""] = text.split(":");
      const agent = { name, capability, available: true } as Agent;
      return { agent, isSound: true, route: resolveRoute(registry, capability) };
    });
    return proposalBlock(proposeOverrides(asked)).subagents;
  },
};

describe.skipIf(resolving === undefined)("the vectors of resolve", () => {
  test.for(resolving ?? [])("$id: $why", async ({ input, expect: expected }) => {
    const registry = await registryOf(filesOf(input));

    expect(viewedAs(resolveViews, { registry, input }, expected)).toEqual(expected);
    expect(errorsOf(registry)).toEqual([]);
  });
});
