import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderPack } from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { estimateTokens } from "../../src/lib/text.ts";
import { coderPrompt } from "../../src/pipeline/prompts.ts";
import { fitPrompt, promptRoom } from "../../src/pipeline/window.ts";
import { hostileVersion2 } from "../context-pack/hostile.ts";
import { candidate, mathPack } from "./support.ts";

/** Generated packs in `npm test`; `KIT_PROPERTY_RUNS` asks for more. */
const numRuns = Number(process.env["KIT_PROPERTY_RUNS"] ?? "") || 2_000;

const promptOf = (files: readonly string[]) => (pack: ContextPack) =>
  coderPrompt({
    instructions: "# How to answer\n\nWith blocks.",
    files: files.map((content, index) => ({ path: `src/file${index}.js`, content })),
    notShown: [],
    pack: renderPack(pack),
  });

/** What may never be pruned. */
const kept = ({
  task,
  goal,
  constraints,
  successCriteria,
  previousAttempts,
  testCommands,
  relevantFiles,
}: ContextPack): unknown => ({
  task,
  goal,
  constraints,
  successCriteria,
  previousAttempts,
  testCommands,
  relevantFiles: relevantFiles.map(({ path }) => path),
});

describe("a prompt fitted to a window", () => {
  test("is never over its room, keeps what may not be pruned, or says that it does not fit", () => {
    fc.assert(
      fc.property(
        hostileVersion2,
        fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 3 }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        (pack, files, share) => {
          const promptWith = promptOf(files);
          const whole = promptWith(pack);
          const room = Math.round(estimateTokens(whole) * share);
          let last = pack;

          const fitted = fitPrompt(pack, room, (part) => {
            last = part;
            return promptWith(part);
          });

          expect(estimateTokens(fitted.prompt) <= room).toBe(fitted.fits);
          expect(kept(last)).toEqual(kept(pack));
          if (share >= 1) expect(fitted).toEqual({ prompt: whole, cuts: [], fits: true });
        },
      ),
      { numRuns },
    );
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
