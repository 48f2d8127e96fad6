import { expect, test } from "vitest";
import { parse } from "yaml";
import { proposeBindings } from "../../src/cli/propose-bindings.ts";
import { bindingsYaml } from "../../src/cli/views/binding-proposal.ts";
import type { AdapterModel } from "../../src/contracts/index.ts";

/** `provider/model`, with a price for input and output where given. */
function model(
  name: string,
  price?: readonly [number, number],
  contextWindow = 200_000,
): AdapterModel {
  const slash = name.indexOf("/");
  const [input = 0, output = 0] = price ?? [];
  return {
    provider: name.slice(0, slash),
    model: name.slice(slash + 1),
    contextWindow,
    ...(price && { price: { input, output } }),
  };
}

test.each<[string, readonly AdapterModel[], Readonly<Record<string, string>>]>([
  ["nothing for no models", [], {}],
  ["one model for both sides", [model("a/one")], { cheap: "one", strong: "one" }],
  [
    "small and large by the words of their names",
    [model("a/x-pro"), model("a/x"), model("a/x-mini")],
    { cheap: "x-mini", strong: "x-pro" },
  ],
  [
    "by price where names say nothing",
    [model("a/dear", [3, 15]), model("a/fair", [1, 2]), model("a/middle", [2, 8])],
    { cheap: "fair", strong: "dear" },
  ],
  ["the newer of two alike", [model("a/x-10"), model("a/x-9")], { cheap: "x-9", strong: "x-10" }],
  [
    "the last resort from another provider",
    [model("a/x-mini"), model("b/y"), model("a/x-pro")],
    { cheap: "x-mini", strong: "x-pro", deep: "y" },
  ],
  [
    "a model of this machine beside the others",
    [model("ollama/qwen:32b"), model("a/x-mini"), model("a/x")],
    { local: "qwen:32b", cheap: "x-mini", strong: "x" },
  ],
  [
    "models of this machine alone",
    [model("ollama/small"), model("ollama/large")],
    { local: "small", cheap: "small", strong: "large" },
  ],
  [
    "no model without room",
    [model("a/x", undefined, 8000), model("a/y")],
    { cheap: "y", strong: "y" },
  ],
])("proposes %s", (_title, models, expected) => {
  const proposed = proposeBindings(models).map(({ backend, model }) => [backend, model.model]);

  expect(Object.fromEntries(proposed)).toEqual(expected);
});

test("a word counts only as a word", () => {
  const [cheap] = proposeBindings([model("a/gemini-3"), model("a/x-mini")]);

  expect(cheap?.model.model).toBe("x-mini");
});

test("the proposal is YAML that binds the models, with the rest to choose from", () => {
  const models = [model("a/x-mini", [0.25, 2]), model("a/x-pro"), model("b/7b:free"), model("a/x")];

  const yaml = bindingsYaml(proposeBindings(models), models, "/c/models.local.yaml", "pi 1.6.0");

  expect(parse(yaml)).toEqual({
    version: 1,
    backends: {
      cheap: { provider: "a", model: "x-mini" },
      strong: { provider: "a", model: "x-pro" },
      deep: { provider: "b", model: "7b:free" },
    },
  });
  expect(yaml).toContain(
    "  # the smallest by name and price (window 200,000; $0.25 in, $2 out per million tokens)\n",
  );
  expect(yaml).toContain("# Also to choose from:\n#   a/x (window 200,000)\n");
});
