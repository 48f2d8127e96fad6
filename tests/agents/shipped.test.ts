import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findAgent, loadAgents, type LoadedAgents } from "../../src/agents/index.ts";
import { parsePack } from "../../src/context-pack/index.ts";
import type { LayerFolder } from "../../src/contracts/index.ts";
import { loadRegistry } from "../../src/routing/index.ts";

const layers: readonly LayerFolder[] = [
  { layer: "shipped", folder: join(import.meta.dirname, "..", "..") },
];

describe("the shipped agents", () => {
  let loaded: LoadedAgents;
  beforeAll(async () => {
    loaded = await loadAgents({ layers, registry: await loadRegistry({ layers }) });
  });

  test("are coder, reviewer and scout, without a word to say about their files", () => {
    expect(loaded.agents.map(({ name, capability }) => [name, capability])).toEqual([
      ["coder", "strong-code"],
      ["reviewer", "deep-review"],
      ["scout", "cheap-code"],
    ]);
    expect(loaded.problems).toEqual([]);
  });

  test("do not name the models or providers of anybody", () => {
    const prompts = loaded.agents.map(({ body }) => body).join("\n");

    expect(prompts).not.toMatch(/\b(?:gpt|claude|gemini|qwen|llama|openai|anthropic)\b/i);
  });

  test("the scout is shown a pack that the strict reader takes", () => {
    const { body } = findAgent(loaded, "scout");
    const example = body.slice(body.lastIndexOf("# Context Pack"));

    const result = parsePack(`${example}\n`, { mode: "strict" });

    expect(result).toMatchObject({
      ok: true,
      pack: {
        relevantFiles: [{ path: "src/cart/total.js" }, { path: "test/cart/total.test.js" }],
        testCommands: ["npm test"],
      },
    });
  });

  test("the scout is told every heading that its example uses", () => {
    const { body } = findAgent(loaded, "scout");
    const example = body.slice(body.lastIndexOf("# Context Pack"));

    for (const [heading] of example.matchAll(/^## .*$/gm)) {
      expect(body).toContain(`- \`${heading}\` — `);
    }
  });

  test("the coder is told the limits, and the reply format by nobody but the changes", () => {
    const { body } = findAgent(loaded, "coder");

    expect(body).toMatch(/relevant_files/);
    expect(body).toMatch(/never weaken the judge/i);
    expect(body).not.toMatch(/=== FILE|<<<<<<<|SEARCH/);
  });

  test("the agents folder's own page lists them all", () => {
    const page = readFileSync(join(layers[0]?.folder ?? "", "agents", "README.md"), "utf8");

    for (const { name, capability } of loaded.agents) {
      expect(page).toContain(`| [${name}](${name}.md) |`);
      expect(page).toContain(`\`${capability}\` |`);
    }
  });
});
