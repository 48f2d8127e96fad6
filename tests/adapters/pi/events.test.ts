import { expect, test } from "vitest";
import { EventReader, type EventReaderOptions } from "../../../src/adapters/pi/events.ts";

function reader(options: Partial<EventReaderOptions> = {}): EventReader {
  return new EventReader({
    wanted: { provider: "fake", model: "ok" },
    lastEvent: "agent_settled",
    maxReplyBytes: 20,
    lingerMs: 60_000,
    stop: () => undefined,
    ...options,
  });
}

const delta = (text: string, more = ""): Buffer =>
  Buffer.from(
    `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":${JSON.stringify(text)}${more}}}`,
  );

test("the streamed text is counted without being parsed, in the shape of each version", () => {
  const seen: number[] = [];
  const events = reader({ onProgress: (bytes) => seen.push(bytes) });

  events.onLine(delta("abc"));
  events.onLine(delta('a"\\', `,"partial":{"content":"abc","delta":"xxxx"}`));
  events.onLine(
    Buffer.from(
      '{"type":"message_update","assistantMessageEvent":{"type":"thinking_delta","delta":"no"}}',
    ),
  );
  events.onLine(Buffer.from('{"type":"message_update" not JSON at all'));

  // `a"\` stands in the line with its two escapes.
  expect(seen).toEqual([3, 8]);
});

test("a reply over the limit ends pi while it still streams", () => {
  let stops = 0;
  const events = reader({ stop: () => (stops += 1) });

  events.onLine(delta("x".repeat(21)));

  expect(stops).toBe(1);
  expect(events.finish()).toMatchObject({ stopped: "too_large", replyBytes: 21 });
});

test("a tool call ends pi, which would ask again and again", () => {
  let stops = 0;
  const events = reader({ stop: () => (stops += 1) });
  const message = {
    role: "assistant",
    content: [{ type: "toolCall", name: "bash" }],
    provider: "fake",
    model: "ok",
    stopReason: "toolUse",
  };

  events.onLine(Buffer.from(JSON.stringify({ type: "message_end", message })));

  expect(stops).toBe(1);
  expect(events.finish().messages[0]?.toolName).toBe("bash");
});

test("a pi that does not exit after its last word is ended", async () => {
  const stopped = new Promise<void>((resolve) => {
    reader({ lingerMs: 1, stop: resolve }).onLine(Buffer.from('{"type":"agent_settled"}'));
  });

  await expect(stopped).resolves.toBeUndefined();
});

test("messages of the user and broken lines are no answers", () => {
  const events = reader();

  events.onLine(Buffer.from('{"type":"message_end","message":{"role":"user","content":[]}}'));
  events.onLine(Buffer.from('{"type":"message_end","message":{"role":"assi'));

  expect(events.finish().messages).toEqual([]);
});
