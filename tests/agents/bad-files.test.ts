import { describe, expect, test } from "vitest";
import { findAgent } from "../../src/agents/index.ts";
import { agentsOf, agentText, problemLines } from "./support.ts";

describe("a bad file", () => {
  const sound = "description: d\ncapability: cheap-code";
  const body = "---\n\nBody.\n";

  test.for([
    {
      fault: "an indent under a key that has its value",
      text: `---\n name: x\n   description: indented by mistake\n capability: cheap-code\n${body}`,
      line: "error x.md:3:4",
      says: "indented deeper",
    },
    {
      fault: "the same key twice",
      text: `---\nname: x\n${sound}\ncapability: strong-code\n${body}`,
      line: "error x.md:5:1 capability",
      says: "a second time",
    },
    {
      fault: "brackets in free text",
      text: `---\nname: x\ndescription: d\nargument-hint: [title] [what happened]\n${body}`,
      line: "error x.md:4:24",
      says: "",
    },
    {
      fault: "a tab for an indent",
      text: `---\nname: x\naccess:\n\tgit: read\n${body}`,
      line: "error x.md:4:1",
      says: "Tabs",
    },
    {
      fault: "frontmatter without an end",
      text: `---\nname: x\n${sound}\n\nBody.\n`,
      line: "error x.md:1:1",
      says: "missing frontmatter end",
    },
    {
      fault: "another name than the file",
      text: `---\nname: y\n${sound}\n${body}`,
      line: "error x.md:2:1 name",
      says: "must equal the file name, x",
    },
    {
      fault: "no name",
      text: `---\n${sound}\n${body}`,
      line: "error x.md:2:1 name",
      says: "needs a name",
    },
    {
      fault: "an empty description",
      text: `---\nname: x\ndescription: ''\ncapability: cheap-code\n${body}`,
      line: "error x.md:3:1 description",
      says: "needs a description",
    },
    {
      fault: "a model",
      text: `---\nname: x\n${sound}\nmodel: p1/big\n${body}`,
      line: "error x.md:5:1 model",
      says: "never a model",
    },
    {
      fault: "a provider, left empty",
      text: `---\nname: x\n${sound}\nprovider:\n${body}`,
      line: "error x.md:5:1 provider",
      says: "never a model",
    },
    {
      fault: "a capability that no layer defines",
      text: `---\nname: x\ndescription: d\ncapability: cheep-code\n${body}`,
      line: "error x.md:4:1 capability",
      says: 'capability "cheep-code"; did you mean "cheap-code"?',
    },
    {
      fault: "a ladder that no layer defines",
      text: `---\nname: x\n${sound}\nladder: cod\n${body}`,
      line: "error x.md:5:1 ladder",
      says: 'did you mean "code"?',
    },
    {
      fault: "an access that does not exist",
      text: `---\nname: x\n${sound}\naccess:\n  filesystem: all\n${body}`,
      line: "error x.md:6:3 access.filesystem",
      says: "one of none, read, write",
    },
    {
      fault: "a way of execution that does not exist",
      text: `---\nname: x\n${sound}\nexecution: loop\n${body}`,
      line: "error x.md:5:1 execution",
      says: "one of oneshot, subagent, pipeline, or a map with preferred_mode",
    },
    {
      fault: "tools by key",
      text: `---\nname: x\n${sound}\ntools: { read: true }\n${body}`,
      line: "error x.md:5:1 tools",
      says: "a list of names or comma-separated text",
    },
    {
      fault: "a description of another type",
      text: `---\nname: x\ndescription: [a]\ncapability: cheap-code\n${body}`,
      line: "error x.md:3:1 description",
      says: "must be text",
    },
    {
      fault: "a credential",
      text: `---\nname: x\n${sound}\napi_key: hunter2\n${body}`,
      line: "error x.md:5:1 api_key",
      says: "no credentials",
    },
    {
      fault: "no body",
      text: `---\nname: x\n${sound}\n---\n\n`,
      line: "error x.md:1:1",
      says: "empty system prompt",
    },
    {
      fault: "a list instead of keys",
      text: `---\n- name: x\n${body}`,
      line: "error x.md:2:1",
      says: "must be a map of keys",
    },
    {
      fault: "a key that is nearly known",
      text: `---\nname: x\n${sound}\nacess: {}\n${body}`,
      line: "warning x.md:5:1 acess",
      says: 'kept as it is; did you mean "access"?',
    },
  ])("with $fault is one line of the report, and the others load", async ({ text, line, says }) => {
    const loaded = await agentsOf({ user: { "x.md": text, "ok.md": agentText("ok") } });

    expect(problemLines(loaded)).toEqual([line]);
    expect(loaded.problems[0]?.message).toContain(says);
    expect(JSON.stringify(loaded)).not.toContain("hunter2");
    expect(findAgent(loaded, "ok").name).toBe("ok");
  });

  test("with several faults says all of them at once", async () => {
    const loaded = await agentsOf({
      user: { "x.md": "---\nname: y\nmodel: m\naccess: { git: all }\n---\n" },
    });

    expect(loaded.problems).toHaveLength(5);
  });
});
