import { createOpenAiAdapter } from "../../adapters/index.ts";
import { type AdapterModel, type Binding, KitError } from "../../contracts/index.ts";
import { isLoopback } from "../../lib/hosts.ts";

/** A model server on this machine, as its documents say where it listens. */
export interface LocalEndpoint {
  /** The provider's name in bindings. */
  readonly provider: string;
  readonly baseUrl: string;
  /** It hands prompts on to other machines: its models are not this machine's. */
  readonly isGateway?: true;
}

/** What was heard at an endpoint. */
export interface HeardEndpoint extends LocalEndpoint {
  readonly models: readonly AdapterModel[];
  /** It answers, and gives no list. */
  readonly fault?: string;
}

/** Where servers listen unless told otherwise, by their own documents. */
export const usualEndpoints: readonly LocalEndpoint[] = [
  // https://github.com/ggml-org/llama.cpp/tree/master/tools/server: --port, default 8080
  { provider: "llama-cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  // https://github.com/ollama/ollama/blob/main/docs/openai.md
  { provider: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
  { provider: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
  // https://lmstudio.ai/docs/developer/openai-compat
  { provider: "lm-studio", baseUrl: "http://127.0.0.1:1234/v1" },
  // https://docs.litellm.ai/docs/proxy/quick_start
  { provider: "litellm", baseUrl: "http://127.0.0.1:4000/v1", isGateway: true },
];

/** A server that is there answers a list at once. */
const probeMs = 2_000;

/**
 * The endpoint that a user names.
 * @throws KitError `usage` for an address that is not on this machine
 */
export function namedEndpoint(address: string): LocalEndpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    throw new KitError("usage", `--endpoint ${JSON.stringify(address)} is not on this machine.`, {
      next: "Give one like http://127.0.0.1:8080/v1; others are bound by hand: docs/adapters.md",
    });
  }
  return { provider: `local-${url.port === "" ? "80" : url.port}`, baseUrl: address };
}

/** Asks each endpoint for its models, all at once. Those where nobody answers are left out. */
export async function hearEndpoints(
  endpoints: readonly LocalEndpoint[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly HeardEndpoint[]> {
  const heard = await Promise.all(
    endpoints.map(async (endpoint): Promise<HeardEndpoint | undefined> => {
      const bindings = [bindingOf(endpoint)];
      const limit = AbortSignal.any([signal, AbortSignal.timeout(probeMs)]);
      try {
        const models = await createOpenAiAdapter({ env, bindings }).models(limit);
        const { baseUrl } = endpoint;
        return { ...endpoint, models: models.map((model) => ({ ...model, baseUrl })) };
      } catch (error) {
        if (!(error instanceof KitError)) throw error;
        // Somebody who wants a key is a model server; whoever knows no such path is none.
        return /\(HTTP 40[13]\)$/.test(error.message)
          ? { ...endpoint, models: [], fault: "it wants a key" }
          : undefined;
      }
    }),
  );
  signal.throwIfAborted();
  return heard.filter((each) => each !== undefined);
}

function bindingOf({ provider, baseUrl }: LocalEndpoint): Binding {
  return {
    adapter: "openai",
    provider,
    model: "any",
    quotaPool: provider,
    editFormat: "auto",
    extensions: false,
    baseUrl,
  };
}
