import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventStream, type StreamEvent } from "../../../src/adapters/openai/sse.ts";

/** The events of bytes that arrive in pieces of these sizes, the last piece taking the rest. */
function eventsOf(bytes: Buffer, sizes: readonly number[] = []): StreamEvent[] {
  const events: StreamEvent[] = [];
  const stream = new EventStream((event) => events.push(event), 1000);
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    stream.push(bytes.subarray(at, at + size));
    at += size;
  }
  stream.finish();
  return events;
}

const dataOf = (text: string): string[] => eventsOf(Buffer.from(text)).map(({ data }) => data);

test.each([
  ["LF", "data: a\n\ndata: b\n\n", ["a", "b"]],
  ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["CR", "data: a\r\rdata: b\r\r", ["a", "b"]],
  ["mixed line ends", "data: a\r\n\ndata: b\n\r\n", ["a", "b"]],
  ["comments", ": OPENROUTER PROCESSING\n\n: ping\ndata: a\n\n", ["a"]],
  ["no blank after the colon", "data:a\n\ndata:  b\n\n", ["a", " b"]],
  ["data on several lines", 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
  ["other fields", "id: 7\nretry: 3000\ndata: a\n\n", ["a"]],
  ["an empty event", "event: ping\n\ndata: a\n\n", ["a"]],
  ["no blank line at the end", "data: a\n\ndata: [DONE]", ["a", "[DONE]"]],
  ["a byte-order mark", "\ufeffdata: a\n\n", ["a"]],
  ["U+2028 and NEL inside", "data: a\u2028b\u0085c\n\n", ["a\u2028b\u0085c"]],
])("%s", (_, text, data) => {
  expect(dataOf(text)).toEqual(data);
});

test("an event has its name, and the next one has none of it", () => {
  expect(eventsOf(Buffer.from("event: error\ndata: a\n\ndata: b\n\n"))).toEqual([
    { name: "error", data: "a" },
    { name: "message", data: "b" },
  ]);
});

test("however the bytes are cut, the events are the same", () => {
  const piece = fc.constantFrom(
    "data: ",
    "a",
    "😀",
    "あ",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    ":",
    "event: x",
    " ",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(""))),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 }),
      (bytes, sizes) => {
        expect(eventsOf(bytes, sizes)).toEqual(eventsOf(bytes));
      },
    ),
  );
});

test("an event over the limit ends the reading, comments without end do not", () => {
  const stream = new EventStream(() => undefined, 100);

  for (let line = 0; line < 50; line += 1) expect(stream.push(Buffer.from(": ping\n"))).toBe(true);
  expect(stream.push(Buffer.from(`data: ${"x".repeat(100)}`))).toBe(false);
});
