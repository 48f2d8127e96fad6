import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, survey } from "./support.ts";

describe("the repository's rules", () => {
  test("those of the root and those nearest to the ranked files", async () => {
    const root = folderWith({
      "AGENTS.md": "Root rules.\r\n",
      "CLAUDE.md": "not read: AGENTS.md stands beside it",
      "packages/a/CLAUDE.md": "Rules of a.",
      "packages/a/src/save.js": "save();",
      "packages/b/AGENTS.md": "Rules of b.",
      "packages/b/src/other.js": "x",
      ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x/${index}.js`, "y"])),
    });

    const { rules } = await survey(root, "save");

    expect(rules).toEqual([
      { path: "AGENTS.md", text: "Root rules." },
      { path: "packages/a/CLAUDE.md", text: "Rules of a." },
    ]);
  });

  test("in a monorepo: of the package that the task is about, the nearest first", async () => {
    const root = folderWith({
      "packages/billing/AGENTS.md": "Rules of billing.",
      "packages/billing/src/tax/AGENTS.md": "Rules of tax.",
      "packages/billing/src/tax/rate.js": "export const rate = 1;\n",
      "packages/shop/AGENTS.md": "Rules of the shop.",
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`packages/shop/src/page${index}.js`, "x"]),
      ),
    });

    const { rules } = await survey(root, "The rate of the tax is wrong");

    expect(rules[0]).toEqual({ path: "packages/billing/src/tax/AGENTS.md", text: "Rules of tax." });
    expect(rules.map(({ path }) => path)).not.toContain("packages/shop/AGENTS.md");
  });

  test("are bounded, their start and end kept", async () => {
    const root = folderWith({ "AGENTS.md": `FIRST\n${"rule\n".repeat(5_000)}LAST`, "a.js": "" });

    const { rules } = await survey(root, "task", undefined, { maxRuleFileChars: 500 });

    expect(rules[0]?.text.length).toBeLessThanOrEqual(500);
    expect(rules[0]?.text).toMatch(/^FIRST[\s\S]*LAST$/);
  });

  test("are not read through a link, nor when empty", async () => {
    const root = folderWith({ "docs/rules.md": "x", "sub/AGENTS.md": "\n", "sub/save.js": "save" });
    symlinkSync("docs/rules.md", join(root, "AGENTS.md"));

    expect((await survey(root, "save")).rules).toEqual([]);
  });
});
