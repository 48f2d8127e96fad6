import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOpenAiAdapter, type OpenAiAdapterOptions } from "../../../src/adapters/index.ts";
import type { Binding, CallResult } from "../../../src/contracts/index.ts";
import { callOf } from "../support.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface Endpoint {
  readonly url: string;
  readonly seen: IncomingMessage[];
  call(binding?: Partial<Binding>, options?: Partial<OpenAiAdapterOptions>): Promise<CallResult>;
}

/** An endpoint on loopback that answers as told, for what the model server never does. */
async function endpoint(answer: Answer): Promise<Endpoint> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume().on("end", () => answer(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    call: (binding, options) =>
      createOpenAiAdapter({ env: {}, lingerMs: 100, ...options }).call(
        callOf("lab/m", { binding: { adapter: "openai", baseUrl: url, ...binding } }),
      ),
  };
}

const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: "m", choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;

const stream =
  (text: string, type = "text/event-stream"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.end(text);
  };

describe("a key", () => {
  const key = "lab-0123456789abcdef";
  const env = { LAB_KEY: key, OPENAI_API_KEY: "sk-another" };

  test("is read from the named variable and sent as a bearer", async () => {
    const server = await endpoint(stream(chunk("hi", "stop")));

    await server.call({ apiKeyEnv: "LAB_KEY" }, { env });
    await server.call({}, { env });

    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${key}`,
      undefined,
    ]);
  });

  test("is sent to no other address, and none is followed", async () => {
    const other = await endpoint(stream(chunk("stolen", "stop")));
    const server = await endpoint((response) => {
      response.writeHead(307, { location: `${other.url}/v1/chat/completions` });
      response.end();
    });

    const result = await server.call({ apiKeyEnv: "LAB_KEY" }, { env });

    expect(result).toMatchObject({
      failure: { kind: "provider_unknown", message: expect.stringContaining("base_url") as string },
    });
    expect(other.seen).toEqual([]);
  });

  test("is in no failure, also where the server quotes it", async () => {
    const server = await endpoint((response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }));
    });

    const result = await server.call({ apiKeyEnv: "LAB_KEY" }, { env });

    expect(result).toMatchObject({ ok: false, failure: { kind: "auth" } });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(JSON.stringify(result)).toContain("LAB_KEY");
  });
});

describe("a reply", () => {
  test.each([
    [
      "that is not streamed",
      JSON.stringify({
        model: "m",
        choices: [{ message: { content: "hi" }, finish_reason: "stop" }],
      }),
      "application/json",
    ],
    ["under a plain type", chunk("hi", "stop"), "text/plain"],
    [
      "with CRLF and comments",
      `: ping\r\n\r\n${chunk("hi", "stop").replaceAll("\n", "\r\n")}`,
      "text/event-stream",
    ],
    [
      "in parts of a list",
      `data: {"choices":[{"delta":{"content":[{"type":"thinking"},{"type":"text","text":"hi"}]},"finish_reason":"stop"}]}\n\n`,
      "text/event-stream",
    ],
    [
      "with an empty first chunk and no usage",
      `data: {"model":"","choices":[]}\n\n${chunk("hi", "stop")}data: {"choices":[],"usage":null}\n\ndata: [DONE]\n\n`,
      "text/event-stream",
    ],
  ])("%s is read", async (_, text, type) => {
    const server = await endpoint(stream(text, type));

    expect(await server.call()).toMatchObject({ ok: true, text: "hi", servedBy: "lab/m" });
  });

  test("keeps its characters where chunks cut them", async () => {
    const bytes = Buffer.from(chunk("a😀\r\nあ\u2028", "stop"));
    const server = await endpoint((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const next = (at: number): void => {
        if (at >= bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    });

    expect(await server.call()).toMatchObject({ ok: true, text: "a😀\r\nあ\u2028" });
  });

  test("is whole once its finish reason came, also from a server that never ends", async () => {
    const server = await endpoint((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk("hi", "stop"));
    });

    expect(await server.call()).toMatchObject({
      ok: true,
      text: "hi",
      notes: [expect.stringContaining("did not end")],
    });
  });

  test("was cut where a gateway ends it without a finish reason", async () => {
    const server = await endpoint(stream(`${chunk("HALF")}data: [DONE]\n\n`));

    expect(await server.call()).toMatchObject({
      failure: { kind: "network" },
      partialText: "HALF",
    });
  });

  test("of OpenRouter costs what it says", async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6, cost: 0.25 };
    const server = await endpoint(
      stream(`${chunk("hi", "stop")}data: ${JSON.stringify({ choices: [], usage })}\n\n`),
    );

    expect(await server.call()).toMatchObject({
      costUsd: 0.25,
      usage: { input: 5, output: 1, total: 6 },
    });
  });
});

test("a prompt that the server read in part alone is noted", async () => {
  const usage = { prompt_tokens: 2048, completion_tokens: 1, total_tokens: 2049 };
  const server = await endpoint(
    stream(`${chunk("hi", "stop")}data: ${JSON.stringify({ choices: [], usage })}\n\n`),
  );
  const prompt = "read all of this, please. ".repeat(2000);
  const binding = { adapter: "openai", baseUrl: server.url };

  const result = await createOpenAiAdapter({ env: {} }).call(callOf("lab/m", { prompt, binding }));

  expect(result).toMatchObject({ ok: true, notes: [expect.stringContaining("read 2048 tokens")] });
});

describe("a failure", () => {
  test.each([
    [
      "an error event",
      `event: error\ndata: {"type":"overloaded_error","message":"Overloaded"}\n\n`,
      "overloaded",
    ],
    [
      "vLLM's error object",
      `data: {"object":"error","message":"This model's maximum context length is 10 tokens","code":400}\n\n`,
      "context_overflow",
    ],
    [
      "a refusal",
      `data: {"choices":[{"delta":{"refusal":"I cannot help."},"finish_reason":"stop"}]}\n\n`,
      "refused",
    ],
    [
      "a word about limits in a reply",
      chunk("HTTP 429 rate limit quota timeout auth", "stop"),
      undefined,
    ],
  ])("is read from %s", async (_, text, kind) => {
    const result = await (await endpoint(stream(text))).call();

    expect(result.ok ? undefined : result.failure.kind).toBe(kind);
  });

  test.each([
    ["a header's days", { "retry-after": "90000" }, {}, { kind: "usage_limit" }],
    ["a header's seconds", { "retry-after": "7" }, {}, { kind: "rate_limit", retryAfterMs: 7000 }],
    [
      "the longer of header and text",
      { "retry-after": "1" },
      { message: "try again in 20s" },
      { kind: "rate_limit", retryAfterMs: 20_000 },
    ],
  ])("tells the wait by %s", async (_, headers, error, failure) => {
    const server = await endpoint((response) => {
      response.writeHead(429, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ error: { message: "Rate limited", ...error } }));
    });

    expect(await server.call()).toMatchObject({ ok: false, failure });
  });

  test("names a server that is not there", async () => {
    expect(
      await (await endpoint(() => undefined)).call({ baseUrl: "http://127.0.0.1:1" }),
    ).toMatchObject({
      failure: {
        kind: "network",
        message: expect.stringContaining("http://127.0.0.1:1: nothing listens there") as string,
      },
    });
  });
});

test("no proxy stands between kit and this machine", async () => {
  const server = await endpoint(stream(chunk("hi", "stop")));
  const proxy = { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" };

  expect(await server.call({}, { env: proxy })).toMatchObject({ ok: true });
});

test("the thinking level is asked for, and nothing that a binding does not say", async () => {
  const bodies: string[] = [];
  const server = await endpoint((response) => stream(chunk("hi", "stop"))(response, response.req));
  server.seen.push = (request: IncomingMessage) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => bodies.push(Buffer.concat(parts).toString()));
    return 0;
  };

  await server.call({ thinking: "max" });
  await server.call();

  expect(bodies.map((body) => Object.keys(JSON.parse(body) as object))).toEqual([
    ["model", "messages", "stream", "stream_options", "reasoning_effort"],
    ["model", "messages", "stream", "stream_options"],
  ]);
});

test("models are listed once for each address, under the binding's provider", async () => {
  const server = await endpoint((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"data":[{"id":"one"},{"id":"two","max_model_len":4096}]}');
  });
  const bindings = ["m", "other"].map(
    (model) =>
      callOf(`lab/${model}`, { binding: { adapter: "openai", baseUrl: server.url } }).candidate
        .binding,
  );

  expect(await createOpenAiAdapter({ env: {}, bindings }).models()).toEqual([
    { provider: "lab", model: "one" },
    { provider: "lab", model: "two", contextWindow: 4096 },
  ]);
  expect(server.seen.map(({ url }) => url)).toEqual(["/v1/models"]);
});

test("an address that lists nothing is an environment error that says what to try", async () => {
  const bindings = [
    callOf("lab/m", { binding: { adapter: "openai", baseUrl: "http://127.0.0.1:1" } }).candidate
      .binding,
  ];

  await expect(createOpenAiAdapter({ env: {}, bindings }).models()).rejects.toMatchObject({
    kind: "environment",
    next: expect.stringContaining("curl http://127.0.0.1:1/v1/models") as string,
  });
});
