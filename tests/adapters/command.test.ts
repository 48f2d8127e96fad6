import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../fixtures/model-server/index.ts";
import { createCommandAdapter } from "../../src/adapters/index.ts";
import type { Binding, CallRequest, CallResult } from "../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import {
  conformance,
  testBehaviours,
  testConformance,
  type ConformanceSetup,
} from "./conformance.ts";
import { callOf, failures, privateEnvironment } from "./support.ts";

/** Calls a shell line as a program. */
function callShell(
  line: string,
  changes: Partial<CallRequest> = {},
  binding: Partial<Binding> = {},
  env: Record<string, string> = {},
): Promise<CallResult> {
  const adapter = createCommandAdapter({ env: privateEnvironment(env) });
  const command = ["sh", "-c", line, "sh", "{model}", "{system_file}"];
  return adapter.call(
    callOf("lab/m", { ...changes, binding: { adapter: "command", command, ...binding } }),
  );
}

describe("a program", () => {
  test("gets the prompt on stdin and the rest as its binding says, in an empty folder", async () => {
    const result = await callShell('ls; echo "$1"; cat "$2"; echo; cat', { prompt: "-- hi\r\n😀" });

    expect(result).toMatchObject({
      ok: true,
      servedBy: "lab/m",
      text: expect.stringMatching(/^system-\S+\.txt\nm\nYou are a test\.\n-- hi\r\n😀$/) as string,
    });
    expect(result).not.toHaveProperty("usage");
  });

  test("that names no file for the system prompt gets it in front of the prompt", async () => {
    const result = await callShell("", {}, { command: ["cat"] });

    expect(result).toMatchObject({ ok: true, text: "You are a test.\n\nsay hi" });
  });

  test("leaves no system prompt behind", async () => {
    const env = privateEnvironment();
    const adapter = createCommandAdapter({ env });
    const command = ["sh", "-c", "exit 1", "{system_file}"];

    await adapter.call(callOf("lab/m", { binding: { adapter: "command", command } }));

    expect(readdirSync(join(env.HOME ?? "", ".cache/kit/command/empty"))).toEqual([]);
  });

  test("sees no credentials but those that its binding names", async () => {
    const secrets = {
      OPENAI_API_KEY: "sk-1",
      LAB_TOKEN: "t-2",
      DATABASE_URL: "postgres://u:pw12345@h/d",
      EDITOR: "vi",
    };

    const result = await callShell("env", {}, { passEnvironment: ["LAB_TOKEN"] }, secrets);

    const text = result.ok ? result.text : "";
    expect(text).toContain("LAB_TOKEN=t-2");
    expect(text).toContain("EDITOR=vi");
    expect(text).not.toMatch(/OPENAI_API_KEY|DATABASE_URL/);
  });

  test.each([
    ["fails without a word", "exit 3", "provider_unknown", "failed (exit 3)"],
    [
      "says a known error last",
      "echo start >&2; echo '429 Too Many Requests' >&2; exit 1",
      "rate_limit",
      "429",
    ],
    ["talks of limits and succeeds", "echo 'rate limit 429' >&2; echo hi", undefined, ""],
    ["says nothing", "true", "empty_reply", "an empty answer"],
    ["says an empty fence", "printf '```\\n```\\n'", "empty_reply", "an empty answer"],
    ["prints no text", "printf '\\377\\376'", "provider_unknown", "not UTF-8"],
    ["is killed from outside", "kill -9 $$", "provider_unknown", "SIGKILL"],
  ])("that %s", async (_, line, kind, says) => {
    const result = await callShell(line);

    expect(result.ok ? undefined : result.failure.kind).toBe(kind);
    expect(result.ok ? "" : result.failure.message).toContain(says);
  });

  test("is ended when it prints more than a reply may hold", async () => {
    expect(await callShell("yes", { maxReplyBytes: 100_000 })).toMatchObject({
      failure: { kind: "reply_too_large" },
    });
  });

  test("that is not there is a fault of its binding, named", async () => {
    expect(await callShell("", {}, { command: ["no-such-program"] })).toMatchObject({
      failure: {
        kind: "model_not_found",
        message: expect.stringContaining("names no-such-program") as string,
      },
    });
  });

  test("does not write where kit was started", async () => {
    await callShell("echo x > written-here");

    expect(existsSync(resolve("written-here"))).toBe(false);
  });
});

/** A program as people write them: the model server's words on stdout, its errors on stderr. */
const client = `
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const [url, model, system] = process.argv.slice(2);
  const { readFileSync } = await import("node:fs");
  const messages = [
    { role: "system", content: readFileSync(system, "utf8") },
    { role: "user", content: Buffer.concat(chunks).toString() },
  ];
  try {
    const body = JSON.stringify({ model, messages, stream: true });
    const answer = await fetch(url + "/chat/completions", { method: "POST", body });
    if (!answer.ok) throw new Error(answer.status + ": " + JSON.stringify((await answer.json()).error));
    let rest = "";
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + part).split("\\n\\n");
      rest = events.pop();
      for (const event of events.filter((each) => each.startsWith("data: {")))
        process.stdout.write(JSON.parse(event.slice(6)).choices[0]?.delta.content ?? "");
    }
  } catch (error) {
    console.error(error.cause?.message ?? error.message);
    process.exitCode = 1;
  }
`;

async function setup(): Promise<ConformanceSetup> {
  const server = await startModelServer(failures);
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  writeFiles(folder, { "client.mjs": client });
  const file = join(folder, "client.mjs");
  return {
    adapter: createCommandAdapter({ env: privateEnvironment() }),
    server,
    binding: {
      adapter: "command",
      command: [process.execPath, file, `${server.url}/fake/v1`, "{model}", "{system_file}"],
    },
  };
}

/** What a program's stdout, stderr and exit code can tell. */
const told = ["unauthorized", "overflow", "empty", "hang-before"];

describe("through a program of the user's", () => {
  testConformance(
    conformance.filter(({ model }) => told.includes(model)),
    setup,
  );
  testBehaviours(setup);
});
