import type { Access, Agent } from "../contracts/index.ts";

/** What may be touched, least first. */
const steps: { readonly [K in keyof Access]: readonly Access[K][] } = {
  filesystem: ["none", "read", "write"],
  shell: ["none", "limited"],
  git: ["none", "read", "write"],
  network: [false, true],
};

/** What a project's agent may touch where no agent of the user's or kit's has its name. */
const newAgent: Access = { filesystem: "read", shell: "none", git: "read", network: false };

/** A key of an agent file that a project may not have written so, and why. */
export interface Refusal {
  readonly path: readonly string[];
  readonly why: string;
}

/**
 * A trusted project's agent within the limits that hold all the same: no more access and no other
 * tools than the agent it replaces, and no agent without a capability in place of one that had it,
 * which would switch its step off.
 *
 * @param lower the agent of the same name below the project layer
 */
export function withinLimits(
  agent: Agent,
  lower: Agent | undefined,
): { readonly agent: Agent; readonly refused: readonly Refusal[] } {
  const refused: Refusal[] = [];
  const most = lower?.access ?? newAgent;
  const access = {
    filesystem: least("filesystem"),
    shell: least("shell"),
    git: least("git"),
    network: least("network"),
  };
  const tools = agent.tools.filter((tool) => lower?.tools.includes(tool) === true);
  if (tools.length < agent.tools.length) {
    refused.push({ path: ["tools"], why: "a project may not give an agent tools" });
  }
  const lacks = agent.capability === undefined && lower?.capability !== undefined;
  if (lacks) {
    refused.push({
      path: ["capability"],
      why: `a project may not take the capability of ${agent.name} away; it stays ${lower.capability}`,
    });
  }
  return {
    agent: { ...agent, access, tools, ...(lacks && { capability: lower.capability }) },
    refused,
  };

  function least<K extends keyof Access>(key: K): Access[K] {
    const order = steps[key];
    if (order.indexOf(agent.access[key]) <= order.indexOf(most[key])) return agent.access[key];
    refused.push({
      path: ["access", key],
      why: `a project may not widen what ${agent.name} may touch; it stays ${String(most[key])}`,
    });
    return most[key];
  }
}
