import { describe, expect, test } from "vitest";
import { agentsOf, agentText, heads, problemLines } from "./support.ts";

describe("a value with an unquoted colon", () => {
  test.for([
    ["description: Looks at a diff: answers pass or fail", "Looks at a diff: answers pass or fail"],
    ["description: One: two: three", "One: two: three"],
    ["description: Ends with a colon:", "Ends with a colon:"],
    ["description: it's: mine # a remark", "it's: mine"],
    ["description: 'quoted: already'", "quoted: already"],
    ["description: see http://x:80/y", "see http://x:80/y"],
  ])("%s is the text behind the first colon", async ([line = "", text = ""]) => {
    const loaded = await agentsOf({
      user: heads({ r: `name: r\n${line}\ncapability: cheap-code` }),
    });

    expect(loaded.agents[0]).toMatchObject({ description: text, capability: "cheap-code" });
    const asked = /: .*: |:$/.test(line) && !line.includes("'quoted");
    expect(problemLines(loaded)).toEqual(asked ? ["warning r.md:3:14 description"] : []);
  });

  test("inside a block of text is none of our business", async () => {
    const loaded = await agentsOf({
      user: heads({ r: "name: r\ndescription: |\n  one: two: three\ncapability: cheap-code" }),
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.agents[0]?.description).toBe("one: two: three");
  });

  test("is not shown where it is a credential", async () => {
    const loaded = await agentsOf({
      user: {
        "r.md": agentText("r", "token: hunter2: x", "note: sk-ant-REDACTED-fixture-0000: x"),
      },
    });

    expect(loaded.problems.length).toBeGreaterThan(1);
    expect(JSON.stringify(loaded)).not.toMatch(/hunter2|sk-ant-REDACTED/);
  });

  test("may stand on very many lines without taking long", async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line${index}: a: b`);

    const loaded = await agentsOf({ user: { "r.md": agentText("r", ...lines) } });

    expect(loaded.agents[0]?.other).toMatchObject({ line0: "a: b", line1999: "a: b" });
  });
});
