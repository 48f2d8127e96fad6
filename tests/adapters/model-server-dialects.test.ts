import { expect, onTestFinished, test } from "vitest";
import { parseScenario, startModelServer } from "../../fixtures/model-server/index.ts";

async function ask(
  rule: string,
  endpoint: string,
  body: object,
): Promise<{ types: string[]; text: string; status: number; prompt: string }> {
  const server = await startModelServer(
    parseScenario(`version: 1\nmodels: { p/m: {} }\nrules: [${rule}]`),
  );
  onTestFinished(() => server.close());
  const response = await fetch(`${server.url}/p/v1/${endpoint}`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, ...body }),
  });
  const text = await response.text();
  const types = [...text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type ?? "");
  return { types, text, status: response.status, prompt: server.requests[0]?.prompt ?? "" };
}

const messages = {
  system: [{ type: "text", text: "SYS" }],
  messages: [{ role: "user", content: "hi" }],
};
const responses = {
  instructions: "SYS",
  input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
};

test("the Messages API streams blocks, the stop reason and the usage", async () => {
  const reply = "{ reply: { text: hello, reasoning: hm, usage: { input: 7, output: 2 } } }";

  const { types, text, prompt } = await ask(reply, "messages", messages);

  expect(prompt).toBe("SYS\nhi");
  expect([...new Set(types)]).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  expect(text).toContain('"stop_reason":"end_turn"');
  expect(text).toContain('"input_tokens":7');
});

test("the Responses API streams the text, the item and the response", async () => {
  const { types, text, prompt } = await ask("{ reply: hello }", "responses", responses);

  expect(prompt).toBe("SYS\nhi");
  expect(types).toEqual([
    "response.created",
    "response.output_item.added",
    "response.output_text.delta",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(text).toContain('"text":"hello"');
});

test.each([
  ["messages", messages, "length", '"stop_reason":"max_tokens"'],
  ["messages", messages, "content_filter", '"stop_reason":"refusal"'],
  ["responses", responses, "length", '"reason":"max_output_tokens"'],
  ["responses", responses, "network_error", "response.failed"],
])("%s says %j %s in its own words", async (endpoint, body, ends, says) => {
  const { text } = await ask(`{ reply: { text: a, ends: ${ends} } }`, endpoint, body);

  expect(text).toContain(says);
});

test("an error of the Messages API has its own shape", async () => {
  const rule =
    "{ error: { status: 529, body: { error: { message: Overloaded, type: overloaded_error } } } }";

  const { status, text } = await ask(rule, "messages", messages);

  expect(status).toBe(529);
  expect(JSON.parse(text)).toEqual({
    type: "error",
    error: { message: "Overloaded", type: "overloaded_error" },
  });
});
