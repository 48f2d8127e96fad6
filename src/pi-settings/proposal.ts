import type { Agent, Route, Thinking } from "../contracts/index.ts";

/** An agent with the route of its capability. */
export interface AgentRoute {
  readonly agent: Agent;
  /** Absent: it asks for no capability, or for one that nobody defines. */
  readonly route?: Route;
  /** Its file has no error. */
  readonly isSound: boolean;
}

/** What pi's subagents would be told of one agent. */
export interface ProposedOverride {
  readonly agent: string;
  readonly capability: string;
  readonly backend: string;
  /** `provider/id`, as pi names it. */
  readonly model: string;
  /** Absent: the binding sets none, and the agent keeps its own. */
  readonly thinking?: Thinking;
  /** Candidates behind the first one; they cannot be carried over (decision 0075). */
  readonly fallbacks: readonly string[];
}

export interface LeftOutAgent {
  readonly agent: string;
  /** Half a sentence: `deep-review is served by nobody`. */
  readonly reason: string;
}

export interface Proposal {
  readonly overrides: readonly ProposedOverride[];
  readonly leftOut: readonly LeftOutAgent[];
}

/** The first candidate of every agent's capability, where pi can call it. */
export function proposeOverrides(asked: readonly AgentRoute[]): Proposal {
  const overrides: ProposedOverride[] = [];
  const leftOut: LeftOutAgent[] = [];
  for (const each of asked) {
    const proposed = proposeOverride(each);
    if ("reason" in proposed) leftOut.push(proposed);
    else overrides.push(proposed);
  }
  return { overrides, leftOut };
}

function proposeOverride({ agent, route, isSound }: AgentRoute): ProposedOverride | LeftOutAgent {
  const { name } = agent;
  const without = (reason: string): LeftOutAgent => ({ agent: name, reason });
  if (!isSound) return without("its file has an error");
  if (agent.capability === undefined) return without("it asks for no capability");
  if (!agent.available || route === undefined) return without(`${agent.capability} is disabled`);
  const [first, ...others] = route.candidates;
  if (first === undefined) return without(`nobody serves ${agent.capability}`);
  const { adapter, provider, model, thinking } = first.binding;
  if (adapter !== "pi") {
    return without(`${first.backend}, the first for ${agent.capability}, is called without pi`);
  }
  return {
    agent: name,
    capability: agent.capability,
    backend: first.backend,
    model: `${provider}/${model}`,
    ...(thinking !== undefined && { thinking }),
    fallbacks: others.map(({ backend }) => backend),
  };
}

/** The block as `settings.json` would hold it. */
export function proposalBlock({ overrides }: Proposal): {
  readonly subagents: {
    readonly agentOverrides: Readonly<
      Record<string, { readonly model: string; readonly thinking?: Thinking }>
    >;
  };
} {
  const entries = overrides.map(({ agent, model, thinking }) => {
    return [agent, { model, ...(thinking !== undefined && { thinking }) }] as const;
  });
  return { subagents: { agentOverrides: Object.fromEntries(entries) } };
}
