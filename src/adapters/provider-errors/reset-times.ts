import { clockWait } from "./clock-times.ts";
import { type Headers, waitOfHeaders } from "./header-waits.ts";
import type { Now } from "./read.ts";

// When may it work again? Every function gives milliseconds from now, `undefined` where it is not
// said in a way that can be read: a wrong time would be worse than none.

type Fields = Readonly<Record<string, unknown>>;

/** From fields of the error's body. `now` in milliseconds since the epoch. */
export function structuredWait(error: Fields, now: number): number | undefined {
  const seconds = error.resets_in_seconds ?? error.retry_after;
  if (typeof seconds === "number") return seconds * 1000;
  const at = error.resets_at ?? error.resetsAt ?? error.reset_at;
  if (typeof at === "number") return sinceNow(epochMs(at), now);
  if (typeof at === "string" && /Z|[+-]\d\d:?\d\d$/.test(at)) return sinceNow(Date.parse(at), now);
  for (const detail of Array.isArray(error.details) ? error.details : []) {
    if (!isFields(detail)) continue;
    const { retryDelay, metadata } = detail;
    const delay = retryDelay ?? (isFields(metadata) ? metadata.quotaResetDelay : undefined);
    if (typeof delay === "string") return durationMs(delay);
  }
  const headers = isFields(error.metadata) ? error.metadata.headers : undefined;
  return isFields(headers) ? waitOfHeaders(lowerCased(headers), now) : undefined;
}

const span = String.raw`(?<span>[\d.]+ ?[a-z]+(?:,?(?: and)? ?[\d.]+ ?[a-z]+)*)`;

/** Ways messages say how long, or until when as a number or a date with its zone. */
const statedWaits: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:try again|retry|retrying|wait) (?:in|after|for)? ?(?:about )?~?${span}`,
    "i",
  ),
  new RegExp(
    String.raw`(?:resets?|renews?|available(?: again)?|refresh(?:es)?) (?:in|after) (?:about )?~?${span}`,
    "i",
  ),
  /retry-after: ?(?<seconds>\d+)/i,
  /limit reached\|(?<epoch>\d{10,13})\b/i,
  /\b(?<day>\d{4}-\d\d-\d\d)(?:T| | at )(?<time>\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(?<zone>UTC|GMT|Z|[+-]\d\d:?\d\d)(?![\w:])/,
  /(?:reset|resets|renew|renews|regain access) on (?<day>\d{4}-\d\d-\d\d)(?!\d| at|T)/i,
];

/** From the words of a message: a span, a number, a date, or a clock time (`clock-times.ts`). */
export function statedWait(message: string, now: Now): number | undefined {
  for (const pattern of statedWaits) {
    const found = pattern.exec(message)?.groups;
    if (!found) continue;
    const { span: length, seconds, epoch, day, time = "00:00", zone = "Z" } = found;
    const ms =
      length === undefined
        ? seconds === undefined
          ? epoch === undefined
            ? sinceNow(Date.parse(`${day}T${time}${isoZone(zone)}`), now.at)
            : sinceNow(epochMs(Number(epoch)), now.at)
          : Number(seconds) * 1000
        : durationMs(length);
    if (ms !== undefined) return ms;
  }
  return clockWait(message, now);
}

function isoZone(zone: string): string {
  return /^[+-]/.test(zone) ? zone.replace(/^(...):?/, "$1:") : "Z";
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
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

/** `7m12s`, `1.5s`, `16 days`, `5 hours and 3 minutes`; ends at the first word that is no unit. */
function durationMs(text: string): number | undefined {
  let total: number | undefined;
  for (const [, amount, word = ""] of text.matchAll(/([\d.]+) ?([a-z]+)/gi)) {
    const unit = unitMs[word.toLowerCase()] ?? unitMs[word.toLowerCase().replace(/s$/, "")];
    if (unit === undefined) break;
    total = (total ?? 0) + Number(amount) * unit;
  }
  return total === undefined || Number.isNaN(total) ? undefined : Math.round(total);
}

/** Seconds or milliseconds since the epoch: thirteen digits are milliseconds. */
function epochMs(at: number): number {
  return at >= 100_000_000_000 ? at : at * 1000;
}

function sinceNow(time: number, now: number): number | undefined {
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function lowerCased(headers: Fields): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
