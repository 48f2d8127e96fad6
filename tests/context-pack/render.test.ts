import { describe, expect, test } from "vitest";
import {
  fromVersion1,
  packToJson,
  renderJson,
  renderPack,
  toVersion1,
} from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { pack } from "./support.ts";

const section = (own: Partial<ContextPack>, name: string): string =>
  renderPack(pack(own)).split(`## ${name}\n`)[1]?.split("\n\n## ")[0]?.trimEnd() ?? "";

describe("canonical bytes", () => {
  test.each<[string, Partial<ContextPack>, string, string]>([
    ["a heading in a text is escaped", { goal: "a\n## b" }, "goal", "a\n\\## b"],
    ["a bullet in a text is not", { goal: "a\n- b\n# c\n### d" }, "goal", "a\n- b\n# c\n### d"],
    [
      "a heading inside a closed fence is not",
      { goal: "```\n## b\n```" },
      "goal",
      "```\n## b\n```",
    ],
    ["a fence that nothing closes is", { goal: "a\n```\nb" }, "goal", "a\n\\```\nb"],
    [
      "a backslash is doubled only where one would be dropped",
      { goal: "\\# a\n\\n b\nC:\\\\c" },
      "goal",
      "\\\\# a\n\\n b\nC:\\\\c",
    ],
    [
      "further lines of an item are indented, an empty one too",
      { constraints: [{ text: "a\n\nb" }] },
      "constraints",
      "- a\n  \n  b",
    ],
    [
      "a bullet on a further line is escaped",
      { constraints: [{ text: "a\n- b" }] },
      "constraints",
      "- a\n  \\- b",
    ],
    [
      "a bullet that starts an item is not",
      { constraints: [{ text: "- a" }] },
      "constraints",
      "- - a",
    ],
    [
      "a path with backticks stands in a longer run",
      { relevantFiles: [{ path: "a`b" }] },
      "relevant_files",
      "- ``a`b``",
    ],
    [
      "a reason that starts with (new)",
      { relevantFiles: [{ path: "a", reason: "(new) x" }] },
      "relevant_files",
      "- `a` — \\(new) x",
    ],
    [
      "a dash after (new)",
      { relevantFiles: [{ path: "a", create: true, reason: "- r" }] },
      "relevant_files",
      "- `a` — (new) \\- r",
    ],
    [
      "a colon after (new)",
      { relevantFiles: [{ path: "a", create: true, reason: ": r" }] },
      "relevant_files",
      "- `a` — (new) — : r",
    ],
    [
      "a command with backticks gets one pair more",
      { testCommands: ["echo `date`"] },
      "test_commands",
      "- `echo `date``",
    ],
    [
      "an error stands in a fence longer than any run inside",
      { observedErrors: ["a ```` b"] },
      "observed_errors",
      "`````\na ```` b\n`````",
    ],
    [
      "line breaks at the end of an error are kept",
      { observedErrors: ["a\r\n\n"] },
      "observed_errors",
      "```\na\r\n\n\n```",
    ],
    [
      "a note goes on in the next line",
      { discovery: { status: "partial", note: "a\n## b" } },
      "discovery",
      "partial — a\n\\## b",
    ],
    [
      "typed constraints",
      {
        constraints: [
          { kind: "must_not", text: "a" },
          { kind: "blocked_by", text: "b" },
        ],
      },
      "constraints",
      "- MUST NOT: a\n- BLOCKED BY: b",
    ],
  ])("%s", (_title, own, name, wanted) => {
    expect(section(own, name)).toBe(wanted);
  });

  test("a discovery that found everything says nothing", () => {
    expect(renderPack(pack({ discovery: { status: "found" } }))).not.toContain("discovery");
  });

  test("the version is the one asked for, else the one read, else the one that is needed", () => {
    const scoped = pack({ scope: ["src"] });

    expect(renderPack(scoped)).toMatch(/## version\n2\n$/);
    expect(renderPack(scoped, 1)).toContain("## constraints\n- src\n");
    expect(renderPack(pack())).not.toContain("## version");
    expect(renderPack(pack({ version: 2 }))).toMatch(/## version\n2\n$/);
  });

  test("an invalid pack is refused before anything is written", () => {
    expect(() => renderJson({ task: "t" })).toThrow(
      "invalid pack: goal, constraints, relevant_files, expected_output missing",
    );
    expect(() => renderPack(pack({ relevantFiles: [{ path: "/etc/passwd" }] }))).toThrow(
      /relevant_files\[0\]\.path: must be relative/,
    );
  });
});

describe("version 1 as a codec", () => {
  test("a version 1 pack comes out as it went in", () => {
    const json = {
      task: "t",
      goal: "g",
      constraints: ["MUST: a", "MUST:  b", "c"],
      relevant_files: [
        { path: "a", lines: "1-2" },
        { path: "a", lines: "5-9" },
      ],
      expected_output: "e",
      budget: { max_tokens: 500 },
      version: 1 as const,
    };

    expect(toVersion1(fromVersion1(json))).toEqual({ json, dropped: [] });
  });

  test("every field of version 2 finds its place", () => {
    const whole = pack({
      version: 2,
      constraints: [{ kind: "must", text: "a" }],
      relevantFiles: [{ path: "a", reason: "r", lines: ["1-2", "5-9"] }],
      scope: ["src only"],
      decisions: [{ choice: "A", because: "B", source: "C" }],
      successCriteria: [{ text: "works", check: "npm test" }],
      filesTouched: [{ path: "b", note: "half done" }],
      progress: ["half way"],
      parent: "planner",
      contextItems: [
        { id: "1", kind: "knowledge", authority: "policy", summary: "rule", source: "x" },
        { id: "2", kind: "evidence", authority: "evidence", summary: "seen", source: "y" },
      ],
      completeness: "partial",
      warnings: ["w"],
      tokenEstimate: 12,
      budget: { profile: "handoff" },
    });

    expect(toVersion1(whole).json).toEqual({
      task: "Fix add()",
      goal: "add(2, 3) returns 5.\n\nDone when:\n- works (check: npm test)",
      constraints: ["MUST: a", "src only"],
      discovery: {
        status: "found",
        note: "completeness: partial\nwarning: w\nestimated tokens: 12",
      },
      relevant_files: [
        { path: "a", reason: "r", lines: "1-2" },
        { path: "a", reason: "r", lines: "5-9" },
      ],
      repo_rules: ["A — because B (C)", "rule (x)"],
      observed_errors: ["seen (y)"],
      previous_attempts: [
        { summary: "b: half done", outcome: "in progress" },
        { summary: "half way", outcome: "in progress" },
      ],
      expected_output: "File blocks.",
      produced_by: "planner",
      budget: { max_tokens: 2_000 },
    });
  });

  test("a finding of lower authority never becomes a rule", () => {
    const item = { id: "1", kind: "skill", summary: "s", source: "x" };
    const authorities = ["hypothesis", "evidence", "unheard-of"];

    for (const authority of authorities) {
      const { json } = toVersion1(pack({ contextItems: [{ ...item, authority }] }));
      expect([json.repo_rules, json.observed_errors]).toEqual([undefined, ["s (x)"]]);
    }
  });

  test("a parent that finds no place is told", () => {
    const { json, dropped } = toVersion1(pack({ parent: "planner", producedBy: "scout" }));

    expect(json.produced_by).toBe("scout");
    expect(dropped).toEqual([expect.stringContaining('parent "planner"')]);
  });

  test("JSON leaves out what says nothing", () => {
    expect(packToJson(pack({ repoRules: [], discovery: { status: "found" } }))).toEqual({
      task: "Fix add()",
      goal: "add(2, 3) returns 5.",
      constraints: [],
      relevant_files: [{ path: "src/math.js" }],
      expected_output: "File blocks.",
    });
  });
});
