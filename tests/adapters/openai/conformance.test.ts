import { describe, onTestFinished } from "vitest";
import { startModelServer } from "../../../fixtures/model-server/index.ts";
import { createOpenAiAdapter } from "../../../src/adapters/index.ts";
import {
  conformance,
  testBehaviours,
  testConformance,
  type ConformanceSetup,
} from "../conformance.ts";
import { failures } from "../support.ts";

async function setup(): Promise<ConformanceSetup> {
  const server = await startModelServer(failures);
  onTestFinished(() => server.close());
  return {
    adapter: createOpenAiAdapter({ env: {} }),
    server,
    binding: { adapter: "openai", baseUrl: `${server.url}/fake/v1` },
  };
}

describe("through an OpenAI-compatible endpoint", () => {
  // It reads the header itself.
  testConformance(conformance, setup, { except: { "rate-limit-hours": "usage_limit" } });
  testBehaviours(setup);
});
