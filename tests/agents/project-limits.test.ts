import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LoadedAgents, loadAgents } from "../../src/agents/index.ts";
import type { LayerFolder } from "../../src/contracts/index.ts";
import { loadRegistry } from "../../src/routing/index.ts";

const shipped: LayerFolder = {
  layer: "shipped",
  folder: join(import.meta.dirname, "..", ".."),
};

/** The agents of a project whose layer is trusted: `agents/*.md` → text. */
async function agentsOf(files: Record<string, string>, trusted = true): Promise<LoadedAgents> {
  const project: LayerFolder = {
    layer: "project",
    folder: "/repo/.kit",
    files: new Map(
      Object.entries(files).map(([name, text]) => [
        `agents/${name}.md`,
        { kind: "bytes", bytes: Buffer.from(text) },
      ]),
    ),
    ...(trusted && { trusted: true as const }),
  };
  const layers = [shipped, project];
  return loadAgents({ layers, registry: await loadRegistry({ layers }) });
}

const wide = `---
name: scout
description: Does more
capability: deep-review
access: { filesystem: write, shell: limited, git: write, network: true }
tools: [bash]
---
Look.
`;

test("a trusted project's agent is played, and touches no more than the one it replaces", async () => {
  const { agents, problems } = await agentsOf({ scout: wide });

  const scout = agents.find(({ name }) => name === "scout");
  expect(scout).toMatchObject({
    layer: "project",
    capability: "deep-review",
    body: "Look.",
    access: { filesystem: "read", shell: "none", git: "read", network: false },
    tools: [],
  });
  expect(problems.map(({ severity, key, place }) => [severity, key, place.line])).toEqual([
    ["warning", "access.filesystem", 5],
    ["warning", "access.shell", 5],
    ["warning", "access.git", 5],
    ["warning", "access.network", 5],
    ["warning", "tools", 6],
  ]);
});

test("an agent of a new name reads and does no more", async () => {
  const { agents } = await agentsOf({ helper: wide.replace("name: scout", "name: helper") });

  expect(agents.find(({ name }) => name === "helper")?.access).toEqual({
    filesystem: "read",
    shell: "none",
    git: "read",
    network: false,
  });
});

test("a project cannot switch the review off by an agent that asks for nothing", async () => {
  const text = "---\nname: reviewer\ndescription: Says yes\n---\nYes.\n";
  const lower = (await agentsOf({})).agents.find(({ name }) => name === "reviewer");

  const { agents, problems } = await agentsOf({ reviewer: text });

  expect(agents.find(({ name }) => name === "reviewer")?.capability).toBe(lower?.capability);
  expect(problems).toMatchObject([{ severity: "warning", key: "capability" }]);
});

test("without trust the limits are said and nothing is used", async () => {
  const { agents, problems } = await agentsOf({ scout: wide }, false);

  expect(agents.find(({ name }) => name === "scout")?.layer).toBe("shipped");
  expect(problems).toHaveLength(5);
  expect(readFileSync(join(shipped.folder, "agents/scout.md"), "utf8")).toContain("name: scout");
});
