import { expect, test } from "vitest";
import type { Agent, Candidate } from "../../src/contracts/index.ts";
import { compareOverrides, proposalBlock, proposeOverrides } from "../../src/pi-settings/index.ts";
import { change, settingsOf } from "./support.ts";

function agentNamed(name: string, more: Partial<Agent> = {}): Agent {
  return {
    name,
    description: "a test",
    capability: "cheap-code",
    access: { filesystem: "read", shell: "none", git: "none", network: false },
    execution: "oneshot",
    tools: [],
    other: {},
    body: "x",
    layer: "shipped",
    file: `${name}.md`,
    available: true,
    ...more,
  };
}

function candidate(backend: string, adapter = "pi"): Candidate {
  return {
    backend,
    identity: backend,
    degraded: [],
    binding: {
      adapter,
      provider: "acme",
      model: `${backend}:latest`,
      quotaPool: "acme",
      editFormat: "auto",
      extensions: false,
      ...(backend === "small" && { thinking: "low" }),
    },
  };
}

const route = (...candidates: readonly Candidate[]): { route: never } => {
  return { route: { capability: "cheap-code", candidates, skipped: [] } as never };
};

test("each agent gets its first candidate, model and thinking apart, and no fallback", () => {
  const proposal = proposeOverrides([
    { agent: agentNamed("scout"), isSound: true, ...route(candidate("small"), candidate("large")) },
    { agent: agentNamed("coder"), isSound: true, ...route(candidate("large")) },
  ]);

  expect(proposalBlock(proposal)).toEqual({
    subagents: {
      agentOverrides: {
        scout: { model: "acme/small:latest", thinking: "low" },
        coder: { model: "acme/large:latest" },
      },
    },
  });
  expect(proposal.overrides.map(({ fallbacks }) => fallbacks)).toEqual([["large"], []]);
});

test.each([
  ["its file has an error", agentNamed("a"), false, route(candidate("small"))],
  ["nobody serves cheap-code", agentNamed("a"), true, route()],
  ["cheap-code is disabled", agentNamed("a", { available: false }), true, {}],
  [
    "box, the first for cheap-code, is called without pi",
    agentNamed("a"),
    true,
    route(candidate("box", "openai"), candidate("small")),
  ],
])("an agent is left out because %s", (reason, agent, isSound, given) => {
  expect(proposeOverrides([{ agent, isSound, ...given }])).toEqual({
    overrides: [],
    leftOut: [{ agent: "a", reason }],
  });
});

test.each([
  ["{}", { state: "add" }],
  ['{"model":"acme/small","thinking":"low"}', { state: "same" }],
  ['{"model":"acme/small","thinking":"high"}', { state: "update", before: { thinking: "high" } }],
  ['{"tools":["read"]}', { state: "update", before: {} }],
  ['"fast"', { state: "update", before: { model: "fast" } }],
])("beside an override of %s it is %j", async (text, expected) => {
  const block = text === "{}" ? "{}" : `{"scout":${text}}`;
  const { live } = await settingsOf(`{"subagents":{"agentOverrides":${block}}}`);

  const [compared] = compareOverrides([change("scout", "add", "acme/small", "low")], live);

  expect(compared).toMatchObject(expected);
});

test("a level that the binding does not set stays the user's", async () => {
  const { live } = await settingsOf(
    '{"subagents":{"agentOverrides":{"scout":{"model":"acme/small","thinking":"high"}}}}',
  );

  expect(compareOverrides([change("scout", "add", "acme/small")], live)).toMatchObject([
    { state: "same" },
  ]);
});
