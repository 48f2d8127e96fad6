import { onTestFinished } from "vitest";
import { startModelServer } from "../../fixtures/model-server/index.ts";
import { createClaudeAdapter } from "../../src/adapters/index.ts";
import {
  conformance,
  testBehaviours,
  testConformance,
  type ConformanceSetup,
} from "./conformance.ts";
import { installedProgram } from "./installed-program.ts";
import { failures, privateEnvironment } from "./support.ts";

// The real Claude Code against the scripted Messages API.

const program = installedProgram(
  "@anthropic-ai/claude-code@2.1.332",
  "claude",
  "@anthropic-ai/claude-code/install.cjs",
);

async function setup(): Promise<ConformanceSetup> {
  const server = await startModelServer(failures);
  onTestFinished(() => server.close());
  return {
    adapter: createClaudeAdapter({
      env: privateEnvironment({ LAB_KEY: "sk-ant-scripted-0000" }),
    }),
    server,
    binding: {
      adapter: "claude",
      baseUrl: `${server.url}/fake`,
      apiKeyEnv: "LAB_KEY",
      command: [program],
    },
  };
}

// It asks again by itself before kit can end it (a cut or empty reply, a refusal, some errors); a
// dropped connection takes the text with it; `network_error` is no stop reason of this API.
testConformance(conformance, setup, {
  except: { "drop-mid": "network", "provider-network-error": "provider_unknown" },
  requests: 3,
});
testBehaviours(setup);
