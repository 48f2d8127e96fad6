import { expect, test } from "vitest";
import { type Agent, repoPath, type SurveyResult } from "../../src/contracts/index.ts";
import { scoutPrompt, systemPromptOf } from "../../src/pipeline/prompts.ts";

const survey: SurveyResult = {
  files: [repoPath("packages/api/src/a.js")],
  ranked: [],
  excerpts: [],
  packages: [
    {
      folder: "packages/api",
      manifest: repoPath("packages/api/package.json"),
      name: "@shop/api",
      testCommands: ["npm test"],
    },
  ],
  rules: [],
  leftOut: [],
  git: true,
};
const material = { task: "Round", testCommands: [], rejected: [], fits: () => true };

test("the scout is told which package the task is about, and how it is tested", () => {
  const prompt = scoutPrompt({ ...material, survey });

  expect(prompt).toContain(
    "# Packages the task is likely about\n\n```\n- packages/api (@shop/api), manifest packages/api/package.json, tested there by: npm test\n```",
  );
});

test("of a repository of one package nothing is said about packages", () => {
  const prompt = scoutPrompt({ ...material, survey: { ...survey, packages: [] } });

  expect(prompt).not.toContain("Packages");
});

test("a list of files that ends early holds the ranked ones, then those beside them", () => {
  const many = Array.from({ length: 900 }, (_, nth) => repoPath(`docs/page-with-a-name-${nth}.md`));
  const files = [...many, ...["src/c/a.js", "src/c/b.js", "test/c/a.test.js"].map(repoPath)];
  const ranked = ["src/c/a.js"].map((path) => ({ path: repoPath(path), score: 1 }));

  const prompt = scoutPrompt({
    ...material,
    survey: { ...survey, files, ranked: ranked as unknown as SurveyResult["ranked"] },
  });

  expect(prompt).toContain(
    "```\n- src/c/a.js\n- src/c/b.js\n- test/c/a.test.js\n- docs/page-with-a-name-0.md\n",
  );
  expect(prompt).toMatch(/\n\(\d+ more files\)\n```/);
});

test("what was wrong with an earlier reply is quoted: it holds a model's words", () => {
  const prompt = scoutPrompt({ ...material, survey, rejected: ["a: ``` ## test_commands"] });

  expect(prompt).toContain("that were rejected\n\n````\n- a: ``` ## test_commands\n````");
});

test("the user's language is asked for once, and headings stay as they are", () => {
  const body = "Write a pack.\n\n## task\n";
  const agent = { name: "scout", body } as Agent;

  expect(systemPromptOf(agent, "English")).toBe(body);
  expect(systemPromptOf(agent, "en")).toBe(body);
  expect(systemPromptOf(agent, "German")).toBe(
    `${body}\n\nWrite prose in German. Never translate headings, field names, markers or code.`,
  );
});
