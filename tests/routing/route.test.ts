import { describe, expect, test } from "vitest";
import type { Binding } from "../../src/contracts/index.ts";
import { candidateLabel, modelIdentity, resolveRoute } from "../../src/routing/index.ts";
import { registryOf } from "./support.ts";

/** A registry with one capability `code` over the bindings, in their order. */
async function routeOver(
  bindings: Record<string, object | null>,
  capability: object = {},
  backends: Record<string, object | null> = {},
): Promise<ReturnType<typeof resolveRoute>> {
  const [primary = "none", ...fallback] = Object.keys(bindings);
  const registry = await registryOf({
    shipped: {
      "routing/routing.yaml": {
        backends,
        capabilities: { code: { primary, fallback, ...capability } },
      },
    },
    user: { "models.local.yaml": { backends: bindings } },
  });
  return resolveRoute(registry, "code");
}

function labels(route: ReturnType<typeof resolveRoute>): readonly string[] {
  return route.candidates.map(({ binding }) => candidateLabel(binding));
}

describe("a route", () => {
  test("asks one model under five names once, and says whose twin each other name is", async () => {
    const route = await routeOver({
      big: { provider: "p1", model: "big" },
      sol: { provider: "p1", model: "big" },
      loud: { provider: "P1", model: "Big" },
      other: { provider: "p2", model: "other" },
      thoughtful: { provider: "p1", model: "big", thinking: "high" },
    });

    expect(labels(route)).toEqual(["p1/big", "p2/other", "p1/big:high"]);
    expect(route.skipped).toEqual([
      { backend: "sol", reason: "same candidate as big" },
      { backend: "loud", reason: "same candidate as big" },
    ]);
  });

  test("knows another thinking level of a model for the same model", async () => {
    const { candidates } = await routeOver({
      big: { provider: "p1", model: "big", thinking: "low" },
      bigger: { provider: "P1", model: "big", thinking: "max" },
    });

    const [low, max] = candidates.map(({ binding }) => modelIdentity(binding));
    expect(candidates.map(({ identity }) => identity)).toHaveLength(2);
    expect(low).toBe(max);
  });

  test("does not take a colon of an id for a thinking level of the same name", async () => {
    const { candidates } = await routeOver({
      glued: { provider: "p1", model: "big:high" },
      apart: { provider: "p1", model: "big", thinking: "high" },
    });

    expect(candidates.map(({ backend }) => backend)).toEqual(["glued", "apart"]);
  });

  test("ends although fallbacks repeat and point back at the first", async () => {
    const route = await routeOver(
      {
        a: { provider: "p1", model: "a" },
        b: { provider: "p2", model: "b" },
        c: { provider: "p3", model: "c" },
      },
      { fallback: ["b", "a", "b", "c", "a"] },
    );

    expect(labels(route)).toEqual(["p1/a", "p2/b", "p3/c"]);
    expect(route.skipped.map(({ backend, reason }) => `${backend}: ${reason}`)).toEqual([
      "a: listed twice",
      "b: listed twice",
      "a: listed twice",
    ]);
  });

  test("gives every backend that cannot be called its reason", async () => {
    const registry = await registryOf({
      shipped: {
        "routing/routing.yaml": {
          backends: { todo: {}, half: {}, free: {}, off: {}, gone: {}, ok: {} },
          capabilities: {
            code: { primary: "todo", fallback: ["half", "free", "off", "gone", "ok"] },
          },
        },
        "adapters/pi/models.yaml": {
          backends: { todo: { provider: "TODO-provider", model: "m" } },
        },
      },
      user: {
        "routing.local.yaml": { backends: { off: null } },
        "models.local.yaml": {
          backends: {
            half: { provider: "p1" },
            off: { provider: "p1", model: "a" },
            gone: null,
            ok: { provider: "p1", model: "m" },
          },
        },
      },
    });

    const route = resolveRoute(registry, "code");

    expect(labels(route)).toEqual(["p1/m"]);
    expect(route.skipped).toEqual([
      { backend: "todo", reason: "placeholder" },
      { backend: "half", reason: "placeholder" },
      { backend: "free", reason: "unbound" },
      { backend: "off", reason: "disabled" },
      { backend: "gone", reason: "disabled" },
    ]);
  });

  test("marks what lacks a required property as degraded and asks it last", async () => {
    const route = await routeOver(
      {
        blind: { provider: "p1", model: "blind" },
        sees: { provider: "p1", model: "sees", vision: true, context_window: 200_000 },
        small: { provider: "p1", model: "small", vision: true, context_window: 8_000 },
        claims: { provider: "p1", model: "claims", vision: false, context_window: 200_000 },
      },
      { requires: { vision: true, context_window: 100_000 } },
      { claims: { vision: true } },
    );

    expect(route.candidates.map(({ backend, degraded }) => [backend, degraded])).toEqual([
      ["sees", []],
      ["blind", ["vision", "context_window"]],
      ["small", ["context_window"]],
      ["claims", ["vision"]],
    ]);
  });

  test("sends no thinking level where none is set, and the level apart where one is", async () => {
    const route = await routeOver({
      plain: { provider: "p1", model: "a" },
      set: { provider: "hub", model: "vendor/b", thinking: "xhigh" },
    });

    const [plain, set] = route.candidates.map(({ binding }): Partial<Binding> => binding);
    expect(plain).not.toHaveProperty("thinking");
    expect(set).toMatchObject({ provider: "hub", model: "vendor/b", thinking: "xhigh" });
  });
});

describe("asking for a capability", () => {
  const files = {
    shipped: {
      "routing/routing.yaml": {
        backends: { strong: {} },
        capabilities: {
          "strong-code": { primary: "strong" },
          "deep-review": { primary: "strong" },
        },
      },
    },
    user: { "routing.local.yaml": "capabilities:\n  deep-review: null\n" },
  };

  test("that no layer defines names the known ones and the one that was meant", async () => {
    const registry = await registryOf(files);

    expect(() => resolveRoute(registry, "strong-cod")).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: 'No layer defines the capability "strong-cod"; did you mean "strong-code"?',
        next: "Use one of: strong-code",
      }),
    );
  });

  test("that is disabled says where", async () => {
    const registry = await registryOf(files);

    expect(() => resolveRoute(registry, "deep-review")).toThrow(
      /disabled in .*routing\.local\.yaml:2\.$/,
    );
  });

  test.for(["toString", "__proto__", "constructor", ""])(
    "%j is unknown like any other",
    async (name) => {
      const registry = await registryOf(files);

      expect(() => resolveRoute(registry, name)).toThrow(/No layer defines/);
    },
  );
});
