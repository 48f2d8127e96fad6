import { createHash } from "node:crypto";

export { estimateTokens, tokenEstimator } from "./token-estimate.ts";

/**
 * Strict UTF-8: gives the text, a leading byte-order mark kept as U+FEFF, or `undefined` where
 * the bytes are not UTF-8. Encoding the text again gives the same bytes.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A string sequence (OSC and its kin: titles, links) with its end, a control sequence (CSI:
 * colours, cursor), or another escape. Each part takes what it looked at, so that no text makes
 * the search slow; `stripVTControlCharacters` of Node 24 takes 22 s for 80,000 open OSC.
 */
const escapeSequence =
  /\u001b[\]PX^_]([^\u0007\u001b\u009b\u009c\r\n]*)(\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** The text without terminal escape sequences. Of one that never ends, the text in it is kept. */
export function stripColour(text: string): string {
  if (!/[\u001b\u009b]/.test(text)) return text;
  return text.replaceAll(escapeSequence, (_, body: string | undefined, end: string | undefined) =>
    body === undefined || end !== undefined ? "" : body,
  );
}

/**
 * The start and the end of a text that is too long, with a line between that says how many
 * characters were left out. Never longer than `maxChars`, never cuts a character in two.
 */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const notice = (left: number): string => `\n[… ${left} characters left out …]\n`;
  const room = maxChars - notice(text.length).length;
  if (room < 2) return wholeCharacters(text.slice(0, Math.max(0, maxChars)));
  const head = wholeCharacters(text.slice(0, Math.ceil(room / 2)));
  const tail = withoutLoneLowSurrogate(text.slice(text.length - Math.floor(room / 2)));
  return head + notice(text.length - head.length - tail.length) + tail;
}

function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function withoutLoneLowSurrogate(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}

/** Length of the longest run of backticks in the text; 0 where there is none. */
export function longestFenceRun(text: string): number {
  let longest = 0;
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  return longest;
}

/**
 * The text between fences that nothing inside can close: longer than any run of backticks in it.
 * `info` is the word after the opening fence; backticks and line breaks in it are dropped. A
 * text without a line break at its end gets one.
 */
export function fence(text: string, info = ""): string {
  const marks = "`".repeat(Math.max(3, longestFenceRun(text) + 1));
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${marks}${info.replaceAll(/[`\r\n]/g, "")}\n${body}${marks}`;
}

/** Lines of a text: 0 for the empty one; a line break at the end starts no new line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let breaks = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) breaks += 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}

/** SHA-256 in lower-case hex. Text is hashed as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
