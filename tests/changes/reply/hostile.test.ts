import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../src/changes/index.ts";
import { readCanonical } from "../../../src/changes/reply/canonical.ts";
import { readLoose } from "../../../src/changes/reply/loose.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { replyScope } from "../support/scope.ts";

const scope = replyScope({ files: ["src/a.js", "README.md"] });

/** Texts that make a reader look ahead again and again, each repeated over and over. */
const units: Readonly<Record<string, string>> = {
  "fences that never close": "```js\n",
  "bare fences": "```\n",
  "long fences with short ones inside": "````js\n```\n",
  "captions without an end": "src/a.js\n```js\n",
  "Markdown files": "README.md\n```md\nx\n```\n",
  "labelled files of marks":
    "FILE: README.md\n````md\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
  "searches without an end": "<<<<<<< SEARCH\n",
  "searches with dividers": "src/a.js\n<<<<<<< SEARCH\n=======\n",
  "hunks without a file": "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
  "canonical headers": "=== FILE: src/a.js ===\n",
  "canonical ends": "=== END ===\n",
  "diff headers": "diff --git a/src/a.js b/src/a.js\n",
  "diff fences": "```diff\n--- src/a.js\n+++ src/a.js\n",
  "hunk headers": "@@ -1 +1 @@\n\n",
  "patch openings": "*** Begin Patch\n",
  "reasoning that never ends": "<think>\n",
  "ends of reasoning": "</think>\n",
  "tags for fences": "<source>\n",
  "blank lines": "\n",
};

/** Lines of a text that count how often one of them is looked at. */
function countedLines(text: string): { lines: readonly string[]; reads: () => number } {
  let reads = 0;
  const lines = new Proxy(text.split("\n"), {
    get(target, key, receiver): unknown {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { lines, reads: () => reads };
}

describe("a hostile reply", () => {
  it.each(Object.entries(units))("of %s is read in steps that grow with its length", (_, unit) => {
    const readsPerLine = [500, 4_000].map((count) => {
      const { lines, reads } = countedLines(unit.repeat(count));
      if (readCanonical(lines, scope) === undefined) readLoose(lines, scope);
      return reads() / lines.length;
    });

    expect(Math.max(...readsPerLine)).toBeLessThan(80);
  });

  it.each([
    ["stars", "*".repeat(200_000)],
    ["equals signs", "=".repeat(200_000)],
    ["backticks", "`".repeat(200_000)],
    ["blanks", `src/a.js${" ".repeat(200_000)}x`],
    ["a marker without an end", `=== FILE: ${"= ".repeat(100_000)}`],
    ["arrows", `=== RENAME: ${"a -> ".repeat(50_000)} ===`],
    ["a comment", `\`\`\`js\n// ${"a ".repeat(100_000)}\n\`\`\``],
    ["an attribute", `\`\`\`js title="${"a".repeat(200_000)}\nx\n\`\`\``],
    ["a sentence", `${"`a ".repeat(60_000)}:\n\`\`\`\nx\n\`\`\``],
  ])("of one long line of %s is read at once", (_, line) => {
    expect(parseReply(`${line}\n`.repeat(5), scope).ok).toBe(false);
  });

  it("with more dividers than anyone means is refused", () => {
    const reply = `src/a.js\n<<<<<<< SEARCH\n${"=======\n".repeat(5_000)}>>>>>>> REPLACE\n`;

    expect(parseReply(reply, scope)).toMatchObject({ ok: false, failure: { kind: "format" } });
  });

  it("of any mixture of marks is read to an end and names only paths of the pack", () => {
    const pieces = [
      ...Object.values(units).flatMap((unit) => unit.split("\n")),
      "*** Update File: src/a.js",
      "*** Add File: src/z.js",
      "*** End Patch",
      "=== EDIT: src/a.js === t1",
      "=== END === t1",
      "=== RENAME: src/a.js -> README.md ===",
      "@@",
      "+x",
      "-y",
      " z",
      "--- a/src/a.js",
      "+++ /dev/null",
      "rename from src/a.js",
      "rename to README.md",
      "// src/a.js",
      "FILE: src/a.js",
      "text",
      "</source>",
      "~~~",
      ">>>>>>> REPLACE",
      "=======",
    ];
    const replies = fc.array(fc.constantFrom(...pieces), { maxLength: 30 });

    fc.assert(
      fc.property(replies, (lines) => {
        const parsed = parseReply(lines.join("\n"), scope);
        const changes = parsed.ok ? parsed.changeSet.changes : parsed.readable;
        return changes.every((change) => scope.paths.has(change.path));
      }),
      { numRuns: propertyRuns(0.25) },
    );
  });
});
