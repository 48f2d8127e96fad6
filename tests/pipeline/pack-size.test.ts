import { describe, expect, test } from "vitest";
import { measurePack } from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { estimateTokens } from "../../src/lib/text.ts";
import { fitToBudget, sizeWithFiles } from "../../src/pipeline/pack-size.ts";
import { repository } from "../support/repository.ts";
import { mathPack } from "./support.ts";

const line = "export const one = 1; // a line like many others\n";
const excerpt = "const shown = true; // as it stands\n";

/** A pack of one file, with a long excerpt, a decision and a reason. */
function packOf(path: string): ContextPack {
  return {
    ...mathPack,
    relevantFiles: [{ path, reason: "holds add" }],
    relevantSnippets: [{ path, content: excerpt.repeat(20) }],
    decisions: [{ choice: "no overflow check", because: "doubles do not overflow" }],
  };
}

describe("the budget of a pack", () => {
  test("holds the contents of its files: excerpts go where both are too much", () => {
    const lines = Math.floor(5_800 / (estimateTokens(line.repeat(100)) / 100));
    const root = repository({ "src/math.js": line.repeat(lines) });
    const pack = packOf("src/math.js");

    const fitted = fitToBudget(root, pack);

    expect(measurePack(pack)).toBeLessThan(1_000);
    expect(sizeWithFiles(root, pack)).toBeGreaterThan(6_000);
    expect(fitted.report).toEqual(["snippet of src/math.js left out"]);
    expect(sizeWithFiles(root, fitted.pack)).toBeLessThanOrEqual(6_000);
    expect(fitted.pack.relevantFiles).toEqual(pack.relevantFiles);
  });

  test("is not paid for with decisions and reasons where the files alone are too much", () => {
    const root = repository({ "src/math.js": line.repeat(1_500) });
    const pack = packOf("src/math.js");

    const { pack: fitted, report } = fitToBudget(root, pack);

    const { relevantSnippets: _, ...rest } = pack;
    expect(fitted).toEqual(rest);
    expect(report[0]).toBe("snippet of src/math.js left out: the file is shown whole");
    expect(report.at(-1)).toMatch(
      /^about \d+ tokens with the contents of 1 file\(s\), over the budget of 6000: files are never cut$/,
    );
  });

  test("leaves a pack alone that fits with its files", () => {
    const root = repository({ "src/math.js": line });
    const pack = packOf("src/math.js");

    expect(fitToBudget(root, pack)).toEqual({ pack, report: [] });
  });

  test("counts nothing for files that do not exist yet or are not shown", () => {
    const root = repository({ ".env": "TOKEN=abc\n".repeat(3_000) });
    const pack = {
      ...mathPack,
      relevantFiles: [{ path: ".env" }, { path: "src/new.js", create: true as const }],
    };

    expect(sizeWithFiles(root, pack)).toBe(measurePack(pack));
  });
});
