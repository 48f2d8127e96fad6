import { describe, expect, test } from "vitest";
import type { FailureKind } from "../../src/contracts/index.ts";
import {
  classifyProviderError,
  findProviderErrorRow,
} from "../../src/adapters/provider-errors/classify.ts";
import { readProviderError, type ProviderReport } from "../../src/adapters/provider-errors/read.ts";
import { providerErrorTable } from "../../src/adapters/provider-errors/table.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const classify = (given: string | ProviderReport, who = "some/model") =>
  classifyProviderError(given, who, now);

describe("the table of provider errors", () => {
  test.each(providerErrorTable.map((row) => [row.from, row.example, row] as const))(
    "the message of %s is found by its own row: %s",
    (_, example, row) => {
      const who = row.provider === undefined ? "some/model" : "cerebras/model";

      expect(findProviderErrorRow(readProviderError(example, { at: now, zone: "UTC" }), who)).toBe(
        row,
      );
    },
  );
});

/** Further messages, also in the forms of pi 0.73, and what they are. */
const messages: readonly (readonly [string, FailureKind])[] = [
  ["401 Unauthorized", "auth"],
  ["429 you have reached your weekly usage limit", "usage_limit"],
  ["429 usage limit has been reached", "usage_limit"],
  ["429 Monthly usage limit reached. Resets in 16 days. Retry-After: 1382400", "usage_limit"],
  ["503 Service Unavailable: xxxx", "overloaded"],
  ["529 Overloaded", "overloaded"],
  ["503 overloaded", "overloaded"],
  ["500 status code (no body)", "overloaded"],
  ["429 status code (no body)", "rate_limit"],
  ["Error: 429 Too Many Requests", "rate_limit"],
  [
    "This model's maximum context length is 32768 tokens. However, you requested 33077 tokens",
    "context_overflow",
  ],
  [
    "input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000",
    "context_overflow",
  ],
  [
    "The input (40000 tokens) is longer than the context length (32768 tokens) of the model",
    "context_overflow",
  ],
  ["prompt is too long: 210000 tokens > 200000 maximum", "context_overflow"],
  [
    "request (186072 tokens) exceeds the available context size (131072 tokens), try increasing it",
    "context_overflow",
  ],
  ["prompt token count of 12551 exceeds the limit of 1000", "context_overflow"],
  [
    '429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account\'s rate limit. Please try again later."},"request_id":"req_1"}',
    "rate_limit",
  ],
  [
    '404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}',
    "model_not_found",
  ],
  [
    '[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]',
    "overloaded",
  ],
  [
    '502: {"message":"Provider returned error","code":502,"metadata":{"raw":"upstream reset"}}',
    "overloaded",
  ],
  [
    '429: {"message":"Provider returned error","code":429,"metadata":{"raw":"x/y:free is temporarily rate-limited upstream. Please retry shortly."}}',
    "rate_limit",
  ],
  [
    '429: {"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429}',
    "usage_limit",
  ],
  ["terminated", "network"],
  ["Connection error.", "network"],
  ["Request timed out.", "timeout"],
  ["fetch failed: connect ECONNREFUSED 127.0.0.1:11434", "network"],
  // Not known, and not guessed from single words in it.
  ["400 The field author is required", "provider_unknown"],
  ["400 timeout must be a positive number", "provider_unknown"],
  ["400 Unsupported parameter: quota_project", "provider_unknown"],
  [
    '400: {"message":"messages.0: rate limit is not a known role","type":"invalid_request_error"}',
    "provider_unknown",
  ],
  ["something went wrong", "provider_unknown"],
  ["", "provider_unknown"],
];

test.each(messages)("%s is %s", (text, kind) => {
  expect(classify(text).kind).toBe(kind);
});

