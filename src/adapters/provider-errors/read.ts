import { type Headers, waitOfHeaders } from "./header-waits.ts";
import { unwrap } from "./layers.ts";
import { statedWait, structuredWait } from "./reset-times.ts";

/**
 * What an adapter knows of a failed call. Structured facts come first: what is given here is
 * never overruled by words of `text`.
 */
export interface ProviderReport {
  /** The error's own text or body; never a reply. */
  readonly text: string;
  /** HTTP status. */
  readonly status?: number;
  /** A code the transport gave: `ECONNRESET`, `UND_ERR_SOCKET`. */
  readonly code?: string;
  /** Response headers by lower-case name; only those about limits are read. */
  readonly headers?: Headers;
}

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

/** A moment and the zone in which clock times without a zone are meant. */
export interface Now {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** IANA name; programs on this machine print its own. */
  readonly zone: string;
}

/** Characters that are read of a text: whatever it says, it says at the start. */
const longest = 20_000;

/** Where a sentence names an HTTP status in passing; the last resort. */
const statusesInPassing: readonly RegExp[] = [
  /\b(?:HTTP(?:\/[\d.]+)?|status(?:[ _-]?code)?|response code|error code)(?: (?:status|error|code|was|is|of))*["']?\s*[:=]?\s*[("']?(?<status>[45]\d\d)\b/i,
  /\b(?:too many|returned error:) (?<status>[45]\d\d)\b/i,
  // `'502 Bad Gateway'`, `(429 Too Many Requests)`, titles of pages
  /(?<![\w.])(?<status>[45]\d\d):? (?:Bad Request|Unauthorized|Authorization Required|Payment Required|Forbidden|Not Found|Request Time-?out|Payload Too Large|Request Entity Too Large|Content Too Large|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Proxy Authentication Required)\b/i,
];

/**
 * Takes an error apart: the report's own facts, then what its text says. Forms seen: the
 * layers of `unwrap`, `429 {"error":{…}}` (Anthropic's SDK), a page of a proxy, JSON inside a message
 * of JSON, plain text.
 */
export function readProviderError(given: string | ProviderReport, now: Now): ProviderError {
  const report = typeof given === "string" ? { text: given } : given;
  const text = report.text.trim();
  const { codes, message, wait, status: told } = readBody(text.slice(0, longest), now);
  const status = report.status ?? told ?? statusOf(codes) ?? statusNamedIn(message);
  const stated = plausible(wait ?? statedWait(message, now));
  const byHeaders = plausible(report.headers && waitOfHeaders(report.headers, now.at));
  // The longer one counts: a header may speak of seconds where the text knows of hours.
  const waitMs = byHeaders === undefined || (stated ?? -1) > byHeaders ? stated : byHeaders;
  return {
    text,
    ...(status === undefined ? {} : { status }),
    codes: [...(report.code === undefined ? [] : [report.code]), ...codes],
    message,
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

interface Body {
  readonly status?: number;
  readonly codes: readonly string[];
  readonly message: string;
  readonly wait?: number | undefined;
}

/** How deep providers and proxies have been seen to pack one body into another's message. */
const deepest = 3;

function readBody(text: string, now: Now, depth = 0): Body {
  const { rest, ...led } = unwrap(text);
  const body = parseObject(rest);
  if (body === undefined) return { ...led, message: pageTitle(unquote(rest)) };
  const error = errorObject(body);
  const message = messageOf(error) ?? rest;
  const outer = error === body ? [] : codesOf(body);
  const own = { ...led, codes: [...led.codes, ...codesOf(error), ...outer], message };
  const wait = structuredWait(error, now.at);
  if (depth >= deepest) return { ...own, wait };
  const inner = readBody(message.trim(), now, depth + 1);
  return {
    ...inner,
    ...own,
    message: inner.message,
    codes: [...own.codes, ...inner.codes],
    wait: wait ?? inner.wait,
  };
}

function statusOf(codes: readonly string[]): number | undefined {
  return codes.map(Number).find((code) => code >= 400 && code < 600);
}

function statusNamedIn(message: string): number | undefined {
  const found = statusesInPassing.map((form) => form.exec(message)?.groups).find(Boolean);
  return found?.status === undefined ? undefined : Number(found.status);
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
    return parsePieces(text);
  }
}

/** Keys of a text that is no whole JSON: cut short, or printed by Python. */
function parsePieces(text: string): Json | undefined {
  const found: Json = {};
  const pieces =
    /["'](type|code|status|message)["']\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+))/g;
  for (const [, key, double, single, number] of text.matchAll(pieces)) {
    const value = double ?? single ?? number;
    if (key !== undefined && value !== "error") found[key] ??= value;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** Where providers put the object that describes the error; MiniMax has `base_resp`. */
const errorKeys = ["error", "errors", "base_resp", "fault", "Error", "response", "Response"];

/** The innermost object that describes the error: `{error: {…}}` and `{type: "error", error}` unwrapped. */
function errorObject(body: Json): Json {
  for (const key of errorKeys) {
    const value = body[key];
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    if (isObject(inner)) return errorObject(inner);
  }
  return body;
}

const codeKeys =
  "type code status error_type error_code status_code statusCode StatusCode errorCode __type Code".split(
    " ",
  );

function codesOf(error: Json): string[] {
  const codes = codeKeys.map((key) => error[key]);
  if (isObject(error.innererror)) codes.push(error.innererror.code);
  for (const detail of Array.isArray(error.details) ? error.details : []) {
    if (!isObject(detail)) continue;
    codes.push(detail.reason);
    for (const violation of Array.isArray(detail.violations) ? detail.violations : [])
      if (isObject(violation)) codes.push(violation.quotaId);
  }
  return codes.filter((code) => typeof code === "string" || typeof code === "number").map(String);
}

/** `error` is xAI's place for it, `detail` FastAPI's, `error_msg` Qianfan's, `status_msg` MiniMax's. */
const messageKeys =
  "message msg error error_msg error_message errorMessage status_msg detail Message title description".split(
    " ",
  );

/** OpenRouter keeps the upstream's text in `metadata.raw`. */
function messageOf(error: Json): string | undefined {
  const raw = isObject(error.metadata) ? error.metadata.raw : undefined;
  const said = messageKeys.map((key) => error[key]).find((value) => typeof value === "string");
  const texts = [said, raw];
  return texts.filter((text) => typeof text === "string").join(" — ") || undefined;
}

/** A proxy answers with a page: its title and headings say what it says. */
function pageTitle(text: string): string {
  if (!/^\s*<(?:!doctype|html|head)\b/i.test(text)) return text;
  const said = [...text.matchAll(/<(title|h1|h2)>\s*([^<]{1,300})/gi)].map(([, , words]) => words);
  return said.length === 0 ? text : [...new Set(said.map((words) => words?.trim()))].join(" — ");
}

/** A year is longer than any quota's window; what is beyond is a misread number. */
function plausible(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= 0 && ms < 366 * 86_400_000 ? ms : undefined;
}

function unquote(text: string): string {
  return /^"[\s\S]*"$/.test(text) ? text.slice(1, -1) : text;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
