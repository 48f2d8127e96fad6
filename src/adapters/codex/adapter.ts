import {
  KitError,
  type Adapter,
  type Binding,
  type CallRequest,
  type CallResult,
  type Failure,
} from "../../contracts/index.ts";
import { runProcess, type ProcessResult } from "../../lib/processes/index.ts";
import {
  checkAgentProgram,
  findAgentProgram,
  keyOf,
  readSilentEnding,
  type AgentProgram,
  type AgentProgramOptions,
} from "../agent-program.ts";
import {
  endedAfterAnswer,
  findFault,
  nameOf,
  replyTooLarge,
  toolCalled,
  withoutKey,
} from "../answer.ts";
import { environmentWithoutSecrets } from "../environment.ts";
import { emptyFolder, systemPromptFile } from "../private-folder.ts";
import type { Environment } from "../program.ts";
import { costOf } from "../usage.ts";
import { readCodexError } from "./errors.ts";
import { CodexReader, type CodexFacts } from "./events.ts";

const agent: AgentProgram = { name: "codex", install: "npm install -g @openai/codex" };

/** Calls models through the Codex CLI, one shot a call, without its tools (`docs/adapters.md`). */
export function createCodexAdapter(options: AgentProgramOptions): Adapter {
  const { env, now = Date.now } = options;
  return {
    name: agent.name,

    async check(signal) {
      const cwd = await emptyFolder(env, agent.name);
      return checkAgentProgram(agent, options, { cwd, childEnv: codexEnvironment(env), signal });
    },

    async call(request) {
      if (request.prompt.trim() === "") throw new KitError("usage", "The prompt is empty");
      const key = keyOf(request.candidate.binding, env);
      if ("failure" in key) return { ok: false, failure: key.failure };
      return withoutKey(await callCodex(request, env, now), key.key);
    },

    // What an account may call is known only to the provider, and asking needs a sign-in.
    models: () => Promise.resolve([]),
  };
}

async function callCodex(
  request: CallRequest,
  env: Environment,
  now: () => number,
): Promise<CallResult> {
  const { binding } = request.candidate;
  const found = await findAgentProgram(agent, binding.command, env);
  const folder = await emptyFolder(env, agent.name);
  const system = await systemPromptFile(folder, request.systemPrompt, now());
  const stop = new AbortController();
  const reader = new CodexReader(() => stop.abort());
  try {
    const process = await runProcess({
      program: found.program,
      args: [...found.args, ...callArguments(binding, system.file, request)],
      cwd: folder,
      env: codexEnvironment(env, binding),
      input: request.prompt,
      timeoutMs: request.timeoutMs,
      // It prints nothing while a reply streams: silence is its own business (`stream_idle_timeout_ms`).
      idleTimeoutMs: request.timeoutMs,
      signal: AbortSignal.any([request.signal, stop.signal]),
      maxStdoutBytes: 3 * request.maxReplyBytes + 8 * 1024 * 1024,
      onStdoutLine: reader.onLine,
      label: agent.name,
    });
    const facts = reader.facts();
    request.onProgress?.(Buffer.byteLength(facts.text));
    return readOutcome(request, facts, process, now());
  } finally {
    await system.remove();
  }
}

/** Parts of Codex that add tools, texts or code of the user's to a call. */
const switchedOff = [
  "apps",
  "browser_use",
  "computer_use",
  "goals",
  "hooks",
  "image_generation",
  "multi_agent",
  "plugins",
  "shell_tool",
  "unified_exec",
  "view_image",
];

function callArguments(
  binding: Binding,
  systemFile: string,
  { idleTimeoutMs }: CallRequest,
): string[] {
  const { baseUrl, apiKeyEnv, thinking, model } = binding;
  const endpoint = {
    name: binding.provider,
    wire_api: "responses",
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(apiKeyEnv !== undefined && { env_key: apiKeyEnv }),
    request_max_retries: 0,
    stream_max_retries: 0,
    stream_idle_timeout_ms: idleTimeoutMs,
  };
  const effort = thinking === "off" ? "none" : thinking === "max" ? "xhigh" : thinking;
  const settings: Readonly<Record<string, unknown>> = {
    model_instructions_file: systemFile,
    web_search: "disabled",
    project_doc_max_bytes: 0,
    include_environment_context: false,
    include_permissions_instructions: false,
    "skills.include_instructions": false,
    "skills.bundled.enabled": false,
    "history.persistence": "none",
    ...(effort !== undefined && { model_reasoning_effort: effort }),
    ...(baseUrl !== undefined && { model_provider: "kit" }),
    ...(baseUrl !== undefined &&
      Object.fromEntries(
        Object.entries(endpoint).map(([key, value]) => [`model_providers.kit.${key}`, value]),
      )),
  };
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    "read-only",
    "--ephemeral",
    "--ignore-user-config",
    "--ignore-rules",
    "--color",
    "never",
    "--model",
    model,
    ...switchedOff.flatMap((feature) => ["--disable", feature]),
    // Texts of JSON are texts of TOML.
    ...Object.entries(settings).flatMap(([key, value]) => [
      "-c",
      `${key}=${JSON.stringify(value)}`,
    ]),
    "-",
  ];
}

function codexEnvironment(env: Environment, binding?: Binding): Record<string, string | undefined> {
  const { passEnvironment = [], apiKeyEnv } = binding ?? {};
  const named = [...passEnvironment, ...(apiKeyEnv === undefined ? [] : [apiKeyEnv])];
  return environmentWithoutSecrets(env, { named, own: /^(?:CODEX_|OPENAI_)/ });
}

function readOutcome(
  request: CallRequest,
  facts: CodexFacts,
  process: ProcessResult,
  now: number,
): CallResult {
  const { binding } = request.candidate;
  const failure = findFailure(request, facts, process, now);
  const { usage, text } = facts;
  const costUsd = usage && binding.price && costOf(usage, binding.price);
  const rest = {
    ...(usage && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(facts.warnings.length > 0 && {
      notes: facts.warnings.map((line) => `codex said: ${line}`),
    }),
  };
  // Codex does not say which model answered.
  if (failure === undefined) return { ok: true, text, servedBy: nameOf(binding), ...rest };
  const resetAt = failure.kind === "usage_limit" ? failure.resetAt : undefined;
  return {
    ok: false,
    failure,
    ...rest,
    ...(resetAt !== undefined && { resetAt }),
    ...(text !== "" && { partialText: text }),
  };
}

function findFailure(
  request: CallRequest,
  facts: CodexFacts,
  process: ProcessResult,
  now: number,
): Failure | undefined {
  const { binding } = request.candidate;
  const bytes = Buffer.byteLength(facts.text);
  if (process.ended.by === "overflow" || bytes > request.maxReplyBytes)
    return replyTooLarge(request.maxReplyBytes);
  if (facts.tool !== undefined) return toolCalled(facts.tool);
  if (facts.error !== undefined) return readCodexError(facts.error, binding, now);
  if (!facts.completed || !endedAfterAnswer(process))
    return readSilentEnding(agent.name, request, process, bytes, now);
  return findFault({ ...facts, stopReason: "stop" }, binding);
}
