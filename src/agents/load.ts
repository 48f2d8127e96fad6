import { basename, join } from "node:path";
import {
  isUsedLayer,
  KitError,
  type Agent,
  type ConfigSource,
  type LayerFolder,
  type Problem,
} from "../contracts/index.ts";
import { namesIn, readTextIn } from "../lib/folder-source.ts";
import { didYouMean } from "../lib/nearest-name.ts";

import { withinLimits } from "./project-limits.ts";
import { readAgent, type AgentFile, type KnownNames } from "./agent-file.ts";

/** What `loadAgents` reads. */
export interface AgentsRequest {
  /** Lowest first; the agents of a layer are in its folder `agents`. */
  readonly layers: readonly LayerFolder[];
  /** The merged registry: its capabilities and ladders are the names an agent may use. */
  readonly registry: KnownNames;
}

/** All agents, sorted by name, with what is wrong in their files. */
export interface LoadedAgents {
  /** One a name, the last layer's; agents with errors and unavailable ones are listed too. */
  readonly agents: readonly Agent[];
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

/**
 * Reads `agents/*.md` of every layer; later layers override by name. README.md is no agent,
 * nor is Markdown without frontmatter (a warning). A bad file never hides the others. The
 * project's agents are used once its layer is trusted, within their limits; until then they are
 * checked alone.
 */
export async function loadAgents(request: AgentsRequest): Promise<LoadedAgents> {
  const files = await Promise.all(
    request.layers.map((layer) => readFolder(layer, request.registry)),
  );
  const byName = new Map<string, Agent>();
  const limits: Problem[] = [];
  for (const { agent, source, problem } of files.flat()) {
    if (!agent) continue;
    if (source.layer !== "project") byName.set(agent.name, agent);
    else {
      const limited = withinLimits(agent, byName.get(agent.name));
      if (source.used) byName.set(agent.name, limited.agent);
      limits.push(
        ...limited.refused.flatMap(({ path, why }) => problem?.("warning", path, why) ?? []),
      );
    }
  }
  return {
    agents: [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    problems: [...files.flat().flatMap((file) => file.problems), ...limits],
    sources: files.flat().map((file) => file.source),
  };
}

/**
 * The agent of a name, ready to be played.
 * @throws KitError `usage` for an unknown name, `configuration` when its file has errors (also
 * when a broken file would have replaced a sound one) or its capability is disabled here.
 */
export function findAgent(loaded: LoadedAgents, name: string): Agent {
  const agent = loaded.agents.find((candidate) => candidate.name === name);
  const errors = loaded.problems.filter(
    ({ severity, place }) =>
      severity === "error" && (place.file === agent?.file || basename(place.file) === `${name}.md`),
  );
  if (errors.length > 0) {
    throw new KitError("configuration", `The file of agent "${name}" cannot be used.`, {
      next: "Mend the file, or remove it",
      problems: errors,
    });
  }
  if (agent === undefined) {
    const names = loaded.agents.map((candidate) => candidate.name);
    throw new KitError("usage", `No agent is called "${name}"${didYouMean(name, names) || "."}`, {
      next: `Use one of: ${names.join(", ") || "no agent is loaded"}`,
    });
  }
  if (!agent.available) {
    throw new KitError(
      "configuration",
      `Agent "${name}" is unavailable: its capability "${agent.capability}" is disabled.`,
      { next: "Enable the capability in routing.local.yaml: see kit route" },
    );
  }
  return agent;
}

interface SourcedFile extends AgentFile {
  readonly source: ConfigSource;
}

async function readFolder(layer: LayerFolder, known: KnownNames): Promise<readonly SourcedFile[]> {
  const names = await namesIn(layer, "agents");
  const files = names
    .filter((name) => name.endsWith(".md") && name.toLowerCase() !== "readme.md")
    .toSorted();
  const read = await Promise.all(files.map((name) => readOne(layer, `agents/${name}`, known)));
  return read.filter((file) => file !== undefined);
}

async function readOne(
  layer: LayerFolder,
  path: string,
  known: KnownNames,
): Promise<SourcedFile | undefined> {
  const file = join(layer.folder, path);
  const text = await readTextIn(layer, path);
  if (text.kind === "missing") return undefined;
  const place = { file, line: 1, column: 1 };
  const read: AgentFile =
    text.kind === "text"
      ? readAgent(text.text, file, layer.layer, known)
      : {
          agent: undefined,
          problems: [{ severity: "error", place, message: text.reason }],
          credentials: [],
        };
  const used = isUsedLayer(layer);
  // Nothing of an unused layer can be an error of this run, except a credential lying about.
  const problems = read.problems.map((problem): Problem =>
    used || read.credentials.includes(problem) ? problem : { ...problem, severity: "warning" },
  );
  return { ...read, problems, source: { kind: "agent", layer: layer.layer, file, used } };
}
