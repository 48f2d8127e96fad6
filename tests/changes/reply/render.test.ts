import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply, renderReply } from "../../../src/changes/index.ts";
import { repoPath, type Change } from "../../../src/contracts/index.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { replyScope } from "../support/scope.ts";

const paths = [
  "src/a.js",
  "README.md",
  "a -> b/c.txt",
  "docs/my file (1).md",
  "=== x ===",
  "`q`.js",
];
const targets = ["new/one.js", "new/two -> three.md"];

/** Lines that mean something to a reader of replies, and lines that do not. */
const line = fc.oneof(
  fc.constantFrom(
    "=== FILE: src/a.js ===",
    "=== FILE: src/a.js === k3f9",
    "=== END ===",
    "=== END === k3f9",
    "=== END === k3f9-1",
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "<<<<<<< SEARCH k3f9",
    "======= k3f9",
    ">>>>>>> REPLACE k3f9",
    "```",
    "```js",
    "````md",
    "~~~",
    "<think>",
    "</think>",
    "*** Begin Patch",
    "--- a/src/a.js",
    "+++ b/src/a.js",
    "@@ -1 +1 @@",
    "src/a.js",
    "",
    "   ",
  ),
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, "")),
);
const content = fc
  .array(line, { maxLength: 8 })
  .map((lines) => lines.map((text) => `${text}\n`).join(""));
const hunk = fc.record({ search: content, replace: content });

const change = (path: string, to: string): fc.Arbitrary<Change> =>
  fc.oneof(
    content.map((text): Change => ({
      kind: "write",
      path: repoPath(path),
      content: text,
      line: 0,
    })),
    fc
      .uniqueArray(hunk, { minLength: 1, maxLength: 3, selector: (h) => JSON.stringify(h) })
      .map((hunks): Change => ({
        kind: "edit",
        path: repoPath(path),
        hunks: hunks.map((h) => ({ ...h, line: 0 })),
        line: 0,
      })),
    hunk.map((h): Change => ({
      kind: "edit",
      path: repoPath(path),
      hunks: [{ ...h, line: 0 }],
      line: 0,
      renameTo: repoPath(to),
    })),
    fc.constant<Change>({ kind: "delete", path: repoPath(path), line: 0 }),
    fc.constant<Change>({ kind: "rename", path: repoPath(path), to: repoPath(to), line: 0 }),
  );
const changes = fc
  .shuffledSubarray(paths, { minLength: 1, maxLength: 3 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((path, index) => change(path, targets[index % 2] ?? path))),
  );

/** Without line numbers, which the rendered text decides. */
function bare(list: readonly Change[]): unknown {
  return list.map((item) =>
    item.kind === "edit"
      ? { ...item, line: 0, hunks: item.hunks.map((h) => ({ ...h, line: 0 })) }
      : { ...item, line: 0 },
  );
}

describe("a rendered reply", () => {
  it("is read back as the same changes, whatever their contents hold", () => {
    const scope = replyScope({ files: paths, create: targets, tag: "k3f9" });

    fc.assert(
      fc.property(changes, (list) => {
        const parsed = parseReply(renderReply(list, "k3f9"), scope);
        expect(parsed.ok ? bare(parsed.changeSet.changes) : parsed).toEqual(bare(list));
      }),
      { numRuns: propertyRuns(0.35) },
    );
  });

  it("bears the tag it was given where the contents allow", () => {
    const write = { kind: "write", path: repoPath("a.js"), content: "x\n", line: 1 } as const;

    expect(renderReply([write], "k3f9")).toBe("=== FILE: a.js === k3f9\nx\n=== END === k3f9\n");
  });
});
