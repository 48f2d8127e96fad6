import {
  KitError,
  type Adapter,
  type Binding,
  type CallRequest,
  type CallResult,
  type Thinking,
} from "../../contracts/index.ts";
import { runProcess } from "../../lib/processes/index.ts";
import {
  checkAgentProgram,
  findAgentProgram,
  keyOf,
  type AgentProgram,
  type AgentProgramOptions,
} from "../agent-program.ts";
import { withoutKey } from "../answer.ts";
import { environmentWithoutSecrets } from "../environment.ts";
import { emptyFolder, systemPromptFile } from "../private-folder.ts";
import type { Environment } from "../program.ts";
import { ClaudeReader } from "./events.ts";
import { isAskedModel, readOutcome } from "./outcome.ts";

const agent: AgentProgram = {
  name: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
};

/** Calls models through Claude Code, one shot a call, tools off (`docs/adapters.md`). */
export function createClaudeAdapter(options: AgentProgramOptions): Adapter {
  const { env, now = Date.now } = options;
  return {
    name: agent.name,

    async check(signal) {
      const cwd = await emptyFolder(env, agent.name);
      return checkAgentProgram(agent, options, { cwd, childEnv: claudeEnvironment(env), signal });
    },

    async call(request) {
      if (request.prompt.trim() === "") throw new KitError("usage", "The prompt is empty");
      const key = keyOf(request.candidate.binding, env);
      if ("failure" in key) return { ok: false, failure: key.failure };
      return withoutKey(await callClaude(request, key.key, env, now), key.key);
    },

    // Claude Code has no list of models to ask for.
    models: () => Promise.resolve([]),
  };
}

async function callClaude(
  request: CallRequest,
  key: string | undefined,
  env: Environment,
  now: () => number,
): Promise<CallResult> {
  const { binding } = request.candidate;
  const found = await findAgentProgram(agent, binding.command, env);
  const folder = await emptyFolder(env, agent.name);
  const system = await systemPromptFile(folder, request.systemPrompt, now());
  const stop = new AbortController();
  const reader = new ClaudeReader({
    maxReplyBytes: request.maxReplyBytes,
    isWanted: (model) => isAskedModel(binding.model, model),
    stop: () => stop.abort(),
    onProgress: request.onProgress,
  });
  try {
    const process = await runProcess({
      program: found.program,
      args: [...found.args, ...callArguments(binding, system.file)],
      cwd: folder,
      env: {
        ...claudeEnvironment(env, binding),
        // Its own limit for a request is 600 s; kit's counts.
        API_TIMEOUT_MS: String(request.timeoutMs + 30_000),
        ...(binding.baseUrl !== undefined && {
          ANTHROPIC_BASE_URL: binding.baseUrl.replace(/(?:\/v1)?\/*$/, ""),
        }),
        ...(key !== undefined && { ANTHROPIC_API_KEY: key }),
        ...(binding.thinking === "off" && { MAX_THINKING_TOKENS: "0" }),
      },
      input: request.prompt,
      timeoutMs: request.timeoutMs,
      idleTimeoutMs: request.idleTimeoutMs,
      signal: AbortSignal.any([request.signal, stop.signal]),
      // A line repeats the reply with its line breaks escaped.
      maxStdoutBytes: 3 * request.maxReplyBytes + 8 * 1024 * 1024,
      onStdoutLine: reader.onLine,
      label: agent.name,
    });
    return readOutcome({ request, facts: reader.facts(), process, now: now() });
  } finally {
    await system.remove();
  }
}

/**
 * Nothing of the user's or a repository's reaches the model: no tools, settings, skills, MCP
 * servers and saved sessions. The stream is asked for, because a result that comes as one piece at
 * the end looks like silence.
 */
function callArguments({ model, thinking }: Binding, systemFile: string): string[] {
  return [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--model",
    model,
    "--system-prompt-file",
    systemFile,
    "--tools",
    "",
    "--no-session-persistence",
    "--strict-mcp-config",
    "--setting-sources",
    "",
    "--disable-slash-commands",
    ...(thinking === undefined || thinking === "off" ? [] : ["--effort", effortOf(thinking)]),
  ];
}

function effortOf(thinking: Thinking): string {
  return thinking === "minimal" ? "low" : thinking;
}

/** Its provider's variables stay; those that a surrounding Claude Code sets for its children go. */
function claudeEnvironment(
  env: Environment,
  binding?: Binding,
): Record<string, string | undefined> {
  const own = /^(?:ANTHROPIC_|CLAUDE_CODE_OAUTH_TOKEN$|CLAUDE_CONFIG_DIR$)/;
  const kept = environmentWithoutSecrets(env, { named: binding?.passEnvironment, own });
  const outer = /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SIMPLE|SAFE_MODE))$/;
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !outer.test(name))),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
  };
}
