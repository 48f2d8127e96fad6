import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../support/repository.ts";
import { callOf, piWithModels } from "./support.ts";

// Further behaviour through the real pi 1.x.

test("an extension's provider is reached by a binding with extensions, and by no other", async () => {
  const { adapter, server, env } = await piWithModels();
  writeFiles(env.PI_CODING_AGENT_DIR ?? "", {
    "extensions/mine.js": `export default (pi) => {
      pi.registerProvider("mine", {
        baseUrl: ${JSON.stringify(`${server.url}/fake/v1`)}, apiKey: "sk-mine", api: "openai-completions",
        models: [{ id: "ok", name: "ok", reasoning: false, input: ["text"], contextWindow: 1000, maxTokens: 100,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
      });
      pi.registerTool({ name: "zap", label: "zap", description: "zap", parameters: { type: "object", properties: {} },
        execute: async () => ({ content: [] }) });
    };`,
  });

  const without = await adapter.call(callOf("mine/ok"));
  const result = await adapter.call(callOf("mine/ok", { binding: { extensions: true } }));

  expect(without).toMatchObject({ ok: false, failure: { kind: "model_not_found" } });
  expect(result).toMatchObject({ ok: true, text: "FIXED REPLY" });
  expect(server.requests[0]?.body).not.toHaveProperty("tools");
});

test("the thinking level reaches the model", async () => {
  const { adapter, server } = await piWithModels();

  await adapter.call(callOf("fake/ok-reasoning", { binding: { thinking: "high" } }));
  await adapter.call(callOf("fake/ok-reasoning", { binding: { thinking: "off" } }));

  expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: "high" });
  expect(server.requests[1]?.body).not.toHaveProperty("reasoning_effort");
});

test("a name that pi matches loosely runs no other model to its end", async () => {
  const { adapter } = await piWithModels();

  expect(await adapter.call(callOf("fake/rate"))).toMatchObject({
    ok: false,
    failure: { kind: "wrong_model", asked: "fake/rate" },
  });
});

test.each([
  ["nope/nothing", "model_not_found"],
  ["fake/not-in-the-list", "model_not_found"],
  ["openai/gpt-4o", "auth"],
])("%s, which this pi cannot call, is %s", async (name, kind) => {
  const { adapter } = await piWithModels();

  expect(await adapter.call(callOf(name))).toMatchObject({ ok: false, failure: { kind } });
});

test("a models.json that is broken is an unknown model, with where to look", async () => {
  const { adapter, env } = await piWithModels();
  writeFiles(env.PI_CODING_AGENT_DIR ?? "", { "models.json": "{broken" });

  expect(await adapter.call(callOf("fake/ok"))).toMatchObject({
    failure: {
      kind: "model_not_found",
      message: expect.stringContaining("pi --list-models") as string,
    },
  });
});

test("a proxy of the environment is not used for a model on this machine", async () => {
  const { adapter } = await piWithModels(undefined, {
    env: { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" },
  });

  expect((await adapter.call(callOf("fake/ok"))).ok).toBe(true);
});

test.runIf(process.platform === "linux")(
  "a pi killed from outside is named so, and its request ends",
  async () => {
    const { adapter, server, env } = await piWithModels();
    const call = adapter.call(callOf("fake/hang-mid"));
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
    process.kill(pidOfPi(env.HOME ?? ""), "SIGKILL");

    expect(await call).toMatchObject({
      ok: false,
      failure: { kind: "provider_unknown", message: expect.stringContaining("SIGKILL") as string },
    });
  },
);

test("eight calls at once all come back, in one working folder", async () => {
  const { adapter, server } = await piWithModels();

  const calls = Array.from({ length: 8 }, (_, index) =>
    adapter.call(
      callOf("fake/echo", { prompt: `call ${index}`, timeoutMs: 100_000, idleTimeoutMs: 100_000 }),
    ),
  );
  const texts = (await Promise.all(calls)).map((result) =>
    result.ok ? result.text : result.failure,
  );

  expect(texts).toEqual(Array.from({ length: 8 }, (_, index) => `read: call ${index}`));
  expect(new Set(server.requests.map(({ system }) => system)).size).toBe(1);
});

/** The pi whose HOME is this test's, by Linux's /proc. */
function pidOfPi(home: string): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join("/proc", pid, "environ"), "utf8").split("\0");
      const command = readFileSync(join("/proc", pid, "cmdline"), "utf8");
      if (environment.includes(`HOME=${home}`) && command.includes("pi")) return Number(pid);
    } catch {
      // Gone meanwhile, or somebody else's.
    }
  }
  throw new Error("no pi of this test is running");
}
