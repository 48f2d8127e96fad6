import {
  KitError,
  type Adapter,
  type Binding,
  type CallRequest,
  type CallResult,
  type Thinking,
} from "../../contracts/index.ts";
import { withoutKey } from "../answer.ts";
import type { Environment } from "../program.ts";
import { AnswerReader } from "./answer-reader.ts";
import { endpointOf, type Endpoint } from "./endpoint.ts";
import { sendHttp } from "./http.ts";
import { listEndpoints } from "./models.ts";
import { readOutcome } from "./outcome.ts";

export interface OpenAiAdapterOptions {
  /** kit's own environment: keys are read from the variables that bindings name. */
  readonly env: Environment;
  /** Bindings whose endpoints `models` asks; absent: none. */
  readonly bindings?: readonly Binding[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a stream may stay open after its finish reason; then kit closes it. */
  readonly lingerMs?: number;
}

/** Calls models of OpenAI-compatible endpoints over HTTP, streamed (`docs/adapters.md`). */
export function createOpenAiAdapter(options: OpenAiAdapterOptions): Adapter {
  const { env, bindings = [], now = Date.now, lingerMs = 5000 } = options;
  return {
    name: "openai",

    check: () => Promise.resolve({ program: "built in", version: process.versions.node }),

    async call(request) {
      if (request.prompt.trim() === "") throw new KitError("usage", "The prompt is empty");
      const found = endpointOf(request.candidate.binding, env);
      if ("failure" in found) return { ok: false, failure: found.failure };
      const { endpoint } = found;
      return withoutKey(
        await callEndpoint(request, endpoint, { env, now, lingerMs }),
        endpoint.key,
      );
    },

    models: (signal) => listEndpoints(bindings, env, signal),
  };
}

type CallOptions = Required<Pick<OpenAiAdapterOptions, "env" | "now" | "lingerMs">>;

async function callEndpoint(
  request: CallRequest,
  endpoint: Endpoint,
  { env, now, lingerMs }: CallOptions,
): Promise<CallResult> {
  const answer = new AnswerReader(request, lingerMs);
  const ended = await sendHttp({
    method: "POST",
    url: new URL(`${endpoint.base}/chat/completions`),
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
    },
    body: JSON.stringify(bodyOf(request)),
    env,
    timeoutMs: request.timeoutMs,
    idleTimeoutMs: request.idleTimeoutMs,
    signal: AbortSignal.any([request.signal, answer.lingered]),
    onHead: answer.onHead,
    onBytes: answer.onBytes,
  });
  const lingered = answer.lingered.aborted && !request.signal.aborted;
  return readOutcome({
    ...answer.finish(),
    request,
    ended: lingered ? { by: "enough" } : ended,
    lingered,
    now: now(),
    origin: new URL(endpoint.base).origin,
  });
}

/** Only what every endpoint knows; `reasoning_effort` where the binding asks for a level. */
function bodyOf({ candidate, systemPrompt, prompt }: CallRequest): object {
  const { model, thinking } = candidate.binding;
  return {
    model,
    messages: [
      ...(systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }]),
      { role: "user", content: prompt },
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(thinking !== undefined && { reasoning_effort: effortOf(thinking) }),
  };
}

function effortOf(thinking: Thinking): string {
  if (thinking === "off") return "none";
  return thinking === "max" ? "xhigh" : thinking;
}
