import { describe, expect, test } from "vitest";
import type { ContextPack } from "../../src/contracts/index.ts";
import { estimateTokens } from "../../src/lib/text.ts";
import { fitPrompt, promptRoom } from "../../src/pipeline/window.ts";
import { candidate, mathPack } from "./support.ts";
import { neverOverItsRoom, promptOf } from "./window-property.ts";

/** Generated packs in `npm test`; `KIT_PROPERTY_RUNS` asks for more. */
const numRuns = Number(process.env["KIT_PROPERTY_RUNS"] ?? "") || 2_000;

describe("a prompt fitted to a window", () => {
  test("is never over its room, keeps what may not be pruned, or says that it does not fit", () => {
    neverOverItsRoom(numRuns);
  });

  test("loses the longest snippet before a reason, and says so", () => {
    const pack: ContextPack = {
      ...mathPack,
      relevantFiles: [{ path: "src/math.js", reason: "holds add" }],
      relevantSnippets: [{ path: "src/math.js", content: "const one = 1;\n".repeat(40) }],
    };
    const promptWith = promptOf([]);

    const { cuts, fits, prompt } = fitPrompt(
      pack,
      estimateTokens(promptWith(pack)) - 10,
      promptWith,
    );

    expect({ cuts, fits }).toEqual({ cuts: ["snippet of src/math.js left out"], fits: true });
    expect(prompt).toContain("holds add");
  });
});

describe("the room of a prompt", () => {
  test.each([
    [undefined, Number.POSITIVE_INFINITY],
    [200_000, 192_000],
    [16_000, 12_000],
  ])("in a window of %s leaves place for a reply: %s", (contextWindow, room) => {
    const asked = candidate("p/model", contextWindow === undefined ? {} : { contextWindow });

    expect(promptRoom(asked, "")).toBe(room);
    expect(promptRoom(asked, "You are the coder.")).toBe(
      room - estimateTokens("You are the coder."),
    );
  });
});
