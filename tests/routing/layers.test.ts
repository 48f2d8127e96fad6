import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadRegistry } from "../../src/routing/index.ts";
import { layersOf, problemLines, registryOf, shipped } from "./support.ts";

describe("the layers of the registry", () => {
  test("a local entry adds to the shared ones, and a list of it replaces theirs", async () => {
    const registry = await registryOf({
      shipped: {
        ...shipped,
        "adapters/pi/models.yaml": {
          backends: {
            cheap: { provider: "TODO-provider", model: "TODO-model" },
            strong: { provider: "p1", model: "big", thinking: "medium", context_window: 200_000 },
          },
        },
      },
      user: {
        "routing.local.yaml": { capabilities: { "cheap-code": { fallback: [] } } },
        "models.local.yaml": {
          backends: { cheap: { provider: "p3", model: "small" }, strong: { thinking: "high" } },
        },
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.capabilities.get("cheap-code")?.value.fallback).toEqual([]);
    expect(registry.capabilities.get("strong-code")?.value.fallback).toEqual(["cheap"]);
    expect(registry.bindings.get("cheap")?.value).toMatchObject({ provider: "p3", model: "small" });
    expect(registry.bindings.get("strong")?.value).toMatchObject({
      model: "big",
      thinking: "high",
      contextWindow: 200_000,
    });
  });

  test("every key says its layer, file and line", async () => {
    const layers = layersOf({
      shipped,
      user: { "models.local.yaml": "backends:\n  cheap:\n    provider: p1\n\n    model: small\n" },
    });

    const registry = await loadRegistry({ layers, modelFlags: ["strong=p2/big:high"] });

    const file = join(layers[1]?.folder ?? "", "models.local.yaml");
    const { origins } = registry;
    expect(origins.get("bindings.cheap.model")).toEqual({
      value: "small",
      layer: "user",
      file,
      line: 5,
    });
    expect(origins.get("bindings.strong.thinking")).toEqual({ value: "high", layer: "flags" });
    expect(origins.get("capabilities.cheap-code.fallback")).toMatchObject({ layer: "shipped" });
    expect(registry.bindings.get("cheap")).toMatchObject({ layer: "user", file, line: 2 });
  });

  test("two loads of the same files are the same, and no file is written", async () => {
    const layers = layersOf({ shipped, user: { "models.local.json": { backends: {} } } });

    const [one, other] = [await loadRegistry({ layers }), await loadRegistry({ layers })];

    expect(one).toEqual(other);
    const file = join(layers[1]?.folder ?? "", "models.local.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ backends: {} });
  });

  test("a project layer is checked and reported, and nothing of it is used", async () => {
    const registry = await registryOf({
      shipped,
      project: {
        "routing.yaml":
          "capabilities:\n  cheap-code:\n    primary: nope\nbackends:\n  cheap:\n    model: evil\n",
        "models.yaml": { backends: { strong: { provider: "evil", model: "evil" } } },
      },
    });

    expect(registry.capabilities.get("cheap-code")?.value.primary).toBe("cheap");
    expect(registry.bindings.size).toBe(0);
    expect(problemLines(registry)).toEqual([
      "warning routing.yaml:6:5 backends.cheap.model",
      "warning models.yaml:1:1",
      "warning routing.yaml:3:5 capabilities.cheap-code.primary",
    ]);
    expect(registry.sources.filter(({ used }) => !used).map(({ kind }) => kind)).toEqual([
      "registry",
      "bindings",
    ]);
  });

  test("a folder that is not there is an empty layer", async () => {
    const registry = await loadRegistry({
      layers: [{ layer: "user", folder: "/nowhere/at/all" }],
    });

    expect(registry).toMatchObject({ problems: [], sources: [] });
  });
});
