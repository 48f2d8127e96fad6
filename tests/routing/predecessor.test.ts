import { describe, expect, test } from "vitest";
import { resolveRoute } from "../../src/routing/index.ts";
import { registryOf, shipped } from "./support.ts";

describe("files of the predecessor", () => {
  const oldRouting = {
    version: 1,
    backends: {
      small: {
        description: "Reads",
        tier: 1,
        capability_class: "light",
        cost_class: "low",
        roles: ["scout"],
        vision: false,
      },
      big: { description: "Writes", tier: 3, roles: ["coder"], vision: true },
    },
    capabilities: {
      "cheap-code": { description: "Reading", primary: "small", fallback: ["big"] },
      looking: { description: "Images", primary: "big", fallback: [], requires: { vision: true } },
    },
    escalation: { description: "Upwards", ladders: { code: ["cheap-code", "looking"] } },
  };
  const oldModels = {
    version: 1,
    backends: {
      small: { provider: "p1", model: "s", thinking: "low", vision: false, note: "mine" },
      big: { provider: "p1", model: "vendor/b:32b", thinking: "high", vision: true, note: "" },
    },
  };

  test.for([
    ["routing.json", "models.json"],
    ["routing.local.json", "models.local.json"],
    ["routing.yaml", "models.yaml"],
    ["routing.local.yaml", "models.local.yml"],
  ])("%s and %s load unchanged", async ([routingFile = "", modelsFile = ""]) => {
    const registry = await registryOf({
      user: { [routingFile]: oldRouting, [modelsFile]: oldModels },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.ladders.get("code")?.value).toEqual(["cheap-code", "looking"]);
    expect(registry.backends.get("small")?.value).toMatchObject({ tier: 1, roles: ["scout"] });
    const [first, second] = resolveRoute(registry, "cheap-code").candidates;
    expect([first?.binding.model, second?.binding.model]).toEqual(["s", "vendor/b:32b"]);
  });

  test("the base file lies under the local one of the same format", async () => {
    const registry = await registryOf({
      user: {
        "routing.json": oldRouting,
        "models.json": oldModels,
        "models.local.json": { version: 1, backends: { small: { model: "other" } } },
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.bindings.get("small")?.value).toMatchObject({
      model: "other",
      thinking: "low",
    });
  });

  test("JSON may be indented with tabs", async () => {
    const registry = await registryOf({
      user: {
        "routing.json": oldRouting,
        "models.json": JSON.stringify(oldModels, null, "\t"),
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.bindings.size).toBe(2);
  });

  test.for([
    { files: ["models.json", "models.local.yaml"], kind: "bindings" },
    { files: ["routing.local.json", "routing.local.yaml"], kind: "registry" },
    { files: ["routing.local.yml", "routing.local.yaml"], kind: "registry" },
  ])("$files beside each other are an error, not a merge", async ({ files, kind }) => {
    const contents = Object.fromEntries(files.map((file) => [file, { version: 1 }]));

    const { problems } = await registryOf({ shipped, user: contents });

    expect(problems).toEqual([
      expect.objectContaining({
        severity: "error",
        message: `${files.join(" and ")} both hold the ${kind} of the user layer and are not merged: keep one of them`,
      }),
    ]);
  });

  test("old JSON of one kind goes with new YAML of the other", async () => {
    const registry = await registryOf({
      user: { "routing.local.yaml": oldRouting, "models.json": oldModels },
    });

    expect(registry.problems).toEqual([]);
  });
});
