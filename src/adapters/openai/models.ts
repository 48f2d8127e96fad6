import { KitError, type AdapterModel, type Binding, type Price } from "../../contracts/index.ts";
import type { Environment } from "../program.ts";
import { apiBase, endpointOf, type Endpoint } from "./endpoint.ts";
import { sendHttp, type HttpEnding } from "./http.ts";

type Json = Readonly<Record<string, unknown>>;

const maxListBytes = 16 * 1024 * 1024;

/**
 * The models of every endpoint that a binding names, each under the binding's provider. An
 * endpoint that does not answer is left out where another one does.
 * @throws KitError `environment` when none of them answers.
 */
export async function listEndpoints(
  bindings: readonly Binding[],
  env: Environment,
  signal?: AbortSignal,
): Promise<readonly AdapterModel[]> {
  const named = bindings.filter(
    ({ adapter, baseUrl }) => adapter === "openai" && baseUrl !== undefined,
  );
  const distinct = new Map(
    named.map((binding) => [`${binding.provider} ${apiBase(binding.baseUrl ?? "")}`, binding]),
  );
  const listed = await Promise.allSettled(
    [...distinct.values()].map(async (binding) => {
      const found = endpointOf(binding, env);
      if ("failure" in found) throw new KitError("environment", found.failure.message);
      return listEndpoint(binding.provider, found.endpoint, env, signal);
    }),
  );
  const failed = listed.find((each) => each.status === "rejected");
  const answered = listed.filter((each) => each.status === "fulfilled");
  if (failed !== undefined && answered.length === 0) throw failed.reason;
  return answered.flatMap(({ value }) => value);
}

/** @throws KitError `environment` when the endpoint gives no list. */
async function listEndpoint(
  provider: string,
  endpoint: Endpoint,
  env: Environment,
  signal: AbortSignal | undefined,
): Promise<readonly AdapterModel[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let status = 0;
  const ended = await sendHttp({
    method: "GET",
    url: new URL(`${endpoint.base}/models`),
    headers: {
      accept: "application/json",
      ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
    },
    env,
    timeoutMs: 15_000,
    idleTimeoutMs: 10_000,
    signal,
    onHead: (head) => (status = head.status),
    onBytes(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      return bytes <= maxListBytes;
    },
  });
  const text = Buffer.concat(chunks).toString("utf8");
  const models = ended.by === "end" && status === 200 ? readModels(provider, text) : undefined;
  if (models !== undefined) return models;
  throw new KitError(
    "environment",
    `${endpoint.base} does not list its models (${why(ended, status)})`,
    {
      next: `Start the server, or correct base_url. Try: curl ${endpoint.base}/models`,
    },
  );
}

function why(ended: HttpEnding, status: number): string {
  if (ended.by === "error") return ended.code;
  return ended.by === "end" ? `HTTP ${status}` : ended.by;
}

/**
 * Reads an answer to `GET /v1/models`; undefined when it is none. What servers add is taken where
 * they add it: vLLM `max_model_len`, OpenRouter `context_length`, `pricing` and `architecture`,
 * Groq `context_window`, Mistral `max_context_length`, llama.cpp `meta.n_ctx`. What a model was
 * trained with (`n_ctx_train`) is no window: servers are often started with a smaller one.
 */
export function readModels(provider: string, body: string): readonly AdapterModel[] | undefined {
  let list: unknown;
  try {
    const parsed: unknown = JSON.parse(body);
    list = Array.isArray(parsed) ? parsed : (parsed as Json | null)?.data;
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  return (list as unknown[]).flatMap((entry) => {
    const model = object(entry);
    return typeof model.id === "string" && model.id !== ""
      ? [readModel(provider, model.id, model)]
      : [];
  });
}

function readModel(provider: string, id: string, model: Json): AdapterModel {
  const windows = [
    model.max_model_len,
    model.context_length,
    model.context_window,
    model.max_context_length,
    object(model.meta).n_ctx,
  ];
  const contextWindow = windows.find(
    (size): size is number => typeof size === "number" && size > 0,
  );
  const inputs = object(model.architecture).input_modalities;
  const price = readPrice(object(model.pricing));
  return {
    provider,
    model: id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(Array.isArray(inputs) && { vision: inputs.includes("image") }),
    ...(price !== undefined && { price }),
  };
}

/** OpenRouter: USD a token, as text. */
function readPrice(pricing: Json): Price | undefined {
  const input = perMillion(pricing.prompt);
  const output = perMillion(pricing.completion);
  const cacheRead = perMillion(pricing.input_cache_read);
  const cacheWrite = perMillion(pricing.input_cache_write);
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

function perMillion(usd: unknown): number | undefined {
  const number = typeof usd === "string" && usd.trim() !== "" ? Number(usd) : usd;
  if (typeof number !== "number" || !(number >= 0)) return undefined;
  return Number((number * 1e6).toPrecision(12));
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
