import { describe, expect, test } from "vitest";
import { didYouMean, nearestName } from "../../src/lib/nearest-name.ts";

const known = ["cheap", "strong", "deep", "context_window", "cheap-code"];

describe("the name that was meant", () => {
  test.for([
    ["stong", "strong"],
    ["strnog", "strong"],
    ["STRONG", "strong"],
    ["chaep", "cheap"],
    ["contxt_windw", "context_window"],
    ["cheep", "cheap"],
    ["dep", "deep"],
    ["cheap-cod", "cheap-code"],
  ])("for %s is %s", ([typed = "", meant = ""]) => {
    expect(nearestName(typed, known)).toBe(meant);
  });

  test.for(["", "nope", "weak", "de", "window", "strengthen"])("for %j is nobody's", (typed) => {
    expect(nearestName(typed, known)).toBeUndefined();
    expect(didYouMean(typed, known)).toBe("");
  });

  test("is said as the end of a sentence", () => {
    expect(didYouMean("stong", known)).toBe('; did you mean "strong"?');
  });
});
