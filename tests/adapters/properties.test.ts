import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader } from "../../src/adapters/pi/events.ts";
import { classifyProviderError } from "../../src/adapters/provider-errors/classify.ts";
import { failureKinds } from "../../src/contracts/index.ts";

const statusAndBody = fc
  .tuple(fc.integer({ min: 400, max: 599 }), fc.json())
  .map(([status, body]) => `${status}: ${body}`);

test("any error text has a kind, and none makes the reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), statusAndBody), fc.nat(), (text, now) => {
      expect(failureKinds).toContain(classifyProviderError(text, "some/model", now).kind);
    }),
  );
});

test("any number in a wait gives a date or nothing", () => {
  const amount = fc.oneof(fc.nat().map(String), fc.double().map(String), fc.constant("1.2.3"));
  fc.assert(
    fc.property(amount, fc.constantFrom("s", "m", "days", "weeks", "x"), (number, unit) => {
      const failure = classifyProviderError(
        `429 usage limit reached, resets in ${number} ${unit}`,
        "some/model",
        Date.now(),
      );

      expect(failure.kind).toBe("usage_limit");
    }),
  );
});

test("no line makes the reader of events throw", () => {
  const start = fc.constantFrom(
    "",
    '{"type":"message_end"',
    '{"type":"message_end","message":{"role":"assistant"',
    '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"',
    '{"type":"message_start","message":null}',
  );
  fc.assert(
    fc.property(start, fc.uint8Array(), (head, tail) => {
      const reader = new EventReader({
        wanted: { provider: "p", model: "m" },
        lastEvent: "agent_settled",
        maxReplyBytes: 10,
        lingerMs: 1,
        stop: () => undefined,
      });

      reader.onLine(Buffer.concat([Buffer.from(head), tail]));

      expect(reader.finish().messages.length).toBeLessThanOrEqual(1);
    }),
  );
});
