import { describe, expect, test } from "vitest";
import { agentsOf, agentText, names, problemLines } from "./support.ts";

describe("the agents of a folder", () => {
  test("are its Markdown files with frontmatter; README and other files are none", async () => {
    const loaded = await agentsOf({
      user: {
        "real.md": `${agentText("real")}\n---\n\nname: other\n\nMore text after a rule.\n`,
        "README.md": "# About this folder\n",
        "readme.MD": "x",
        "notes.txt": "x",
        "sample.md": "# Panel\n\n```yaml\n---\nname: fake\ncapability: cheap-code\n---\n```\n",
        "deeper/inner.md": agentText("inner"),
      },
    });

    expect(names(loaded)).toEqual(["real"]);
    expect(loaded.agents[0]?.body).toContain("---\n\nname: other\n\nMore text after a rule.");
    expect(problemLines(loaded)).toEqual(["warning sample.md:1:1"]);
  });

  test("are whole: every part of the file reaches the agent", async () => {
    const loaded = await agentsOf({
      user: {
        "full.md": agentText(
          "full",
          "access: { filesystem: write, shell: limited, git: read, network: true }",
          "execution: { preferred_mode: pipeline }",
          "tools: read, grep",
          "ladder: code",
          "colour: blue",
        ),
      },
    });

    expect(loaded.agents).toEqual([
      {
        name: "full",
        description: "Does one thing.",
        capability: "cheap-code",
        access: { filesystem: "write", shell: "limited", git: "read", network: true },
        execution: "pipeline",
        tools: ["read", "grep"],
        ladder: "code",
        other: { colour: "blue" },
        body: "You are the agent.",
        layer: "user",
        file: expect.stringMatching(/user\/agents\/full\.md$/),
        available: true,
      },
    ]);
    expect(problemLines(loaded)).toEqual(["warning full.md:9:1 colour"]);
  });

  test("may touch nothing unless they say so", async () => {
    const { agents } = await agentsOf({ user: { "plain.md": agentText("plain") } });

    expect(agents[0]).toMatchObject({
      access: { filesystem: "none", shell: "none", git: "none", network: false },
      execution: "oneshot",
      tools: [],
    });
  });

  test("of a later layer take the place of those before, by name", async () => {
    const loaded = await agentsOf({
      shipped: { "coder.md": agentText("coder"), "scout.md": agentText("scout") },
      user: { "coder.md": agentText("coder", "execution: subagent") },
    });

    expect(loaded.agents.map(({ name, layer }) => [name, layer])).toEqual([
      ["coder", "user"],
      ["scout", "shipped"],
    ]);
  });

  test("of the project are checked, reported and not used", async () => {
    const loaded = await agentsOf({
      shipped: { "coder.md": agentText("coder") },
      project: { "coder.md": agentText("coder", "model: evil"), "mine.md": agentText("mine") },
    });

    expect(loaded.agents.map(({ name, layer }) => [name, layer])).toEqual([["coder", "shipped"]]);
    expect(problemLines(loaded)).toEqual(["warning coder.md:5:1 model"]);
    expect(loaded.sources.map(({ layer, used }) => [layer, used])).toEqual([
      ["shipped", true],
      ["project", false],
      ["project", false],
    ]);
  });
});
