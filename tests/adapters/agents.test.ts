import { describe, expect, test } from "vitest";
import { createClaudeAdapter, createCodexAdapter } from "../../src/adapters/index.ts";
import { codexErrorTable, readCodexError } from "../../src/adapters/codex/errors.ts";
import { isAskedModel } from "../../src/adapters/claude/outcome.ts";
import type { Binding, CallResult } from "../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { standInPi } from "./stand-in.ts";
import { callOf, privateEnvironment } from "./support.ts";

/**
 * Faults that the real programs do not show on demand; the slow tests run the real ones. The
 * stand-in prints these lines, having noted its environment and arguments on stderr.
 */
async function callStandIn(
  agent: "claude" | "codex",
  lines: readonly (object | string)[],
  {
    code = 0,
    env = {},
    binding = {},
  }: { code?: number; env?: Record<string, string>; binding?: Partial<Binding> } = {},
): Promise<CallResult> {
  const folder = temporaryFolder();
  const printed = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFiles(folder, {
    "agent.mjs": `
      for await (const _ of process.stdin);
      console.error(JSON.stringify({ env: Object.keys(process.env), args: process.argv.slice(2) }));
      process.stdout.write(${JSON.stringify(printed.map((line) => `${line}\n`).join(""))});
      process.exitCode = ${code};`,
  });
  const create = agent === "claude" ? createClaudeAdapter : createCodexAdapter;
  const command = [`${folder}/agent.mjs`];
  return create({ env: privateEnvironment(env) }).call(
    callOf("acme/opus", { binding: { adapter: agent, command, ...binding } }),
  );
}

const text = (said: string): object[] => [
  {
    type: "stream_event",
    event: { type: "message_start", message: { model: "claude-opus-5-20260101" } },
  },
  {
    type: "stream_event",
    event: { type: "content_block_delta", delta: { type: "text_delta", text: said } },
  },
];
const ended = (more: object = {}): object => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "hi",
  stop_reason: "end_turn",
  ...more,
});

describe("Claude Code", () => {
  test("answers with the text of its stream, under the full name of the model", async () => {
    expect(await callStandIn("claude", ["a banner", ...text("a\r\n"), ended()])).toMatchObject({
      ok: true,
      text: "a\r\n",
      servedBy: "acme/claude-opus-5-20260101",
    });
  });

  test("says until when a subscription's window is spent", async () => {
    const limit = {
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: 1_800_000_000 },
    };

    const result = await callStandIn("claude", [limit, ended({ is_error: true })], { code: 1 });

    expect(result).toMatchObject({
      failure: { kind: "usage_limit" },
      resetAt: new Date(1_800_000_000_000).toISOString(),
    });
  });

  test.each([
    [
      "a result after a failure of its own",
      [...text("hi"), ended({ subtype: "error_max_turns" })],
      "provider_unknown",
    ],
    [
      "a word for its error without a status",
      [
        { type: "assistant", error: "authentication_failed" },
        ended({ is_error: true, result: "Not logged in" }),
      ],
      "auth",
    ],
    ["no result", text("hi"), "provider_unknown"],
    ["an exit that contradicts its result", [...text("hi"), ended()], "provider_unknown"],
  ])("with %s gives no reply", async (_, lines, kind) => {
    expect(await callStandIn("claude", lines, { code: 1 })).toMatchObject({ failure: { kind } });
  });

  test("does not see other providers' keys", async () => {
    const env = {
      ANTHROPIC_API_KEY: "a",
      OPENAI_API_KEY: "o",
      CLAUDECODE: "1",
      AWS_SECRET_ACCESS_KEY: "s",
    };

    const result = await callStandIn("claude", [...text("hi"), ended()], { env });

    const noted = result.notes?.join("") ?? "";
    expect(noted).toContain('"ANTHROPIC_API_KEY"');
    expect(noted).not.toMatch(/"(?:OPENAI_API_KEY|CLAUDECODE|AWS_SECRET_ACCESS_KEY)"/);
  });

  test.each([
    ["opus", "claude-opus-5-20260101", true],
    ["sonnet[1m]", "claude-sonnet-5", true],
    ["default", "claude-anything", true],
    ["opus", "claude-haiku-5", false],
    ["claude-opus-5", "claude-opus-5-20260101", true],
    ["claude-opus-5", "claude-haiku-5", false],
  ])("asked for %s may answer as %s: %s", (asked, answered, is) => {
    expect(isAskedModel(asked, answered)).toBe(is);
  });
});

