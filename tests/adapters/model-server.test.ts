import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  parseScenario,
  piModelsJson,
  startModelServer,
  writePiAgentFolder,
  type ModelServer,
} from "../../fixtures/model-server/index.ts";
import { temporaryFolder } from "../support/repository.ts";
import { failures } from "./support.ts";

async function serve(yaml: string): Promise<ModelServer> {
  const server = await startModelServer(parseScenario(`version: 1\nmodels: { p/m: {} }\n${yaml}`));
  onTestFinished(() => server.close());
  return server;
}

async function ask(
  server: ModelServer,
  prompt: string,
  more: object = {},
  path = "/p/v1",
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}${path}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }], ...more }),
  });
  return { status: response.status, text: await response.text() };
}

function contentOf({ text }: { text: string }): string {
  return (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message
    .content;
}

describe("a rule answers", () => {
  test("by the number of the call", async () => {
    const server = await serve(`rules:
      - { when: { call: 1 }, reply: first }
      - { when: { call: { from: 2, to: 3 } }, reply: then }
      - { reply: later }`);

    const replies = [];
    for (let call = 0; call < 4; call += 1) replies.push(contentOf(await ask(server, "hi")));

    expect(replies).toEqual(["first", "then", "then", "later"]);
  });

  test("by the model, with or without its provider, counted for each provider", async () => {
    const server = await serve(`rules:
      - { when: { model: q/m, call: 1 }, reply: by q }
      - { when: { model: m, call: 1 }, reply: by any }`);

    expect(contentOf(await ask(server, "hi"))).toBe("by any");
    expect(contentOf(await ask(server, "hi", {}, "/q/v1"))).toBe("by q");
    expect(contentOf(await ask(server, "hi", {}, "/v1"))).toBe("by any");
  });

  test("by what the prompt holds and lacks", async () => {
    const server = await serve(`rules:
      - { when: { contains: [red, test] }, reply: both }
      - { when: { lacks: red }, reply: none }
      - { reply: one }`);

    const texts = ["a red test", "green", "red"];
    const replies = await Promise.all(texts.map((text) => ask(server, text)));

    expect(replies.map(contentOf)).toEqual(["both", "none", "one"]);
  });

  test("with what the prompt holds in its placeholders", async () => {
    const server = await serve(`placeholders: { tag: "^=== END === (\\\\S+)$" }
rules: [{ reply: "=== {{tag}} ===" }]`);

    expect(contentOf(await ask(server, "x\n=== END === k3f9\ny"))).toBe("=== k3f9 ===");
    expect((await ask(server, "no tag")).text).toContain("the prompt holds nothing for");
  });
});

test("a streamed reply is the chunks, the finish reason, the usage and the end", async () => {
  const server = await serve(
    `rules: [{ reply: { text: "a😀b", chunkChars: 2, usage: { input: 7, output: 2 } } }]`,
  );

  const { text } = await ask(server, "hi", { stream: true });

  const chunks = text
    .split("\n\n")
    .filter(Boolean)
    .map((line) => line.slice("data: ".length));
  expect(chunks.pop()).toBe("[DONE]");
  const parsed = chunks.map(
    (chunk) => JSON.parse(chunk) as { choices: { delta: { content?: string } }[] },
  );
  expect(parsed.map(({ choices }) => choices[0]?.delta.content ?? "")).toEqual([
    "",
    "a😀",
    "b",
    "",
    "",
  ]);
  expect(chunks.at(-2)).toContain('"finish_reason":"stop"');
  expect(chunks.at(-1)).toContain('"prompt_tokens":7');
});

test("every request is kept, with its body and the rule that answered", async () => {
  const server = await serve(`rules: [{ name: the only one, reply: hi }]`);

  await ask(server, "say hi", { temperature: 1 });

  const log: unknown = await (await fetch(`${server.url}/__log`)).json();
  expect(log).toMatchObject([
    {
      number: 1,
      provider: "p",
      model: "m",
      call: 1,
      rule: "the only one",
      user: "say hi",
      body: { temperature: 1 },
      answered: true,
    },
  ]);
});

test("a request that no rule answers gets an error that says so", async () => {
  const server = await serve(`rules: [{ when: { call: 2 }, reply: hi }]`);

  expect(await ask(server, "hi")).toMatchObject({
    status: 400,
    text: expect.stringContaining("no rule of the scenario answers call 1 of m") as string,
  });
  expect(await ask(server, "hi", { model: "other" })).toMatchObject({ status: 404 });
});

test("its models are listed, all of them and by provider", async () => {
  const server = await startModelServer(failures);
  onTestFinished(() => server.close());
  const list = async (path: string): Promise<number> =>
    ((await (await fetch(`${server.url}${path}/models`)).json()) as { data: unknown[] }).data
      .length;

  expect(await list("/v1")).toBe(Object.keys(server.scenario.models).length);
  expect(await list("/other/v1")).toBe(0);
});

test("pi is told of every model under its provider", () => {
  const scenario = parseScenario(
    "version: 1\nmodels: { a/one: { price: { input: 1, output: 2 } }, b/x/two: { reasoning: true } }\nrules: []",
  );
  const folder = join(temporaryFolder(), "agent");

  writePiAgentFolder(folder, { url: "http://127.0.0.1:1", scenario });

  const written = readFileSync(join(folder, "models.json"), "utf8");
  expect(written).toBe(piModelsJson({ url: "http://127.0.0.1:1", scenario }));
  expect(JSON.parse(written)).toMatchObject({
    providers: {
      a: {
        baseUrl: "http://127.0.0.1:1/a/v1",
        models: [{ id: "one", cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }],
      },
      b: { models: [{ id: "x/two", reasoning: true }] },
    },
  });
});

test.each([
  ["rules: [}", /^s\.yaml:3:\d+: /],
  ["rules: [{ repy: hi }]", /^s\.yaml:3:9: rules\.0: unknown: repy$/],
  ["rules:\n  - reply: { ends: maybe }", /^s\.yaml:4:\d+: rules\.0\.reply/],
  ["rules: [{ when: { call: 1 } }]", /rule 1 needs exactly one of reply, error, connection, raw/],
  ["rules: [{ reply: hi, connection: drop }]", /needs exactly one/],
])("a scenario with a fault is refused, with the place: %s", (rules, message) => {
  expect(() => parseScenario(`version: 1\nmodels: {}\n${rules}`, "s.yaml")).toThrow(message);
});
