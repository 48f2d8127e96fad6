/** Response headers by lower-case name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Larger numbers are moments since 1970 in seconds, and above the second in milliseconds. */
const epochSeconds = 1_000_000_000;
const epochMs = 1_000_000_000_000;

/**
 * Milliseconds until a limit returns, by the headers of a refusal. `now` in milliseconds since the
 * epoch. In order: `retry-after-ms`, `Retry-After` (seconds or a date); else the last of the
 * `…ratelimit-reset…` headers whose limit has nothing remaining (OpenAI and Groq: `6m0s`, `20ms`;
 * OpenRouter: milliseconds since the epoch; Anthropic: a date).
 */
export function waitOfHeaders(headers: Headers, now: number): number | undefined {
  const ms = Number(one(headers["retry-after-ms"]) ?? Number.NaN);
  if (ms >= 0) return ms;
  return readWait(one(headers["retry-after"]), now) ?? longestReset(headers, now);
}

function longestReset(headers: Headers, now: number): number | undefined {
  const waits = Object.keys(headers).flatMap((name) => {
    if (!/ratelimit.*reset/.test(name)) return [];
    const remaining = one(headers[name.replace("reset", "remaining")]);
    const wait =
      remaining === undefined || Number(remaining) > 0
        ? undefined
        : readWait(one(headers[name]), now);
    return wait === undefined ? [] : [wait];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function readWait(text: string | undefined, now: number): number | undefined {
  const value = text?.trim() ?? "";
  if (value === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number > epochMs) return Math.max(0, number - now);
    return number > epochSeconds ? Math.max(0, number * 1000 - now) : Math.round(number * 1000);
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(value)) {
    const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
    return Math.round(
      [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (unitMs[unit ?? ""] ?? 0), 0),
    );
  }
  // A date of HTTP or ISO 8601; without a zone it would be a guess.
  const at = /GMT$|Z$|[+-]\d\d:\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
