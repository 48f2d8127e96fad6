import { describe, expect, test } from "vitest";
import { classifyTask, loadRegistry, loadTaskRules } from "../../../src/routing/index.ts";
import { globPattern } from "../../../src/routing/classify/globs.ts";
import { layersOf, problemLines, shipped, type LayerFiles } from "../support.ts";

/** The rules of such files, and what they make of a task. */
async function rulesOf(files: LayerFiles) {
  const layers = layersOf({
    ...files,
    shipped: { ...shipped, ...files.shipped },
  });
  const loaded = await loadTaskRules({ layers, registry: await loadRegistry({ layers }) });
  const decide = (task: string, packFiles: readonly string[] = []) =>
    classifyTask(loaded.rules, { task, packFiles });
  return { ...loaded, decide };
}

/** One user rule with these conditions, asked of a task. */
async function holds(conditions: object, task: string, packFiles: readonly string[] = []) {
  const rules = { it: { ...conditions, capability: "cheap-code" } };
  const { decide } = await rulesOf({ user: { "classify.yaml": { rules } } });
  return decide(task, packFiles) !== undefined;
}

describe("conditions", () => {
  test.each<[boolean, object, string]>([
    [true, { keywords: ["auth"] }, "Fix AUTH."],
    [false, { keywords: ["auth"] }, "Name the author"],
    [true, { keywords: ["rate limit"] }, "the rate\n limit is wrong"],
    [true, { keywords: ["c++"] }, "Port it to C++ soon"],
    [true, { keywords: ["修正"] }, "ログイン画面を修正してください"],
    [false, { keywords: ["größe"] }, "Die Größenangabe fehlt"],
    [true, { globs: ["**/*.md"] }, "A typo in `docs/a/b.md`, line 3"],
    [true, { globs: ["docs/**"] }, "See ./docs/a/b.md:12:3."],
    [false, { globs: ["docs/**"] }, "See https://example.com/docs/a.md"],
    [true, { globs: ["*.css"] }, "src/ui/main.css is too wide"],
    [true, { images: true }, "The button in shot.PNG overlaps"],
    [true, { images: true }, "As in https://x.example/a/shot.webp?size=2"],
    [false, { images: true }, "Save pictures as png"],
    [true, { images: false }, "Save pictures as png"],
    [true, { words: { max: 3 } }, "  fix the   typo "],
    [false, { words: { min: 4 } }, "fix the typo"],
    [true, { files: { min: 2 } }, "a.ts and b.ts differ"],
    [false, { files: { max: 0 } }, "a.ts differs"],
    [false, { keywords: ["typo"], words: { max: 2 } }, "there is a typo"],
    [false, {}, "anything"],
  ])("%s: %j for %j", async (wanted, conditions, task) => {
    expect(await holds(conditions, task)).toBe(wanted);
  });

  test("paths of the user's pack count like those of the task", async () => {
    expect(await holds({ globs: ["**/*.sql"] }, "make it faster", ["db/users.sql"])).toBe(true);
  });
});

test.each([
  ["**/*.md", "a.md", true],
  ["**/*.md", "a/b/c.md", true],
  ["*.{ts,tsx}", "src/a.tsx", true],
  ["src/*.ts", "src/a/b.ts", false],
  ["src/[!a]*.ts", "src/b.ts", true],
  ["src/[!a]*.ts", "src/a.ts", false],
  ["a?c", "abc", true],
  ["a.c", "abc", false],
  ["{a", "a", true],
  ["[]", "[]", true],
])("the glob %s and the path %s: %s", (glob, path, fits) => {
  expect(globPattern(glob).test(path)).toBe(fits);
});

describe("layers", () => {
  const rule = (capability: string, ...keywords: string[]): object => ({ keywords, capability });

  test("a user's rules come before the shipped ones, in the order they are written", async () => {
    const { decide } = await rulesOf({
      shipped: { "routing/classify.yaml": { rules: { s: rule("strong-code", "typo") } } },
      user: {
        "classify.yaml":
          "rules:\n  a: {keywords: [typo], capability: cheap-code}\n  b: {keywords: [typo], capability: strong-code}\n",
      },
    });

    expect(decide("a typo")).toMatchObject({
      capability: "cheap-code",
      because: ['the task says "typo"'],
      rule: { layer: "user", line: 2, file: expect.stringMatching(/classify\.yaml$/) },
    });
  });

  test("a rule of the same name is merged key by key, null takes it away", async () => {
    const base = {
      "routing/classify.yaml": {
        rules: { one: rule("strong-code", "typo"), two: rule("strong-code", "crash") },
      },
    };
    const { decide } = await rulesOf({
      shipped: base,
      user: { "classify.yaml": { rules: { one: { capability: "cheap-code" }, two: null } } },
    });

    expect(decide("a typo")?.capability).toBe("cheap-code");
    expect(decide("a crash")).toBeUndefined();
  });

  test("rules of a repository that is not trusted are checked and not used", async () => {
    const { decide, problems, sources } = await rulesOf({
      project: { "classify.yaml": { rules: { p: rule("cheap-cod", "typo"), q: { wrds: 1 } } } },
    });

    expect(decide("a typo")).toBeUndefined();
    expect(problems.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(sources.at(-1)).toMatchObject({ kind: "classify", layer: "project", used: false });
  });

  test("a rule for a capability that this machine disables is passed over", async () => {
    const { decide, problems } = await rulesOf({
      user: {
        "routing.yaml": { capabilities: { "cheap-code": null } },
        "classify.yaml": {
          rules: { a: rule("cheap-code", "typo"), b: rule("strong-code", "typo") },
        },
      },
    });

    expect(problems).toEqual([]);
    expect(decide("a typo")?.capability).toBe("strong-code");
  });
});

test("what is wrong in a rule is said with its place, and the rule is left out", async () => {
  const { problems, decide } = await rulesOf({
    user: {
      "classify.yaml":
        "rules:\n  a: {keywords: [typo], capability: cheap-cod}\n  b: {keywords: [typo]}\n  c: {capability: cheap-code}\n  d: {keyword: [typo], capability: cheap-code}\n",
    },
  });

  expect(problemLines({ problems })).toEqual([
    "warning classify.yaml:5:7 rules.d.keyword",
    "error classify.yaml:2:25 rules.a.capability",
    "error classify.yaml:3:3 rules.b",
    "warning classify.yaml:4:3 rules.c",
    "warning classify.yaml:5:3 rules.d",
  ]);
  expect(decide("a typo")).toBeUndefined();
});

test("two files of one layer are an error", async () => {
  const { problems } = await rulesOf({ user: { "classify.yaml": {}, "classify.json": {} } });

  expect(problems[0]?.message).toMatch(/keep one of them/);
});
