import type { Binding, Failure } from "../../contracts/index.ts";
import { isOwnNetwork } from "../../lib/hosts.ts";
import { nameOf } from "../answer.ts";
import type { Environment } from "../program.ts";

/** An OpenAI-compatible server, with the key that belongs to it. */
export interface Endpoint {
  /** Ends without a slash; what stands in front of `/chat/completions`. */
  readonly base: string;
  /** Sent to this endpoint's origin and nowhere else. */
  readonly key?: string;
}

/**
 * The API's address by the `base_url` of a binding: as it stands, with `/v1` where it has no path;
 * a `/chat/completions` at its end is dropped.
 */
export function apiBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return `${url.origin}${path === "" ? "/v1" : path}`;
}

/** The endpoint of a binding, or why it cannot be called; no message ever holds the key. */
export function endpointOf(
  binding: Binding,
  env: Environment,
): { readonly endpoint: Endpoint } | { readonly failure: Failure } {
  const who = nameOf(binding);
  const { baseUrl, apiKeyEnv } = binding;
  if (baseUrl === undefined || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    return misconfigured(`${who} has no base_url: add it to its binding`);
  const url = new URL(baseUrl);
  if (url.protocol === "http:" && !isOwnNetwork(url.hostname) && binding.insecureHttp !== true)
    return misconfigured(
      `${who} would get prompts unencrypted at ${url.origin}: use https, or say insecure_http: true in its binding`,
    );
  const base = apiBase(baseUrl);
  if (apiKeyEnv === undefined) return { endpoint: { base } };
  const key = env[apiKeyEnv]?.trim() ?? "";
  if (key === "")
    return signedOut(`${who} has no key: the environment variable ${apiKeyEnv} is not set`);
  if (!/^[\u0021-\u007e]+$/.test(key))
    return signedOut(`${who} has no usable key: ${apiKeyEnv} holds blanks or unusual characters`);
  return { endpoint: { base, key } };
}

function misconfigured(message: string): { readonly failure: Failure } {
  return { failure: { kind: "model_not_found", message } };
}

function signedOut(message: string): { readonly failure: Failure } {
  return { failure: { kind: "auth", message } };
}