describe("Codex", () => {
  const binding = callOf("acme/opus").candidate.binding;

  test.each(codexErrorTable)("says $kind: $example", ({ kind, example }) => {
    expect(readCodexError(example, binding, 0)).toMatchObject({ kind, detail: example });
  });

  test.each([
    [
      "unexpected status 401 Unauthorized: Incorrect API key provided: x., url: http://h/v1/responses",
      "auth",
    ],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit"],
    [
      "unexpected status 503 Service Unavailable: Unknown error, url: http://h/v1/responses",
      "overloaded",
    ],
    ["something new", "provider_unknown"],
  ])("passes on %s", (said, kind) => {
    expect(readCodexError(said, binding, 0).kind).toBe(kind);
  });

  test("is ended when it uses a tool", async () => {
    const used = { type: "item.started", item: { type: "command_execution", command: "ls" } };

    expect(await callStandIn("codex", [used])).toMatchObject({ failure: { kind: "empty_reply" } });
  });

  test("without the end of its turn gave no reply", async () => {
    const said = { type: "item.completed", item: { type: "agent_message", text: "hi" } };

    expect(await callStandIn("codex", [said])).toMatchObject({
      failure: { kind: "provider_unknown" },
    });
    expect(await callStandIn("codex", [said, { type: "turn.completed", usage: {} }])).toMatchObject(
      {
        ok: true,
        text: "hi",
      },
    );
  });
});

test("an agent that is not installed is an environment error with the command that installs it", async () => {
  const env = { PATH: "/nowhere", HOME: temporaryFolder() };

  await expect(createClaudeAdapter({ env }).check()).rejects.toMatchObject({
    kind: "environment",
    next: expect.stringContaining("npm install -g @anthropic-ai/claude-code") as string,
  });
});

test("an agent's key that is not set is told before it is started", async () => {
  const result = await callStandIn("codex", [], { binding: { apiKeyEnv: "NO_SUCH_KEY" } });

  expect(result).toMatchObject({
    failure: { kind: "auth", message: expect.stringContaining("NO_SUCH_KEY is not set") as string },
  });
});

test("an agent's key is in no failure, also where the provider quotes it", async () => {
  const key = "lab-key-0123456789";
  const said = `unexpected status 401 Unauthorized: Incorrect API key provided: ${key}, url: http://h`;

  const result = await callStandIn("codex", [{ type: "turn.failed", error: { message: said } }], {
    env: { LAB_KEY: key },
    binding: { apiKeyEnv: "LAB_KEY" },
  });

  expect(result).toMatchObject({ failure: { kind: "auth" } });
  expect(JSON.stringify(result)).not.toContain(key);
});

test.each(["pi", "claude", "codex"] as const)(
  "a check of %s that Ctrl-C ends is no fault of the program: the signal's reason is thrown",
  async (name) => {
    const reason = new Error("Interrupted by SIGINT");
    const folder = temporaryFolder();
    writeFiles(folder, { "agent.mjs": "process.stdin.resume(); setInterval(() => {}, 1000);" });
    const command = [`${folder}/agent.mjs`];
    const bindings = [
      callOf("acme/opus", { binding: { adapter: name, command } }).candidate.binding,
    ];
    const env = privateEnvironment({});
    const adapters = {
      pi: () => standInPi("").adapter,
      claude: () => createClaudeAdapter({ env, bindings }),
      codex: () => createCodexAdapter({ env, bindings }),
    };

    await expect(adapters[name]().check(AbortSignal.abort(reason))).rejects.toBe(reason);
  },
);
