import { describe, expect, test } from "vitest";
import { findAgent } from "../../src/agents/index.ts";
import { agentsOf, agentText, capabilities, names } from "./support.ts";

describe("asking for an agent", () => {
  const files = {
    shipped: {
      "coder.md": agentText("coder"),
      "reviewer.md": agentText("reviewer").replace("cheap-code", "deep-review"),
    },
  };

  test("gives it by its name", async () => {
    expect(findAgent(await agentsOf(files), "coder").layer).toBe("shipped");
  });

  test("that is unknown names the known ones", async () => {
    const loaded = await agentsOf(files);

    expect(() => findAgent(loaded, "codr")).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: 'No agent is called "codr"; did you mean "coder"?',
        next: "Use one of: coder, reviewer",
      }),
    );
  });

  test("whose capability is disabled is an error only then", async () => {
    const loaded = await agentsOf(files, capabilities);

    expect(loaded.problems).toEqual([]);
    expect(() => findAgent(loaded, "reviewer")).toThrow(
      expect.objectContaining({
        kind: "configuration",
        message: expect.stringContaining("deep-review"),
      }),
    );
  });

  test("whose replacement is broken is refused, with what is wrong in it", async () => {
    const loaded = await agentsOf({ ...files, user: { "coder.md": "---\nname: [\n---\nB" } });

    expect(() => findAgent(loaded, "coder")).toThrow(
      expect.objectContaining({
        kind: "configuration",
        problems: [expect.objectContaining({ severity: "error" })],
      }),
    );
    expect(names(loaded)).toContain("coder");
  });

  test("with an error in its file is refused although it is listed", async () => {
    const loaded = await agentsOf({ user: { "a.md": agentText("a", "model: p1/big") } });

    expect(names(loaded)).toEqual(["a"]);
    expect(() => findAgent(loaded, "a")).toThrow(/cannot be used/);
  });
});
