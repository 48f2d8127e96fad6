import fc from "fast-check";
import { expect } from "vitest";
import { renderPack } from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { estimateTokens } from "../../src/lib/text.ts";
import { coderPrompt } from "../../src/pipeline/prompts.ts";
import { fitPrompt } from "../../src/pipeline/window.ts";
import { hostileVersion2 } from "../context-pack/hostile.ts";

/** The coder's prompt with these files. */
export const promptOf = (files: readonly string[]) => (pack: ContextPack) =>
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

/** No generated pack makes a prompt over its room, or loses what may never be pruned. */
export function neverOverItsRoom(numRuns: number): void {
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
}
