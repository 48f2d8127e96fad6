import { describe, expect, test } from "vitest";
import { mergeSection, type SectionLayer } from "../../src/routing/merge.ts";

function layer(name: "shipped" | "user" | "flags", entries: Record<string, unknown>): SectionLayer {
  return {
    layer: name,
    file: `${name}.yaml`,
    entries,
    lineOf: (path) => path.length,
    problem: (severity, path, message) => ({
      severity,
      place: { file: `${name}.yaml` },
      key: path.join("."),
      message,
    }),
  };
}

function valuesOf(...layers: SectionLayer[]): unknown {
  return Object.fromEntries([...mergeSection(layers)].map(([name, entry]) => [name, entry.value]));
}

describe("merging a section over its layers", () => {
  type Entries = Record<string, unknown>;
  test.for<{ rule: string; lower: Entries; upper: Entries; merged: Entries }>([
    {
      rule: "a later layer changes single keys and leaves the others",
      lower: { a: { x: 1, y: 2 } },
      upper: { a: { y: 3 } },
      merged: { a: { x: 1, y: 3 } },
    },
    {
      rule: "maps inside maps merge too",
      lower: { a: { price: { input: 1, output: 2 } } },
      upper: { a: { price: { output: 4 } } },
      merged: { a: { price: { input: 1, output: 4 } } },
    },
    {
      rule: "lists are replaced whole",
      lower: { a: { fallback: ["b", "c"] } },
      upper: { a: { fallback: ["d"] } },
      merged: { a: { fallback: ["d"] } },
    },
    {
      rule: "an empty list replaces as well",
      lower: { a: { fallback: ["b"] } },
      upper: { a: { fallback: [] } },
      merged: { a: { fallback: [] } },
    },
    {
      rule: "null takes a key away",
      lower: { a: { x: 1, y: 2 } },
      upper: { a: { x: null } },
      merged: { a: { y: 2 } },
    },
    {
      rule: "null disables an entry and leaves the others",
      lower: { a: { x: 1 }, b: { x: 1 } },
      upper: { a: null },
      merged: { a: null, b: { x: 1 } },
    },
    {
      rule: "a new entry is added behind",
      lower: { a: {} },
      upper: { b: { x: 1 } },
      merged: { a: {}, b: { x: 1 } },
    },
    {
      rule: "names of every object are names like any other",
      lower: {},
      upper: { toString: { x: 1 }, constructor: { x: 2 } },
      merged: { toString: { x: 1 }, constructor: { x: 2 } },
    },
  ])("$rule", ({ lower, upper, merged }) => {
    expect(valuesOf(layer("shipped", lower), layer("user", upper))).toEqual(merged);
  });

  test("what a layer disabled starts anew in a later one", () => {
    const merged = valuesOf(
      layer("shipped", { a: { x: 1 } }),
      layer("user", { a: null }),
      layer("flags", { a: { y: 2 } }),
    );

    expect(merged).toEqual({ a: { y: 2 } });
  });

  test("each key remembers the layer that gave it", () => {
    const merged = mergeSection([
      layer("shipped", { a: { x: 1, price: { input: 1 }, gone: 1 } }),
      layer("user", { a: { price: { output: 2 }, gone: null } }),
    ]);

    const origins = [...(merged.get("a")?.keys ?? [])].map(([key, { from }]) => [key, from.layer]);
    expect(origins).toEqual([
      ["x", "shipped"],
      ["price.input", "shipped"],
      ["price.output", "user"],
      ["gone", "user"],
    ]);
    expect(merged.get("a")?.origin.from.layer).toBe("user");
  });

  test("merging twice gives the same and changes no input", () => {
    const layers = [layer("shipped", { a: { x: [1] } }), layer("user", { a: { y: 2 } })];
    const before = JSON.stringify(layers);

    expect(valuesOf(...layers)).toEqual(valuesOf(...layers));
    expect(JSON.stringify(layers)).toBe(before);
  });
});
