import { describe, expect, test } from "vitest";
import { apiBase, endpointOf } from "../../../src/adapters/openai/endpoint.ts";
import { readModels } from "../../../src/adapters/openai/models.ts";
import { waitOfHeaders } from "../../../src/adapters/provider-errors/header-waits.ts";
import type { Binding } from "../../../src/contracts/index.ts";
import { callOf } from "../support.ts";

const now = Date.parse("2026-11-30T12:00:00Z");

describe("the wait that headers tell", () => {
  test.each([
    ["seconds", { "retry-after": "20" }, 20_000],
    ["a date", { "retry-after": "Mon, 30 Nov 2026 12:01:00 GMT" }, 60_000],
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "2" }, 1500],
    [
      "the spent one of several limits",
      {
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "12h",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s",
      },
      360_000,
    ],
    [
      "parts of a second",
      { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7.66s" },
      7660,
    ],
    [
      "milliseconds since the epoch",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now + 5000) },
      5000,
    ],
    [
      "seconds since the epoch",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 60) },
      60_000,
    ],
    [
      "Anthropic's date",
      {
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-tokens-reset": "2026-11-30T12:00:30Z",
      },
      30_000,
    ],
    [
      "nothing where nothing is spent",
      { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "9" },
      undefined,
    ],
    ["nothing of a time without a zone", { "retry-after": "2026-11-30 12:00:30" }, undefined],
    ["nothing at all", {}, undefined],
  ])("%s", (_, headers, wait) => {
    expect(waitOfHeaders(headers, now)).toBe(wait);
  });
});

describe("the address of an API", () => {
  test.each([
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
    ["http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"],
    ["http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"],
    ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
    ["https://x.example/v1/chat/completions", "https://x.example/v1"],
    ["https://x.example/openai/deployments/a", "https://x.example/openai/deployments/a"],
  ])("of %s is %s", (given, base) => {
    expect(apiBase(given)).toBe(base);
  });
});

describe("an endpoint", () => {
  const bindingOf = (binding: Partial<Binding>): Binding =>
    callOf("lab/m", { binding: { adapter: "openai", ...binding } }).candidate.binding;

  test.each([
    ["no address", {}, "model_not_found", "has no base_url"],
    [
      "plain http to the world",
      { baseUrl: "http://api.example.com/v1" },
      "model_not_found",
      "unencrypted",
    ],
    [
      "a variable that is not set",
      { baseUrl: "https://x.example", apiKeyEnv: "MY_KEY" },
      "auth",
      "MY_KEY is not set",
    ],
    [
      "a variable with a broken key",
      { baseUrl: "https://x.example", apiKeyEnv: "BAD" },
      "auth",
      "BAD holds",
    ],
  ])("with %s is not called", (_, binding, kind, says) => {
    expect(endpointOf(bindingOf(binding), { BAD: "top secret" })).toEqual({
      failure: { kind, message: expect.stringContaining(says) as string },
    });
  });

  test.each([
    [{ baseUrl: "http://gpu-box:8000/v1" }, undefined],
    [{ baseUrl: "http://api.example.com/v1", insecureHttp: true }, undefined],
    [{ baseUrl: "https://x.example/v1", apiKeyEnv: "KEY" }, "k-1"],
  ])("%j may be called", (binding, key) => {
    expect(endpointOf(bindingOf(binding), { KEY: " k-1\n", OPENAI_API_KEY: "never" })).toEqual({
      endpoint: { base: binding.baseUrl, ...(key !== undefined && { key }) },
    });
  });
});

describe("a list of models", () => {
  test.each([
    ["vLLM", { id: "m", max_model_len: 32768 }, { contextWindow: 32768 }],
    ["llama.cpp", { id: "m", meta: { n_ctx: 8192, n_ctx_train: 131072 } }, { contextWindow: 8192 }],
    [
      "llama.cpp that says what it was trained with alone",
      { id: "m", meta: { n_ctx_train: 131072 } },
      {},
    ],
    ["Ollama", { id: "m", object: "model", owned_by: "library" }, {}],
    ["Groq", { id: "m", context_window: 131072 }, { contextWindow: 131072 }],
    [
      "OpenRouter",
      {
        id: "m",
        context_length: 200000,
        pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003" },
        architecture: { input_modalities: ["text", "image"] },
      },
      { contextWindow: 200000, vision: true, price: { input: 3, output: 15, cacheRead: 0.3 } },
    ],
  ])("of %s", (_, entry, read) => {
    expect(readModels("p", JSON.stringify({ data: [entry, { broken: 1 }] }))).toEqual([
      { provider: "p", model: "m", ...read },
    ]);
  });

  test("is none where something else came", () => {
    expect(readModels("p", "<html>")).toBeUndefined();
    expect(readModels("p", '{"error":"no"}')).toBeUndefined();
  });
});
