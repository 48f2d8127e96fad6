import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classifyTask, loadRegistry, loadTaskRules } from "../../src/routing/index.ts";
import { layersOf } from "./support.ts";

test("the shipped registry is sound, has every capability the agents name, and binds nothing", async () => {
  const root = join(import.meta.dirname, "..", "..");

  const registry = await loadRegistry({ layers: [{ layer: "shipped", folder: root }] });

  expect(registry.problems).toEqual([]);
  expect([...registry.capabilities.keys()]).toEqual([
    "cheap-code",
    "strong-code",
    "deep-review",
    "vision-reasoning",
  ]);
  expect([...registry.unbound.values()]).toEqual([
    "placeholder",
    "placeholder",
    "placeholder",
    "placeholder",
  ]);
});

test("the example of bindings loads without a word", async () => {
  const root = join(import.meta.dirname, "..", "..");
  const example = readFileSync(join(root, "adapters/pi/models.local.example.yaml"), "utf8");
  const layers = layersOf({ user: { "models.local.yaml": example } });

  const registry = await loadRegistry({ layers: [{ layer: "shipped", folder: root }, ...layers] });

  expect(registry.problems).toEqual([]);
  expect([...registry.bindings.keys()].sort()).toEqual(["cheap", "deep", "local", "strong"]);
});

test("the shipped rules are sound, and leave a task without a picture to the agent", async () => {
  const layers = [{ layer: "shipped", folder: join(import.meta.dirname, "..", "..") }] as const;

  const { rules, problems } = await loadTaskRules({
    layers,
    registry: await loadRegistry({ layers }),
  });
  const decide = (task: string) => classifyTask(rules, { task, packFiles: [] })?.capability;

  expect(problems).toEqual([]);
  expect(decide("Saving an empty project crashes")).toBeUndefined();
  expect(decide("The button overlaps, see shot.png")).toBe("vision-reasoning");
});
