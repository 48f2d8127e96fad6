import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unwrap } from "../../../src/adapters/provider-errors/layers.ts";

test.each([
  {
    text: "openai.RateLimitError: Error code: 429 - {'error': {'message': 'slow'}}",
    unwrapped: { status: 429, codes: ["RateLimitError"], rest: "{'error': {'message': 'slow'}}" },
  },
  {
    text: "litellm.APIError: APIError: OpenAIException - 503: busy",
    unwrapped: { status: 503, codes: ["APIError", "APIError"], rest: "busy" },
  },
  {
    text: "Error: google.api_core.exceptions.ResourceExhausted: 429 Resource has been exhausted",
    unwrapped: {
      status: 429,
      codes: ["ResourceExhausted"],
      rest: "Resource has been exhausted",
    },
  },
  {
    text: "stream error: unexpected status 502 Bad Gateway: down, url: https://x.example/v1; retrying 1/5 in 210ms…",
    unwrapped: { status: 502, codes: [], rest: "down" },
  },
  { text: "The plain truth", unwrapped: { codes: [], rest: "The plain truth" } },
])("$text", ({ text, unwrapped }) => {
  expect(unwrap(text)).toEqual(unwrapped);
});

test("the outermost status counts", () => {
  expect(unwrap("429: Error code: 503 - busy")).toEqual({ status: 429, codes: [], rest: "busy" });
});

test("what is left over is a part of what came, however many layers there are", () => {
  const layer = fc.constantFrom("Error: ", "a.b.CError: ", "429: ", "XException - ", "HTTP 503 ");
  const texts = fc.tuple(fc.array(layer, { maxLength: 20 }), fc.string());

  fc.assert(
    fc.property(texts, ([layers, text]) => {
      const whole = layers.join("") + text;
      expect(whole).toContain(unwrap(whole).rest);
    }),
  );
});
