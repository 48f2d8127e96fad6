import { onTestFinished } from "vitest";
import { startModelServer } from "../../fixtures/model-server/index.ts";
import { createCodexAdapter } from "../../src/adapters/index.ts";
import {
  conformance,
  testBehaviours,
  testConformance,
  type ConformanceSetup,
} from "./conformance.ts";
import { installedProgram } from "./installed-program.ts";
import { failures, privateEnvironment } from "./support.ts";

// The real Codex CLI against the scripted Responses API.

const program = installedProgram("@openai/codex@0.171.0", "codex");

async function setup(): Promise<ConformanceSetup> {
  const server = await startModelServer(failures);
  onTestFinished(() => server.close());
  return {
    adapter: createCodexAdapter({
      env: privateEnvironment({ LAB_KEY: "sk-scripted-0000" }),
    }),
    server,
    binding: {
      adapter: "codex",
      baseUrl: `${server.url}/fake/v1`,
      apiKeyEnv: "LAB_KEY",
      command: [program],
    },
  };
}

// What Codex keeps to itself: waits, kinds of errors inside a stream, which model answered, tokens of
// a reply that was cut, and tools that a model invents: it answers those by itself, without end.
testConformance(
  conformance.filter(({ model }) => model !== "tool"),
  setup,
  {
    except: {
      "rate-limit": "rate_limit",
      "usage-limit-days": "rate_limit",
      "error-in-stream": "provider_unknown",
      "truncated-empty": "truncated_reply",
      "drop-mid": "network",
      "wrong-name": "ok",
      "hang-before": "timeout",
      "hang-mid": "timeout",
    },
  },
);
testBehaviours(setup);