describe("when a limit ends", () => {
  const after = (ms: number): string => new Date(now + ms).toISOString();
  const hour = 3_600_000;

  test.each([
    [
      "429 Monthly usage limit reached. Resets in 16 days. Retry-After: 1382400",
      after(16 * 24 * hour),
    ],
    ["You have hit your ChatGPT usage limit (plus plan). Try again in ~90 min.", after(1.5 * hour)],
    [
      '429: {"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":7200}',
      after(2 * hour),
    ],
    [
      `429: {"type":"usage_limit_reached","message":"x","resets_at":${now / 1000 + 60}}`,
      after(60_000),
    ],
    [`429 Claude AI usage limit reached|${now / 1000 + 3600}`, after(hour)],
    [
      'Cloud Code Assist API error (429): {"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 5h12m33s.","status":"RESOURCE_EXHAUSTED"}}',
      after(5 * hour + 12 * 60_000 + 33_000),
    ],
    [
      '400 {"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."}}',
      "2026-12-01T00:00:00.000Z",
    ],
  ])("%s", (text, resetAt) => {
    expect(classify(text)).toMatchObject({ kind: "usage_limit", resetAt });
  });

  const local = (text: string): unknown =>
    classifyProviderError(text, "some/model", now, "Europe/Berlin");

  test.each([
    // Programs on this machine print its own zone: 12:00 UTC is 13:00 in Berlin.
    ["5-hour limit reached ∙ resets 3pm", "2026-11-30T14:00:00.000Z"],
    ["5-hour limit reached ∙ resets 11am", "2026-12-01T10:00:00.000Z"],
    ["You've hit your usage limit. Try again at 3:34 PM.", "2026-11-30T14:34:00.000Z"],
    ["You've hit your usage limit, resets at 18:05", "2026-11-30T17:05:00.000Z"],
    ["You've hit your limit · resets 2am (Asia/Tokyo)", "2026-11-30T17:00:00.000Z"],
    [
      "Claude usage limit reached. Your limit will reset at 3pm (America/New_York).",
      "2026-11-30T20:00:00.000Z",
    ],
    ["Weekly limit reached ∙ resets Dec 3 at 10am (UTC)", "2026-12-03T10:00:00.000Z"],
    ["Opus weekly limit reached ∙ resets Jan 6, 5pm", "2027-01-06T16:00:00.000Z"],
    ["You've hit your Opus limit · resets tomorrow at 4am (UTC)", "2026-12-01T04:00:00.000Z"],
    [
      "You've hit your usage limit. Purchase more credits or try again at Dec 4th, 2026 9:05 AM.",
      "2026-12-04T08:05:00.000Z",
    ],
    [
      "You've hit your usage limit. Send a request to your admin or try again in 2 hours 13 minutes.",
      after(2 * hour + 13 * 60_000),
    ],
    ["429 weekly usage limit reached, it will reset in 2h 13m", after(2 * hour + 13 * 60_000)],
    [
      '429: {"code":"user_weekly_rate_limited","message":"Please wait until your limit resets on December 3 at 5:00 PM UTC."}',
      "2026-12-03T17:00:00.000Z",
    ],
    [
      '429: {"code":"AccountQuotaExceeded","message":"You have exceeded the 5-hour usage quota. It will reset at 2026-11-30 21:07:48 +0800 CST."}',
      "2026-11-30T13:07:48.000Z",
    ],
    [
      '402: {"message":"You have exceeded your premium request allowance. Your allowance will reset on 2026-12-01.","code":"quota_exceeded"}',
      "2026-12-01T00:00:00.000Z",
    ],
    [
      '429: {"code":"RateLimitReached","message":"Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 41273 seconds before retrying."}',
      after(41_273_000),
    ],
    [
      '429: {"message":"Rate limit exceeded: free-models-per-day.","code":429,"metadata":{"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1796083200000"}}}',
      "2026-12-01T00:00:00.000Z",
    ],
    ["usage limit reached, available again at 2026-11-30T17:00:00Z", "2026-11-30T17:00:00.000Z"],
  ])("%s", (text, resetAt) => {
    expect(local(text)).toMatchObject({ kind: "usage_limit", resetAt });
  });

  test("the longer of what headers and words say counts", () => {
    const limited = (headers: Record<string, string>): unknown =>
      classify({ text: "Please try again in 2s", status: 429, headers });

    expect(limited({ "retry-after": "3" })).toMatchObject({ retryAfterMs: 3000 });
    expect(limited({ "retry-after-ms": "1500" })).toMatchObject({ retryAfterMs: 2000 });
    expect(limited({ "retry-after": "Mon, 30 Nov 2026 12:00:30 GMT" })).toMatchObject({
      retryAfterMs: 30_000,
    });
    expect(limited({ "retry-after": "7200" })).toMatchObject({ resetAt: after(2 * hour) });
    expect(limited({})).toMatchObject({ retryAfterMs: 2000 });
  });

  test("a clock that a time change skips is read on its right side", () => {
    // New York leaves summer time on 1 November 2026.
    const before = Date.parse("2026-11-01T03:00:00Z");
    const failure = classifyProviderError(
      "You've hit your limit · resets 9am (America/New_York)",
      "some/model",
      before,
    );

    expect(failure).toMatchObject({ resetAt: "2026-11-01T14:00:00.000Z" });
  });

  test.each([
    // A server's clock time without a zone would be a guess, as is a zone that nobody knows.
    '429: {"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2026-11-30 23:10:05"}',
    "You've hit your limit · resets 2am (Nowhere/Land)",
    "You've hit your limit · resets 27pm",
  ])("no reset time: %s", (text) => {
    expect(classify(text)).not.toHaveProperty("resetAt");
  });

  test("a short limit says how long to wait, and nothing where it was not told", () => {
    expect(classify("429 Rate limit reached. Please try again in 1.5s.")).toMatchObject({
      kind: "rate_limit",
      retryAfterMs: 1500,
    });
    expect(classify("429 Too Many Requests")).not.toHaveProperty("retryAfterMs");
  });

  test("a short limit of more than ten minutes is a spent window", () => {
    expect(classify("429 Too many requests. Please try again in 21m36s.")).toMatchObject({
      kind: "usage_limit",
      resetAt: after(21 * 60_000 + 36_000),
    });
  });
});

test("a body that pi cut short is read as far as it goes", () => {
  const text =
    '429: {"message":"You exceeded your current quota","type":"insufficient_quota","x":"aaa... [truncated 900 chars]';

  expect(classify(text)).toMatchObject({ kind: "usage_limit", detail: text });
});

test("the message for people names the model, the provider's words and the status", () => {
  expect(classify("401 Unauthorized", "hub/vendor/model").message).toBe(
    "hub/vendor/model is not signed in or not allowed: Unauthorized (HTTP 401)",
  );
});
