import { describe, expect, test } from "vitest";
import type { Binding } from "../../src/contracts/index.ts";
import { registryOf, shipped } from "./support.ts";

describe("a binding", () => {
  test("is read with every key it may have", async () => {
    const registry = await registryOf({
      shipped,
      user: {
        "models.local.yaml": {
          backends: {
            cheap: {
              adapter: "pi",
              provider: "p1",
              model: "vendor/small:32b",
              thinking: "off",
              vision: true,
              context_window: 128_000,
              price: { input: 0.5, output: 2, cache_read: 0.05, cache_write: 0.6 },
              quota_pool: "team",
              edit_format: "whole",
              whole_file_lines: 0,
              extensions: true,
              note: "n",
            },
          },
        },
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.bindings.get("cheap")?.value).toEqual({
      adapter: "pi",
      provider: "p1",
      model: "vendor/small:32b",
      thinking: "off",
      vision: true,
      contextWindow: 128_000,
      price: { input: 0.5, output: 2, cacheRead: 0.05, cacheWrite: 0.6 },
      quotaPool: "team",
      editFormat: "whole",
      wholeFileLines: 0,
      extensions: true,
      note: "n",
    } satisfies Binding);
  });

  test("has defaults, and unknown stays absent", async () => {
    const registry = await registryOf({
      shipped,
      user: {
        "models.local.yaml": {
          backends: { cheap: { provider: "p1", model: "m", price: { input: 1 } } },
        },
      },
    });

    expect(registry.bindings.get("cheap")?.value).toEqual({
      adapter: "pi",
      provider: "p1",
      model: "m",
      quotaPool: "p1",
      editFormat: "auto",
      extensions: false,
    });
  });
});

describe("--model", () => {
  const bound = {
    shipped,
    user: {
      "models.local.yaml": {
        backends: {
          strong: {
            provider: "p1",
            model: "big",
            thinking: "high",
            context_window: 1000,
            price: { input: 1, output: 2 },
            quota_pool: "team",
            extensions: true,
          },
        },
      },
    },
  };

  test("puts another model into a slot without the facts about the model before", async () => {
    const registry = await registryOf(bound, "strong=p2/vendor/new");

    expect(registry.bindings.get("strong")).toEqual({
      layer: "flags",
      value: {
        adapter: "pi",
        provider: "p2",
        model: "vendor/new",
        thinking: "high",
        quotaPool: "p2",
        editFormat: "auto",
        extensions: false,
      },
    });
  });

  test("keeps the account's facts when only the model changes", async () => {
    const registry = await registryOf(bound, "strong=p1/new:low");

    const binding = registry.bindings.get("strong")?.value;
    expect(binding).toMatchObject({ thinking: "low", quotaPool: "team", extensions: true });
    expect(binding).not.toHaveProperty("price");
  });

  test("keeps everything when it names the same model", async () => {
    const registry = await registryOf(bound, "strong=p1/big:max");

    expect(registry.bindings.get("strong")?.value).toMatchObject({
      thinking: "max",
      contextWindow: 1000,
      price: { input: 1, output: 2 },
    });
  });

  test("binds a slot that was empty, and the last one of a backend wins", async () => {
    const registry = await registryOf({ shipped }, "cheap=p1/a", "cheap=p1/b");

    expect(registry.bindings.get("cheap")?.value.model).toBe("b");
    expect(registry.unbound.get("cheap")).toBeUndefined();
  });

  test("refuses a backend that no layer defines", async () => {
    await expect(registryOf({ shipped }, "strnog=p1/a")).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining('did you mean "strong"?'),
      next: "Use one of: cheap, strong",
    });
  });
});
