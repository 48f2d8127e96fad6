import { expect, test } from "vitest";
import { parse } from "yaml";
import { bindingsText } from "../../../src/cli/setup/bindings-text.ts";
import type { FoundModel } from "../../../src/cli/setup/find-models.ts";
import { currentModels, isChatModel } from "../../../src/cli/setup/model-names.ts";
import { proposeBindings } from "../../../src/cli/setup/propose-bindings.ts";
import type { CapabilityEntry, Registry } from "../../../src/contracts/index.ts";

type Part = Pick<Registry, "backends" | "capabilities" | "ladders">;

/** A registry of these backends; the first capability of the ladder asks `scouts`. */
function registryOf(backends: readonly string[], scouts = "cheap"): Part {
  const entry: CapabilityEntry = { primary: scouts, fallback: [], requires: {} };
  return {
    backends: new Map(backends.map((name) => [name, { value: {}, layer: "shipped" }])),
    capabilities: new Map([["cheap-code", { value: entry, layer: "shipped" }]]),
    ladders: new Map([["code", { value: ["cheap-code", "strong-code"], layer: "shipped" }]]),
  };
}

const shipped = registryOf(["local", "cheap", "strong", "deep"]);

/** `provider/model`, with a price for input and output where given. */
function model(
  name: string,
  price?: readonly [number, number],
  more: Partial<FoundModel> = {},
): FoundModel {
  const slash = name.indexOf("/");
  const [input = 0, output = 0] = price ?? [];
  return {
    adapter: "pi",
    provider: name.slice(0, slash),
    model: name.slice(slash + 1),
    contextWindow: 200_000,
    isLocal: false,
    ...(price && { price: { input, output } }),
    ...more,
  };
}

const here = { isLocal: true };

test.each<[string, readonly FoundModel[], Readonly<Record<string, string>>]>([
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
  [
    "the newer of two alike alone",
    [model("a/x-10"), model("a/x-9")],
    { cheap: "x-10", strong: "x-10" },
  ],
  [
    "the last resort from another provider",
    [model("a/x-mini"), model("b/y"), model("a/x-pro")],
    { cheap: "x-mini", strong: "x-pro", deep: "y" },
  ],
  [
    "a luxury as the last resort, and nothing above it",
    [model("a/s", [1, 5]), model("a/m", [4, 20]), model("a/l", [8, 40]), model("a/xl", [30, 180])],
    { cheap: "s", strong: "m", deep: "l" },
  ],
  [
    "nothing that is too small to read code",
    [model("a/t", [0.01, 0.04]), model("a/s", [0.1, 0.5]), model("a/m", [2, 10])],
    { cheap: "s", strong: "m" },
  ],
  [
    "what reasons before what does not",
    [model("a/old-pro", [10, 20]), model("a/new", [2, 10], { reasoning: true })],
    { cheap: "new", strong: "new" },
  ],
  [
    "a provider's own model before a resold one",
    [model("a/x", [2, 10]), model("r/a/x", [1, 5])],
    { cheap: "x", strong: "x" },
  ],
  [
    "a model of this machine beside the others",
    [model("ollama/qwen:32b", undefined, here), model("a/x-mini"), model("a/x")],
    { local: "qwen:32b", cheap: "x-mini", strong: "x" },
  ],
  [
    "models of this machine alone, by their size",
    [model("o/q:8b", undefined, here), model("o/q:32b", undefined, here)],
    { local: "q:32b", cheap: "q:8b", strong: "q:32b" },
  ],
  [
    "no model without room",
    [model("a/x", undefined, { contextWindow: 8000 }), model("a/y")],
    { cheap: "y", strong: "y" },
  ],
  [
    "none of another trade",
    [model("a/text-embedding-3"), model("a/whisper-1"), model("a/y")],
    { cheap: "y", strong: "y" },
  ],
])("proposes %s", (_title, models, expected) => {
  const proposed = proposeBindings(models, shipped).map((each) => [each.backend, each.model.model]);

  expect(Object.fromEntries(proposed)).toEqual(expected);
});

test("a backend of the user's own gets what its place in the ladder asks for", () => {
  const models = [model("a/s", [0.1, 0.5]), model("a/m", [2, 10])];

  const proposed = proposeBindings(models, registryOf(["scout-team", "work"], "scout-team"));

  expect(proposed.map(({ backend, model: { model: id } }) => [backend, id])).toEqual([
    ["scout-team", "s"],
    ["work", "m"],
  ]);
});

test("a word counts only as a word", () => {
  const [cheap] = proposeBindings([model("a/gemini-3"), model("a/x-mini")], shipped);

  expect(cheap?.model.model).toBe("x-mini");
  expect(["searchlight", "clipper-7b", "auto-coder"].filter(isChatModel)).toHaveLength(3);
});

test.each<[readonly string[], readonly string[]]>([
  [
    ["gpt-5-mini", "gpt-5.4-mini", "gpt-5.4"],
    ["gpt-5.4-mini", "gpt-5.4"],
  ],
  [["claude-opus-4-5", "claude-opus-4-5-20251101", "claude-opus-4-8"], ["claude-opus-4-8"]],
  [["gemini-3.1-flash-lite", "gemini-3.1-flash-lite-preview"], ["gemini-3.1-flash-lite"]],
  [
    ["o3", "o1", "o3-mini"],
    ["o3", "o3-mini"],
  ],
  [
    ["qwen3:8b", "qwen3:32b", "qwen2.5:32b"],
    ["qwen3:8b", "qwen3:32b"],
  ],
  [["gpt-4o-2024-05-13", "gpt-4o-2024-11-20"], ["gpt-4o-2024-05-13"]],
])("of %j the current ones are %j", (models, expected) => {
  const current = currentModels(models.map((id) => ({ provider: "a", model: id })));

  expect(current.map(({ model: id }) => id)).toEqual(expected);
});

test("the proposal is YAML that binds the models, with the rest to choose from", () => {
  const models = [
    model("a/x-mini", [0.25, 2], { vision: true }),
    model("a/x-pro", [2, 10], { reasoning: true }),
    model("b/7b:free"),
    model("ollama/q", undefined, {
      ...here,
      adapter: "openai",
      baseUrl: "http://127.0.0.1:11434/v1",
    }),
  ];
  const [mini, pro, , q] = models;
  const proposed = [
    { backend: "local", model: q as FoundModel, because: "the one there is" },
    { backend: "cheap", model: mini as FoundModel, because: "the smallest" },
    { backend: "strong", model: pro as FoundModel, because: "the largest" },
  ];

  const yaml = bindingsText(proposed, models, "pi 1.6.0, ollama");

  expect(parse(yaml)).toEqual({
    version: 1,
    backends: {
      local: {
        adapter: "openai",
        provider: "ollama",
        model: "q",
        base_url: "http://127.0.0.1:11434/v1",
        context_window: 200_000,
      },
      cheap: {
        provider: "a",
        model: "x-mini",
        context_window: 200_000,
        price: { input: 0.25, output: 2 },
      },
      strong: {
        provider: "a",
        model: "x-pro",
        context_window: 200_000,
        price: { input: 2, output: 10 },
      },
    },
  });
  expect(yaml).toContain(
    "  # the smallest (window 200,000; $0.25 in, $2 out per million tokens; sees images)\n",
  );
  expect(yaml).toContain(
    "# Also to choose from:\n#   b/7b:free (window 200,000; no price known)\n",
  );
});
