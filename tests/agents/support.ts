import { join } from "node:path";
import type { LayerFolder } from "../../src/contracts/index.ts";
import { loadAgents, type LoadedAgents } from "../../src/agents/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

type KnownNames = Parameters<typeof loadAgents>[0]["registry"];

/** The part of a registry that agents need, from plain names. */
export function knownNames(
  defined: readonly string[],
  disabled: readonly string[] = [],
  ladders: readonly string[] = [],
): KnownNames {
  return {
    capabilities: new Map(
      defined.map((name) => [
        name,
        { layer: "shipped", value: { primary: "cheap", fallback: [], requires: {} } },
      ]),
    ),
    disabled: new Set(disabled),
    ladders: new Map(ladders.map((name) => [name, { layer: "shipped", value: [] }])),
  };
}

export const capabilities = knownNames(["cheap-code", "strong-code"], ["deep-review"], ["code"]);

/** Agent files by layer, path inside `agents/` → text or bytes. */
export interface AgentFiles {
  readonly shipped?: Record<string, string | Uint8Array>;
  readonly user?: Record<string, string | Uint8Array>;
  readonly project?: Record<string, string | Uint8Array>;
}

/** Writes the files and loads them. */
export function agentsOf(
  files: AgentFiles,
  registry: KnownNames = capabilities,
): Promise<LoadedAgents> {
  const root = temporaryFolder();
  const layers = (["shipped", "user", "project"] as const).map((layer): LayerFolder => {
    writeFiles(join(root, layer, "agents"), files[layer] ?? {});
    return { layer, folder: join(root, layer) };
  });
  return loadAgents({ layers, registry });
}

/** A sound agent file; `lines` are further lines of its frontmatter. */
export function agentText(name: string, ...lines: readonly string[]): string {
  const head = [
    `name: ${name}`,
    "description: Does one thing.",
    "capability: cheap-code",
    ...lines,
  ];
  return `---\n${head.join("\n")}\n---\n\nYou are the agent.\n`;
}

/** Problems as `severity file:line:column key`, files by name alone. */
export function problemLines(loaded: Pick<LoadedAgents, "problems">): readonly string[] {
  return loaded.problems.map(({ severity, place, key }) => {
    const file = place.file.split("/").at(-1);
    return `${severity} ${file}:${place.line}:${place.column} ${key ?? ""}`.trim();
  });
}

/** Name → text of agent files whose frontmatter is given. */
export function heads(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, head]) => [`${name}.md`, `---\n${head}\n---\n\nBody.\n`]),
  );
}

/** The names of what was loaded, in their order. */
export const names = (loaded: { agents: readonly { name: string }[] }): readonly string[] =>
  loaded.agents.map(({ name }) => name);
