import { describe, expect, test } from "vitest";
import { kindOf, kinds } from "../../src/survey/signals/kinds.ts";

describe("what a kind of file is worth", () => {
  test.each(kinds.flatMap((kind) => kind.examples.map((path) => [path, kind.factor] as const)))(
    "%s: %s",
    (path, factor) => {
      expect(kindOf(path).factor).toBe(factor);
    },
  );

  test.each(["src/a.ts", "src/latest.py", "src/contest/a.go", "lib/attest.rb", "src/changes/a.ts"])(
    "%s is a source",
    (path) => {
      expect(kindOf(path).factor).toBe(1);
    },
  );
});
