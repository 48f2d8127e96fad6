import { describe, expect, test } from "vitest";
import { parseYaml } from "../../src/lib/yaml.ts";
import { explainSyntax } from "../../src/lib/yaml-explained.ts";

function explained(text: string): ReturnType<typeof explainSyntax> {
  return explainSyntax(parseYaml(text, "a.yaml").problems, text);
}

describe("a syntax error of YAML", () => {
  test.for([
    ["a: 1\na: 2\n", 2, 'the key "a" stands here a second time'],
    ['{"a": 1,\n "a": 2}', 2, 'the key "a" stands here a second time'],
    ["a: x\n  b: y\n", 2, "is indented deeper than the key above it, which has a value already"],
    ["a: x: y\n", 1, "a second colon stands on this line: put the value in quotes"],
    ["a: [1\nb: 2\n", 2, ""],
  ] as const)("in %j is said of line %d in words of people", ([text, line, message]) => {
    const found = explained(text);

    expect(found?.place.line).toBe(line);
    expect(found?.message).toContain(message);
  });

  test("is one, however many follow from it", () => {
    expect(explained("hint: [title] [what happened]\nb: 1\n")).toMatchObject({
      place: { line: 1 },
      value: "hint: [title] [what happened]",
    });
  });

  test.for([
    "apiKey: hunter2: x\n",
    'models: {"token": "hunter2"} }\n',
    "note: sk-ant-REDACTED-fixture-0000: x\n",
  ])("does not show the line %j, which holds a secret", (text) => {
    const found = explained(text);

    expect(found).toBeDefined();
    expect(JSON.stringify(found)).not.toMatch(/hunter2|sk-ant-REDACTED/);
  });

  test("is nothing where there is none", () => {
    expect(explained("a: 1\n")).toBeUndefined();
  });
});
