/** A provider's error, taken apart: what its text says in a structured way, and the rest. */
export interface ProviderError {
  /** The text as it came. */
  readonly text: string;
  readonly status?: number;
  /** `type`, `code`, status word, reasons and quota ids, as far as given. */
  readonly codes: readonly string[];
  /** The message for people, without status and JSON around it. */
  readonly message: string;
  /** Milliseconds until it may work again, where the provider says so. */
  readonly waitMs?: number;
}

const statusFirst =
  /^(?:Error:? )?(?:[\w .-]+ \((?<inBrackets>[45]\d\d)\)|(?<bare>[45]\d\d)):?\s+(?<rest>[\s\S]*)$/;
const codeFirst = /^(?:Error Code )?(?<code>[a-z]+(?:_[a-z]+)+): (?<rest>[\s\S]*)$/;

/**
 * Takes an error text of pi apart. Forms seen: `429: {JSON of the error object}` (1.x),
 * `429 message` (0.73), `429 {"error":{…}}` (Anthropic's SDK), `NAME API error (429): …`,
 * `500 status code (no body)`, `code: message` (relayed in a stream), plain text. `now` in
 * milliseconds since the epoch, for reset times given as a date.
 */
export function readProviderError(text: string, now: number): ProviderError {
  const trimmed = text.trim();
  const led = statusFirst.exec(trimmed)?.groups;
  const rest = led?.rest ?? trimmed;
  const body = parseObject(rest);
  const inner = body && errorObject(body);
  const coded = inner ? undefined : codeFirst.exec(rest)?.groups;
  const codes = inner ? codesOf(inner) : coded?.code === undefined ? [] : [coded.code];
  const status = Number(
    led?.inBrackets ?? led?.bare ?? codes.find((code) => /^[45]\d\d$/.test(code)),
  );
  const message = inner ? (messageOf(inner) ?? rest) : (coded?.rest ?? unquote(rest));
  const waitMs = plausible((inner && structuredWait(inner, now)) ?? statedWait(message, now));
  return {
    text: trimmed,
    ...(Number.isNaN(status) ? {} : { status }),
    codes,
    message,
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

type Json = Record<string, unknown>;

/** pi cuts long bodies (`… [truncated 120 chars]`); what stands in front is still read. */
function parseObject(text: string): Json | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isObject(first) ? first : undefined;
  } catch {
    const found: Json = {};
    for (const [, key, value] of text.matchAll(
      /"(type|code|status|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/g,
    ))
      if (key !== undefined) found[key] ??= value;
    return Object.keys(found).length > 0 ? found : undefined;
  }
}

/** The innermost object that describes the error: `{error: {…}}` and `{type: "error", error}` unwrapped. */
function errorObject(body: Json): Json {
  return isObject(body.error) ? errorObject(body.error) : body;
}

function codesOf(error: Json): string[] {
  const codes = [error.type, error.code, error.status];
  for (const detail of Array.isArray(error.details) ? error.details : []) {
    if (!isObject(detail)) continue;
    codes.push(detail.reason);
    for (const violation of Array.isArray(detail.violations) ? detail.violations : [])
      if (isObject(violation)) codes.push(violation.quotaId);
  }
  return codes.filter((code) => typeof code === "string" || typeof code === "number").map(String);
}

/** `error` is xAI's place for it, `detail` FastAPI's; OpenRouter keeps the upstream's text in `metadata.raw`. */
function messageOf(error: Json): string | undefined {
  const raw = isObject(error.metadata) ? error.metadata.raw : undefined;
  const texts = [error.message ?? error.error ?? error.detail, raw];
  return texts.filter((text) => typeof text === "string").join(" — ") || undefined;
}

function structuredWait(error: Json, now: number): number | undefined {
  const seconds = error.resets_in_seconds ?? error.retry_after;
  if (typeof seconds === "number") return seconds * 1000;
  const at = error.resets_at ?? error.resetsAt;
  if (typeof at === "number") return Math.max(0, at * 1000 - now);
  if (typeof at === "string" && /Z|[+-]\d\d:?\d\d$/.test(at)) return sinceNow(Date.parse(at), now);
  for (const detail of Array.isArray(error.details) ? error.details : []) {
    const delay = isObject(detail) ? detail.retryDelay : undefined;
    if (typeof delay === "string") return durationMs(delay);
  }
  return undefined;
}

/** Ways messages say how long. A clock time without a zone is not read: it would be a guess. */
const statedWaits: readonly RegExp[] = [
  /(?:try again|retry) in ~?(?<span>[\d.]+ ?[a-z]+(?: ?[\d.]+ ?[a-z]+)*)/i,
  /resets? (?:in|after) ~?(?<span>[\d.]+ ?[a-z]+(?: ?[\d.]+ ?[a-z]+)*)/i,
  /retry-after: ?(?<seconds>\d+)/i,
  /limit reached\|(?<epoch>\d{10})\b/i,
  /regain access on (?<day>\d{4}-\d\d-\d\d) at (?<time>\d\d:\d\d) UTC/i,
];

function statedWait(message: string, now: number): number | undefined {
  for (const pattern of statedWaits) {
    const found = pattern.exec(message)?.groups;
    if (!found) continue;
    if (found.span !== undefined) return durationMs(found.span);
    if (found.seconds !== undefined) return Number(found.seconds) * 1000;
    if (found.epoch !== undefined) return sinceNow(Number(found.epoch) * 1000, now);
    return sinceNow(Date.parse(`${found.day}T${found.time}Z`), now);
  }
  return undefined;
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** `7m12s`, `1.5s`, `16 days`, `5 hours 3 minutes`; ends at the first word that is no unit. */
function durationMs(text: string): number | undefined {
  let total: number | undefined;
  for (const [, amount, word = ""] of text.matchAll(/([\d.]+) ?([a-z]+)/gi)) {
    const unit = unitMs[word.toLowerCase()] ?? unitMs[word.toLowerCase().replace(/s$/, "")];
    if (unit === undefined) break;
    total = (total ?? 0) + Number(amount) * unit;
  }
  return total === undefined || Number.isNaN(total) ? undefined : Math.round(total);
}

/** A year is longer than any quota's window; what is beyond is a misread number. */
function plausible(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= 0 && ms < 366 * 86_400_000 ? ms : undefined;
}

function sinceNow(time: number, now: number): number | undefined {
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function unquote(text: string): string {
  return /^"[\s\S]*"$/.test(text) ? text.slice(1, -1) : text;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
