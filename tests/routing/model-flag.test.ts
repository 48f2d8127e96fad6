import { describe, expect, test } from "vitest";
import { parseModelFlag } from "../../src/routing/index.ts";

describe("the value of --model", () => {
  test.for([
    ["strong=p1/big", "p1", "big", undefined],
    ["strong=p1/big:high", "p1", "big", "high"],
    ["strong=p1/big:off", "p1", "big", "off"],
    // An id may hold a colon: only a known level is a level.
    ["strong=p1/model:32b", "p1", "model:32b", undefined],
    ["strong=p1/model:32b:low", "p1", "model:32b", "low"],
    ["strong=p1/big:HIGH", "p1", "big:HIGH", undefined],
    ["strong=p1/big-highspeed", "p1", "big-highspeed", undefined],
    ["strong=p1/big:", "p1", "big:", undefined],
    ["strong=p1/:high", "p1", ":high", undefined],
    // An id may hold a slash: the first one ends the provider.
    ["strong=hub/vendor/model-2:low", "hub", "vendor/model-2", "low"],
    ["strong=openrouter/openrouter/auto", "openrouter", "openrouter/auto", undefined],
    ["strong=p1/a=b", "p1", "a=b", undefined],
    [" strong = p1/big ", "p1", "big", undefined],
  ] as const)("%s is provider %s, model %s, thinking %s", ([text, provider, model, thinking]) => {
    const flag = parseModelFlag(text);

    expect(flag).toEqual({
      backend: "strong",
      provider,
      model,
      ...(thinking === undefined ? {} : { thinking }),
    });
  });

  test.for([
    "",
    "strong",
    "strong=",
    "strong=fast",
    "=p1/big",
    "strong=/big",
    "strong=p1/",
    "p1/big",
  ])("%j is refused and completed by nobody", (text) => {
    expect(() => parseModelFlag(text)).toThrow(
      expect.objectContaining({ kind: "usage", next: expect.stringContaining("PROVIDER/ID") }),
    );
  });
});
