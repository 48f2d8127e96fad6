import { describe, expect, test } from "vitest";
import { agentsOf, agentText, heads, names } from "./support.ts";

describe("a file of another program's making", () => {
  test("may start with a byte order mark", async () => {
    const loaded = await agentsOf({ user: { "scout.md": `\uFEFF${agentText("scout")}` } });

    expect(loaded.agents[0]).toMatchObject({ name: "scout", body: "You are the agent." });
    expect(loaded.problems).toEqual([]);
  });

  test("in UTF-16 is named with its encoding, and the others load", async () => {
    const loaded = await agentsOf({
      user: {
        "wide.md": Buffer.from(`\uFEFF${agentText("wide")}`, "utf16le"),
        "latin.md": Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0x0a]),
        "plain.md": agentText("plain"),
      },
    });

    expect(names(loaded)).toEqual(["plain"]);
    expect(loaded.problems.map(({ message }) => message)).toEqual([
      "its encoding is not UTF-8; save it as UTF-8",
      "its encoding is UTF-16; save it as UTF-8",
    ]);
  });

  test("may have CRLF line ends", async () => {
    const loaded = await agentsOf({
      user: { "scout.md": agentText("scout").replaceAll("\n", "\r\n") },
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.agents[0]?.description).toBe("Does one thing.");
  });

  test.for([
    "tools: read, grep, edit",
    "tools: [read, grep, edit]",
    'tools: ["read", \'grep\', "edit"]',
    "tools:\n  - read\n  - grep\n  - edit",
    "tools: ' read ,grep,, edit '",
  ])("gives the same tools written as %j", async (line) => {
    const loaded = await agentsOf({ user: { "a.md": agentText("a", line) } });

    expect(loaded.problems).toEqual([]);
    expect(loaded.agents[0]?.tools).toEqual(["read", "grep", "edit"]);
  });

  test.for([
    "tools: []",
    "tools: {}",
    "tools:",
    'tools: ""',
    "execution:",
    "access: {}",
    "ladder:",
  ])("has nothing given in %j", async (line) => {
    const loaded = await agentsOf({ user: { "a.md": agentText("a", line) } });

    expect(loaded.problems).toEqual([]);
    expect(loaded.agents[0]).toMatchObject({ tools: [], execution: "oneshot" });
  });

  test("may hold comments, and signs that look like one", async () => {
    const loaded = await agentsOf({
      user: heads({
        com: '# leading\nname: com            # as the file\ndescription: "Handles issue #12 and C# code"  # quoted\ncapability: cheap-code\n\n# blank above',
        hash: "name: hash\ndescription: Works on C# and F# sources\ncapability: cheap-code",
      }),
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.agents.map(({ description }) => description)).toEqual([
      "Handles issue #12 and C# code",
      "Works on C# and F# sources",
    ]);
  });

  test("may use merge keys, bombs itself alone, and pollutes nothing", async () => {
    const bomb = "abcdefghi".split("").map((name, index, all) =>
      index === 0
        ? "a: &a [x, x, x, x, x, x, x, x, x]"
        : `${name}: &${name} [${Array(9)
            .fill(`*${all[index - 1]}`)
            .join(", ")}]`,
    );
    const loaded = await agentsOf({
      user: heads({
        bomb: `name: bomb\ndescription: d\ncapability: cheap-code\n${bomb.join("\n")}`,
        merge: "defaults: &d\n  capability: cheap-code\nname: merge\ndescription: d\n<<: *d",
        proto:
          "name: proto\ndescription: d\ncapability: cheap-code\n__proto__:\n  polluted: yes\nconstructor: x",
      }),
    });

    expect(names(loaded)).toEqual(["merge", "proto"]);
    const [merge, proto] = loaded.agents;
    expect(merge).toMatchObject({ capability: "cheap-code" });
    expect(Object.keys(merge?.other ?? {})).toEqual(["defaults"]);
    expect(proto).toMatchObject({ capability: "cheap-code", name: "proto" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(loaded.problems.filter(({ severity }) => severity === "error")).toEqual([
      expect.objectContaining({
        place: expect.objectContaining({ file: expect.stringMatching(/bomb\.md$/) }),
      }),
    ]);
  });
});
