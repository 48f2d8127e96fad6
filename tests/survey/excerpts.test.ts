import { describe, expect, test } from "vitest";
import { folderWith, survey } from "./support.ts";

const long = (marks: Readonly<Record<number, string>>): string =>
  Array.from(
    { length: 400 },
    (_, index) => marks[index + 1] ?? `const filler${index + 1} = 0;`,
  ).join("\n");

describe("excerpts", () => {
  test("a small file is shown whole, LF line ends", async () => {
    const { excerpts } = await survey(
      folderWith({ "add.js": "const a = 1;\r\nadd(a);\r\n" }),
      "add",
    );

    expect(excerpts).toEqual([
      { path: "add.js", startLine: 1, endLine: 2, text: "const a = 1;\nadd(a);" },
    ]);
  });

  test("of a long file the lines around the hits, with their numbers", async () => {
    const text = long({ 100: "function saveProject() {}", 300: "saveProject();" });

    const { excerpts } = await survey(folderWith({ "a.js": text }), "saveProject crashes");

    expect(excerpts.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [94, 106],
      [294, 306],
    ]);
    const lines = text.split("\n");
    for (const { startLine, endLine, text: shown } of excerpts) {
      expect(shown).toBe(lines.slice(startLine - 1, endLine).join("\n"));
    }
  });

  test("lines of a stack frame are shown although they share no word", async () => {
    const { excerpts } = await survey(folderWith({ "a.js": long({}) }), "crash", "at a.js:250:3");

    expect(excerpts).toMatchObject([{ startLine: 244, endLine: 256 }]);
  });

  test("all together stay within the bound", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`add${index}.js`, "add();\n".repeat(100)]),
    );

    const { excerpts } = await survey(folderWith(files), "add", undefined, {
      maxExcerptChars: 5_000,
    });
    const chars = excerpts.reduce((sum, { text }) => sum + text.length, 0);

    expect(chars).toBeLessThanOrEqual(5_000);
    expect(chars).toBeGreaterThan(3_000);
  });

  test("a line of great length is cut", async () => {
    const { excerpts } = await survey(
      folderWith({ "a.txt": `add ${"word ".repeat(300)}\nend\n` }),
      "add",
    );

    expect(excerpts[0]?.text.length).toBeLessThan(420);
  });
});

describe("what must not leave the machine", () => {
  test("secret files are not read, not even tracked ones, and said to be left out", async () => {
    const root = folderWith({
      ".env": "API_KEY=sk-EXAMPLE-add",
      "deploy.pem": "add",
      ".env.example": "API_KEY=add",
      "a.js": "add",
    });

    const result = await survey(root, "add the API_KEY of .env");

    expect(JSON.stringify(result)).not.toContain("sk-EXAMPLE");
    expect(result.files).toEqual([".env.example", "a.js"]);
    expect(result.leftOut).toEqual([
      { path: ".env", reason: "secret file" },
      { path: "deploy.pem", reason: "secret file" },
    ]);
  });

  test("credential-shaped values of ordinary files are masked", async () => {
    const root = folderWith({
      "config.js": "export const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'; // add\n",
      "AGENTS.md": "Use ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
    });

    const { excerpts, rules } = await survey(root, "add");

    expect(excerpts.map(({ text }) => text).join()).toContain("[redacted]");
    expect(rules[0]?.text).toBe("Use [redacted]");
    expect(JSON.stringify({ excerpts, rules })).not.toContain("ghp_");
  });
});
