import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFiles } from "../../support/repository.ts";
import { conformance, testConformance } from "../conformance.ts";
import { callOf, piWithModels } from "../support.ts";

// Through the real pi; each start costs 0.4 s of processor, so the full table is a slow test.

const handful = ["ok", "unauthorized", "usage-limit", "truncated"];

describe("a handful of the table", () => {
  testConformance(
    conformance.filter(({ model }) => handful.includes(model)),
    () => piWithModels(),
  );
});

test("of the user's own pi nothing reaches the model, and nothing of it is written", async () => {
  const { adapter, server, env } = await piWithModels();
  const agentFolder = env.PI_CODING_AGENT_DIR ?? "";
  const ran = join(agentFolder, "extension-ran");
  writeFiles(agentFolder, {
    "SYSTEM.md": "FOREIGN",
    "APPEND_SYSTEM.md": "FOREIGN",
    "AGENTS.md": "FOREIGN",
    "settings.json": '{"retry":{"enabled":true},"defaultModel":"foreign"}',
    "skills/foreign/SKILL.md": "---\nname: foreign\ndescription: FOREIGN\n---\nFOREIGN\n",
    "prompts/foreign.md": "FOREIGN $@",
    "extensions/foreign.js": `require("fs").writeFileSync(${JSON.stringify(ran)}, "")`,
  });
  const before = readdirSync(agentFolder);
  const prompt = "/foreign - a list\n- \u{1f600} @file !ls\r\n=== END === k3f9";

  // The server fails: with the user's retries there would be four requests.
  const result = await adapter.call(callOf("fake/server-error", { prompt }));

  expect(result).toMatchObject({ ok: false, failure: { kind: "overloaded" } });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    user: prompt,
    system: expect.stringMatching(
      /^You are a test\.\s+<cwd>\s+\S+\/kit\/pi\/[0-9a-f]{12}\s+<\/cwd>$/,
    ) as string,
  });
  expect(server.requests[0]?.body).not.toHaveProperty("tools");
  expect(existsSync(ran)).toBe(false);
  const added = readdirSync(agentFolder).filter((name) => !before.includes(name));
  expect(added.filter((name) => !["auth.json", "models-store.json"].includes(name))).toEqual([]);
});

test("a prompt of 500 KB arrives whole", async () => {
  const { adapter, server } = await piWithModels();
  const prompt = `${"0123456789abcde\n".repeat(32_000)}the last line`;

  const result = await adapter.call(callOf("fake/echo", { prompt }));

  expect(result).toMatchObject({ ok: true, text: "read: the last line" });
  expect(server.requests[0]?.user).toBe(prompt);
});

test("a whole reply is told of while pi still ends, one that was cut off is not", async () => {
  const { adapter } = await piWithModels();
  const told: string[] = [];
  let isOver = false;
  const onReply = (text: string): void => void told.push(`${text}, over: ${isOver}`);

  const result = await adapter.call(callOf("fake/echo", { prompt: "hi", onReply }));
  isOver = true;
  await adapter.call(callOf("fake/truncated", { onReply }));

  expect(result).toMatchObject({ ok: true, text: "read: hi" });
  expect(told).toEqual(["read: hi, over: false"]);
});

test("a call that is cancelled ends at once, and its request with it", async () => {
  const { adapter, server } = await piWithModels();
  const stop = new AbortController();
  const call = adapter.call(callOf("fake/hang-mid", { signal: stop.signal }));
  await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
  stop.abort();

  expect(await call).toMatchObject({ ok: false, failure: { kind: "interrupted" } });
  expect(server.requests[0]?.answered).toBe(false);
});

test("pi's models are listed with what is known of them, and no price where there is none", async () => {
  const { adapter } = await piWithModels();

  const models = await adapter.models();

  expect(models).toContainEqual({
    provider: "fake",
    model: "ok-cached",
    contextWindow: 128_000,
    reasoning: false,
    vision: false,
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/fake\/v1$/) as unknown,
    price: { input: 1, output: 2, cacheRead: 0.1 },
  });
  expect(models.find(({ model }) => model === "ok-unpriced")).not.toHaveProperty("price");
});
