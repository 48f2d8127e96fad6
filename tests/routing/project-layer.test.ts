import { expect, test } from "vitest";
import type { LayerFolder, Registry } from "../../src/contracts/index.ts";
import { loadRegistry } from "../../src/routing/index.ts";
import { layersOf } from "./support.ts";

const lower = {
  user: {
    "routing.local.yaml":
      "backends: { a: {}, b: {} }\ncapabilities: { code: { primary: a, fallback: [b] }, review: { primary: b } }\n",
    "models.local.yaml":
      "backends: { a: { provider: p, model: m }, b: { provider: q, model: n } }\n",
  },
};

/** The registry of a machine with a trusted project. */
function registryOf(files: Record<string, string>): Promise<Registry> {
  const layers = layersOf(lower).map((layer): LayerFolder =>
    layer.layer === "project"
      ? {
          ...layer,
          trusted: true,
          files: new Map(
            Object.entries(files).map(([name, text]) => [
              name,
              { kind: "bytes", bytes: Buffer.from(text) },
            ]),
          ),
        }
      : layer,
  );
  return loadRegistry({ layers });
}

test("a trusted project says which backends serve a capability", async () => {
  const registry = await registryOf({ "routing.yaml": "capabilities: { code: { primary: b } }\n" });

  expect(registry.capabilities.get("code")).toMatchObject({
    layer: "project",
    value: { primary: "b", fallback: ["b"] },
  });
  expect(registry.problems).toEqual([]);
  expect(registry.sources.find(({ layer }) => layer === "project")?.used).toBe(true);
});

test("it binds no model and sets neither price nor pool, and each is said with its line", async () => {
  const registry = await registryOf({
    "routing.yaml":
      "backends:\n  a:\n    provider: evil\n    model: x\n    price: { input: 0, output: 0 }\n    quota_pool: none\n",
    "models.yaml": "backends: { a: { provider: evil, model: x } }\n",
  });

  expect(registry.bindings.get("a")?.value).toMatchObject({ provider: "p", quotaPool: "p" });
  expect(registry.problems.every(({ severity }) => severity === "warning")).toBe(true);
  const refused = registry.problems.filter(({ message }) => message.includes("may not bind"));
  expect(refused.map(({ place }) => place.line)).toEqual([3, 4, 5, 6, 1]);
  const models = registry.sources.find(
    ({ file }) => file.endsWith("models.yaml") && file.includes("project"),
  );
  expect(models?.used).toBe(false);
});

test("it disables nothing: a step without its capability would be switched off", async () => {
  const registry = await registryOf({
    "routing.yaml": "capabilities:\n  review: null\nbackends:\n  b: null\n",
  });

  expect(registry.disabled.size).toBe(0);
  expect(registry.bindings.has("b")).toBe(true);
  expect(registry.problems.map(({ severity, key, place }) => [severity, key, place.line])).toEqual([
    ["warning", "backends.b", 4],
    ["warning", "capabilities.review", 2],
  ]);
});

test("what is wrong in it is an error, as in a file of the user's", async () => {
  const registry = await registryOf({ "routing.yaml": "capabilities: { code: { primary: 7 } }\n" });

  expect(registry.problems).toContainEqual(
    expect.objectContaining({ severity: "error", key: "capabilities.code.primary" }),
  );
});

test("a credential in it is an error too, and is not shown", async () => {
  const registry = await registryOf({
    "routing.yaml": "backends: { a: { api_key: sk-123456789 } }\n",
  });

  expect(registry.problems).toMatchObject([{ severity: "error", key: "backends.a.api_key" }]);
  expect(JSON.stringify(registry.problems)).not.toContain("123456789");
});
