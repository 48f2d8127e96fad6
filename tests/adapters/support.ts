import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import {
  startModelServer,
  writePiAgentFolder,
  type ModelServer,
  type Scenario,
} from "../../fixtures/model-server/index.ts";
import { createPiAdapter, type PiAdapterOptions } from "../../src/adapters/index.ts";
import type { Adapter, Binding, CallRequest } from "../../src/contracts/index.ts";
import { temporaryFolder } from "../support/repository.ts";

/** The project's own pi (1.x), run by the project's own Node. */
const realPi = resolve("node_modules/.bin/pi");

/** The scenario with one model for each way a provider fails. */
export const failures = resolve("fixtures/model-server/scenarios/failures.yaml");

/** An environment in which pi sees nothing of who runs the tests. */
export function privateEnvironment(
  extra: Record<string, string> = {},
): Record<string, string | undefined> {
  const home = temporaryFolder();
  return {
    PATH: `${resolve("node_modules/.bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    PI_CODING_AGENT_DIR: join(home, "agent"),
    ...extra,
  };
}

export interface PiSetup {
  readonly adapter: Adapter;
  readonly server: ModelServer;
  readonly env: Record<string, string | undefined>;
}

/** A model server, a pi that knows its models, and the adapter that calls it. */
export async function piWithModels(
  scenario: Scenario | string = failures,
  options: Partial<PiAdapterOptions> = {},
): Promise<PiSetup> {
  const server = await startModelServer(scenario);
  onTestFinished(() => server.close());
  const env = { ...privateEnvironment(), ...options.env };
  writePiAgentFolder(env.PI_CODING_AGENT_DIR ?? "", server);
  return { adapter: createPiAdapter({ program: realPi, ...options, env }), server, env };
}

/** A request to `provider/model` with generous limits, any of it changed. */
export function callOf(
  name: string,
  changes: Partial<CallRequest> & { readonly binding?: Partial<Binding> } = {},
): CallRequest {
  const { binding, ...rest } = changes;
  const slash = name.indexOf("/");
  return {
    candidate: {
      backend: "tested",
      identity: `pi:${name}`,
      degraded: [],
      binding: {
        adapter: "pi",
        provider: name.slice(0, slash),
        model: name.slice(slash + 1),
        quotaPool: name.slice(0, slash),
        editFormat: "auto",
        extensions: false,
        ...binding,
      },
    },
    systemPrompt: "You are a test.",
    prompt: "say hi",
    idleTimeoutMs: 20_000,
    timeoutMs: 25_000,
    maxReplyBytes: 32 * 1024 * 1024,
    signal: new AbortController().signal,
    ...rest,
  };
}
